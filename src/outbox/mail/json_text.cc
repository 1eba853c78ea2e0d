#include "outbox/mail/json_text.h"

#include "json/writer.h"

namespace mailroom::outbox {

namespace {

void write(json::Writer& writer, const json::View& value);

void write_object(json::Writer& writer, const json::View& object) {
    writer.open_object();
    json::Members members(object);
    std::string_view name;
    for (json::View value; members.next(name, value);) {
        writer.name(name);
        write(writer, value);
    }
    writer.close_object();
}

void write_list(json::Writer& writer, const json::View& list) {
    writer.open_list();
    json::Elements elements(list);
    for (json::View value; elements.next(value);) write(writer, value);
    writer.close_list();
}

// As deep as the parser allows, which is not deep.
void write(json::Writer& writer, const json::View& value) {
    switch (value.type()) {
        case json::View::Type::null:
            writer.null();
            return;
        case json::View::Type::boolean:
            writer.boolean(value.boolean());
            return;
        case json::View::Type::integer:
            if (const auto integer = value.integer()) {
                writer.integer(*integer);
            } else {
                writer.decimal(value.decimal());
            }
            return;
        case json::View::Type::decimal:
            writer.decimal(value.decimal());
            return;
        case json::View::Type::text:
            writer.text(value.text());
            return;
        case json::View::Type::list:
            return write_list(writer, value);
        case json::View::Type::object:
            return write_object(writer, value);
    }
}

}  // namespace

std::string json_text(const json::View& value) {
    std::string text;
    json::Writer writer(text);
    write(writer, value);
    return text;
}

}  // namespace mailroom::outbox
