#include "people/person_json.h"

#include "people/checks.h"

namespace mailroom::table {

void Form<people::AttributeChanges>::read(const json::View& view, people::AttributeChanges& to,
                                          Reading& reading) {
    if (view.type() != json::View::Type::object) return reading.wrong("must be an object");
    json::Members members(view);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        const Reading::Inside inside(reading, name);
        const auto why = people::wrong_with_attribute_name(name);
        if (!why.empty()) {
            reading.wrong(std::string(why));
        } else if (to.set.has(name)) {
            reading.wrong("is there twice");
        } else if (value.is_null()) {
            to.dropped.emplace_back(name);
        } else if (auto one = people::value_of(value)) {
            to.set.set(name, *one);
        } else {
            reading.wrong(one.error().message);
        }
    }
}

}  // namespace mailroom::table
