// Tags of tables. Their calls are Tables'.
#pragma once

#include "table/failure.h"
#include "table/schema.h"

namespace mailroom::table {

// Refuses more than a table may have.
Outcome<> check_tag_count(const Tags& tags);

}  // namespace mailroom::table
