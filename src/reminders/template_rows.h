// Templates as rows. For the files of templates.h.
#pragma once

#include "reminders/templates.h"
#include "table/value.h"

#include <string>

namespace mailroom::reminders {

Answer<> check_template(const std::string& template_id, const TemplateText& text);

table::Item template_key(std::string_view template_id, std::int64_t version);
table::Item template_item(const TemplateVersion& version);
Result<TemplateVersion> read_template(const table::ItemView& row);

}  // namespace mailroom::reminders
