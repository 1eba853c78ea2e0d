#include "people/segments/expansion_parts.h"

namespace mailroom::people {

Result<> ExpansionParts::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    for (const auto& expansion : TRY(expansions_.with(person))) {
        writer.open_object().key("id");
        table::show_text(writer, expansion.id);
        writer.key("at");
        table::Form<Time>::show(writer, expansion.at);
        writer.close_object();
    }
    writer.close_list();
    return Ok{};
}

Result<> ExpansionParts::move(const std::string& person, const std::string&) {
    return erase(person);
}

Result<> ExpansionParts::erase(const std::string& person) {
    TRY(expansions_.forget(person));
    return Ok{};
}

}  // namespace mailroom::people
