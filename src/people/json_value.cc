#include "people/json_value.h"

#include "base/base64.h"
#include "table/records/form.h"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

constexpr int levels_max = 30;  // Of the tables: 32, with the item and its attribute.

using Kind = table::Kind;
using Type = json::View::Type;

// The shortest text that is that number.
Result<table::Value> number_of(const json::View& view) {
    const bool is_whole = view.type() == Type::integer;
    if (const auto whole = is_whole ? view.integer() : std::nullopt) return table::Value(*whole);
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, view.decimal()).ptr;
    return table::Value(TRY(table::Number::parse({text, static_cast<std::size_t>(end - text)})));
}

Result<table::Value> value_at(const json::View& view, int level) {
    if (level > levels_max) return Error{Errc::invalid, "is nested too deep"};
    switch (view.type()) {
        case Type::null:
            return table::Value::null();
        case Type::boolean:
            return table::Value(view.boolean());
        case Type::integer:
        case Type::decimal:
            return number_of(view);
        case Type::text:
            return table::Value(view.text());
        case Type::list: {
            std::vector<table::Value> all;
            json::Elements elements(view);
            json::View element;
            while (elements.next(element)) all.push_back(TRY(value_at(element, level + 1)));
            return table::Value::list(all);
        }
        case Type::object: {
            table::Item fields;
            json::Members members(view);
            std::string_view name;
            json::View member;
            while (members.next(name, member)) {
                fields.set(name, TRY(value_at(member, level + 1)));
            }
            return table::Value::map(fields);
        }
    }
    return Error{Errc::invalid, "is no value"};
}

void write_set(json::Writer& writer, const table::ValueView& value) {
    writer.open_list();
    for (const auto payload : value.set()) {
        if (value.kind() == Kind::string_set) table::show_text(writer, payload);
        if (value.kind() == Kind::binary_set) writer.text(base64_encode(payload));
        if (value.kind() == Kind::number_set) {
            writer.value() += table::Number::from_encoded(payload).text();
        }
    }
    writer.close_list();
}

}  // namespace

Result<table::Value> value_of(const json::View& view) { return value_at(view, 1); }

void write_value(json::Writer& writer, const table::ValueView& value) {
    switch (value.kind()) {
        case Kind::string:
            return table::show_text(writer, value.text());
        case Kind::number:
            writer.value() += value.number().text();
            return;
        case Kind::binary:
            writer.text(base64_encode(value.bytes()));
            return;
        case Kind::boolean_true:
        case Kind::boolean_false:
            writer.boolean(value.boolean());
            return;
        case Kind::null:
            writer.null();
            return;
        case Kind::list:
            writer.open_list();
            for (const auto element : value.list()) write_value(writer, element);
            writer.close_list();
            return;
        case Kind::map:
            writer.open_object();
            write_values(writer, value.map());
            writer.close_object();
            return;
        case Kind::string_set:
        case Kind::number_set:
        case Kind::binary_set:
            return write_set(writer, value);
    }
}

void write_values(json::Writer& writer, const table::ItemView& item) {
    for (const auto field : item) {
        writer.name(field.name);
        write_value(writer, field.value);
    }
}

}  // namespace mailroom::people
