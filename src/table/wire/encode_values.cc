#include "base/base64.h"
#include "json/writer.h"
#include "table/wire/encoder.h"

#include <cassert>

namespace mailroom::table::wire {

namespace {

void append_set(std::string& out, Kind kind, const SetView& set) {
    char separator = '[';
    for (const std::string_view payload : set) {
        out += separator;
        separator = ',';
        if (kind == Kind::string_set) {
            json::append_text(out, payload);
            continue;
        }
        out += '"';
        if (kind == Kind::number_set) {
            Number::from_encoded(payload).append_text(out);
        } else {
            base64_append(out, payload);
        }
        out += '"';
    }
    if (separator == '[') out += separator;
    out += ']';
}

void append_list(std::string& out, const ListView& list) {
    out += '[';
    bool first = true;
    for (const ValueView& element : list) {
        if (!first) out += ',';
        first = false;
        append_value(out, element);
    }
    out += ']';
}

}  // namespace

void append_value(std::string& out, const ValueView& value) {
    switch (value.kind()) {
        case Kind::string:
            out += "{\"S\":";
            json::append_text(out, value.payload());
            break;
        case Kind::number:
            out += "{\"N\":\"";
            Number::from_encoded(value.payload()).append_text(out);
            out += '"';
            break;
        case Kind::binary:
            out += "{\"B\":\"";
            base64_append(out, value.payload());
            out += '"';
            break;
        case Kind::boolean_true:
            out += "{\"BOOL\":true";
            break;
        case Kind::boolean_false:
            out += "{\"BOOL\":false";
            break;
        case Kind::null:
            out += "{\"NULL\":true";
            break;
        case Kind::list:
            out += "{\"L\":";
            append_list(out, value.list());
            break;
        case Kind::map:
            out += "{\"M\":";
            append_item(out, value.map());
            break;
        case Kind::string_set:
        case Kind::number_set:
        case Kind::binary_set:
            out.append("{\"").append(type_name(value.kind())).append("\":");
            append_set(out, value.kind(), value.set());
            break;
    }
    out += '}';
}

void append_item(std::string& out, const ItemView& item) {
    out += '{';
    bool first = true;
    for (const Field& field : item) {
        if (!first) out += ',';
        first = false;
        json::append_text(out, field.name);
        out += ':';
        append_value(out, field.value);
    }
    out += '}';
}

}  // namespace mailroom::table::wire
