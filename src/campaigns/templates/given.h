// Data that a request brings for templates, as the attributes of a person are kept.
#pragma once

#include "people/json_value.h"
#include "table/records/form.h"
#include "table/value.h"

namespace mailroom::campaigns {

struct Given {
    table::Item attributes;
};

}  // namespace mailroom::campaigns

namespace mailroom::table {

template <>
struct Form<campaigns::Given> {
    static void read(const json::View& view, campaigns::Given& to, Reading& reading) {
        if (view.type() != json::View::Type::object) return reading.wrong("must be an object");
        const auto value = people::value_of(view);
        if (!value) return reading.wrong("cannot be read: " + value.error().message);
        to.attributes = Item(value->view().map());
    }
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").text("object").key("additionalProperties").boolean(true);
    }
};

}  // namespace mailroom::table
