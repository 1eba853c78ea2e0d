#include "program/forms.h"

#include "base/days.h"
#include "base/time_format.h"

namespace mailroom::program {

Answer<std::int64_t> AskedAmount::cents(const char* field, std::string_view currency) const {
    const auto parsed = number ? cents_of(*number, currency) : parse_cents(text, currency);
    if (!parsed) return BadField{field, parsed.error().message};
    return *parsed;
}

}  // namespace mailroom::program

namespace mailroom::table {

using Type = json::View::Type;

Value Form<Amount>::store(const Amount& amount) {
    return Value(*Number::parse(decimal_text(amount.cents, amount.currency)));
}

void Form<Amount>::show(json::Writer& writer, const Amount& amount) {
    writer.value() += decimal_text(amount.cents, amount.currency);
}

void Form<program::AskedAmount>::read(const json::View& view, program::AskedAmount& to,
                                      Reading& reading) {
    switch (view.type()) {
        case Type::text:
            to.text = view.text();
            return;
        case Type::integer:
        case Type::decimal:
            to.number = view.decimal();
            return;
        default:
            reading.wrong("must be an amount such as 1500.00");
    }
}

std::string DayOrTime::wanted() { return parse_day_or_time("").error().message; }

void DayOrTime::show(json::Writer& writer, Time time) { writer.text(format_day_or_time(time)); }

void DayOrTime::read(const json::View& view, Time& to, Reading& reading) {
    const auto time = view.type() == Type::text ? parse(view.text()) : std::nullopt;
    if (!time) return reading.wrong(wanted());
    to = *time;
}

std::optional<Time> DayOrTime::parse(std::string_view text) {
    const auto time = parse_day_or_time(text);
    return time ? std::optional(*time) : std::nullopt;
}

std::optional<Time> FromDayOrTime::parse(std::string_view text) {
    const auto time = DayOrTime::parse(text);
    return time && is_day(text) ? std::optional(first_moment(*time)) : time;
}

Value OthersTime::store(Time time) { return Value(format_rfc3339_seconds(time)); }

std::optional<Time> OthersTime::load(const ValueView& value) {
    if (value.kind() != Kind::string) return std::nullopt;
    return parse_others_time(value.text());
}

void OthersTime::show(json::Writer& writer, Time time) {
    writer.text(format_rfc3339_seconds(time));
}

}  // namespace mailroom::table
