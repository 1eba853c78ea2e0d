// Tags of tables. Their calls are Tables'.
#pragma once

#include "table/failure.h"
#include "table/schema.h"

namespace mailroom::table {

// Refuses keys that are given twice or are AWS's own, and more tags than a table may have.
Outcome<> check_new_tags(const Tags& tags);
// Refuses more than a table may have.
Outcome<> check_tag_count(const Tags& tags);

}  // namespace mailroom::table
