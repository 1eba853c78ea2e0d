#include "people/settings.h"

#include "program/setting_forms.h"

namespace mailroom::people {

void add_settings(program::Settings& list, Settings& values) {
    list.section("tables");
    list.add("audience", program::table_name(), values.tables.audience,
             "People, their tags, what was sent to them, and who must not be written to.");
}

}  // namespace mailroom::people
