#include "people/settings.h"

#include "program/setting_forms.h"

namespace mailroom::people {

void add_settings(program::Settings& list, Settings& values) {
    list.section("tables");
    list.add("audience", program::table_name(), values.tables.audience,
             "People, their tags, what was sent to them, and who must not be written to.");
    list.section("people");
    list.add("memory_mb", program::Whole{0, 1'000'000, "; 0 keeps nobody there"}, values.memory_mb,
             "Memory in which people are counted and found by segments; when they do not fit, each "
             "question reads the table.");
}

}  // namespace mailroom::people
