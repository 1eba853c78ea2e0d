// How the name of a stream is spelled in queries and JSON.
#pragma once

#include "people/stream.h"
#include "table/records/form.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table {

template <>
struct Form<people::Stream> {
    static std::string wanted() { return "must be transactional or bulk"; }
    static void show(json::Writer& writer, people::Stream stream) { writer.text(name_of(stream)); }
    static void read(const json::View& view, people::Stream& to, Reading& reading) {
        const bool is_text = view.type() == json::View::Type::text;
        const auto stream = is_text ? parse(view.text()) : std::nullopt;
        if (stream) to = *stream;
        if (!stream) reading.wrong(wanted());
    }
    static std::optional<people::Stream> parse(std::string_view text) {
        return people::stream_named(text);
    }
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").text("string").key("enum").open_list();
        for (const auto stream : {people::Stream::transactional, people::Stream::bulk}) {
            writer.text(name_of(stream));
        }
        writer.close_list();
    }
};

}  // namespace mailroom::table
