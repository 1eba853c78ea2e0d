#include "outbox/routes/forms.h"

#include <vector>

namespace mailroom::outbox {

void describe_names(json::Writer& writer, const std::vector<std::string_view>& names) {
    writer.key("type").text("string").key("enum").open_list();
    for (const auto name : names) writer.text(name);
    writer.close_list();
}

}  // namespace mailroom::outbox

namespace mailroom::table {

using outbox::describe_names;

std::string Form<outbox::State>::wanted() {
    std::string names;
    for (const auto state : outbox::all_states) {
        names += (names.empty() ? "" : ", ") + std::string(name_of(state));
    }
    return "must be one of " + names;
}

void Form<outbox::State>::read(const json::View& view, outbox::State& to, Reading& reading) {
    const bool is_text = view.type() == json::View::Type::text;
    const auto state = is_text ? parse(view.text()) : std::nullopt;
    if (state) to = *state;
    if (!state) reading.wrong(wanted());
}

void Form<outbox::State>::describe(json::Writer& writer, Schemas& schemas) {
    schemas.refer(writer, "MailState", [](Schemas&) {
        std::vector<std::string_view> names;
        for (const auto state : outbox::all_states) names.push_back(name_of(state));
        std::string text;
        json::Writer schema(text);
        schema.open_object();
        describe_names(schema, names);
        schema.close_object();
        return text;
    });
}

void Form<outbox::Recipient::State>::describe(json::Writer& writer, Schemas&) {
    describe_names(writer, {name_of(State::waiting), name_of(State::delivered),
                            name_of(State::failed), name_of(State::unknown)});
}

}  // namespace mailroom::table
