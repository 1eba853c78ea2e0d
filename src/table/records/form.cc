#include "table/records/form.h"

#include "base/text.h"
#include "base/time_format.h"

#include <charconv>

namespace mailroom::table {

using Type = json::View::Type;

void show_text(json::Writer& writer, std::string_view text) {
    if (is_utf8(text)) {
        writer.text(text);
        return;
    }
    std::string replaced;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x80) replaced += c;
        if (static_cast<unsigned char>(c) >= 0x80) replaced += "\xef\xbf\xbd";
    }
    writer.text(replaced);
}

std::optional<std::string> Form<std::string>::load(const ValueView& value) {
    if (value.kind() != Kind::string) return std::nullopt;
    return std::string(value.text());
}

void Form<std::string>::read(const json::View& view, std::string& to, Reading& reading) {
    if (view.type() != Type::text) return reading.wrong(wanted());
    to = view.text();
}

std::optional<bool> Form<bool>::load(const ValueView& value) {
    return value.is_bool() ? std::optional(value.boolean()) : std::nullopt;
}

void Form<bool>::read(const json::View& view, bool& to, Reading& reading) {
    if (view.type() != Type::boolean) return reading.wrong(wanted());
    to = view.boolean();
}

std::optional<bool> Form<bool>::parse(std::string_view text) {
    if (text != "true" && text != "false") return std::nullopt;
    return text == "true";
}

std::optional<std::int64_t> Form<std::int64_t>::load(const ValueView& value) {
    if (value.kind() != Kind::number) return std::nullopt;
    return value.number().to_int64();
}

void Form<std::int64_t>::read(const json::View& view, std::int64_t& to, Reading& reading) {
    const auto number =
        view.type() == Type::integer ? view.integer() : std::optional<std::int64_t>();
    if (!number) return reading.wrong(wanted());
    to = *number;
}

std::optional<std::int64_t> Form<std::int64_t>::parse(std::string_view text) {
    std::int64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [read_to, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read_to != end) return std::nullopt;
    return number;
}

std::optional<Time> Form<Time>::load(const ValueView& value) {
    const auto ms = Form<std::int64_t>::load(value);
    return ms ? std::optional(from_unix_ms(*ms)) : std::nullopt;
}

void Form<Time>::show(json::Writer& writer, Time time) { writer.text(format_rfc3339(time)); }

void Form<Time>::read(const json::View& view, Time& to, Reading& reading) {
    const auto time = view.type() == Type::text ? parse(view.text()) : std::nullopt;
    if (!time) return reading.wrong(wanted());
    to = *time;
}

std::optional<Time> Form<Time>::parse(std::string_view text) {
    const auto time = parse_rfc3339(text);
    return time ? std::optional(*time) : std::nullopt;
}

std::optional<Time> InSeconds::load(const ValueView& value) {
    const auto seconds = Form<std::int64_t>::load(value);
    // What does not fit is no time that anybody meant.
    constexpr std::int64_t seconds_max = INT64_MAX / 1000;
    if (!seconds || *seconds > seconds_max || *seconds < -seconds_max) return std::nullopt;
    return Time(std::chrono::seconds(*seconds));
}

void InSeconds::show(json::Writer& writer, Time time) { writer.text(format_rfc3339_seconds(time)); }

}  // namespace mailroom::table
