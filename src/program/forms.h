// How amounts of money and days are spelled in what programs take and answer.
#pragma once

#include "base/money.h"
#include "base/refusal.h"
#include "table/records/form.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::program {

// An amount that is asked for, as a number or as text: its currency is known later.
struct AskedAmount {
    std::optional<double> number;
    std::string text;  // If it is no number.
    // Or what is wrong with the field of that name.
    Answer<std::int64_t> cents(const char* field, std::string_view currency) const;
};

}  // namespace mailroom::program

namespace mailroom::table {

// A decimal number, in rows as in JSON.
template <>
struct Form<Amount> {
    static Value store(const Amount& amount);
    static void show(json::Writer& writer, const Amount& amount);
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("number"); }
};

template <>
struct Form<program::AskedAmount> {
    static void read(const json::View& view, program::AskedAmount& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").open_list().text("number").text("string").close_list();
    }
};

// Of a Time: a day, which is its last moment, or a time; in rows as others are.
struct DayOrTime : Form<Time> {
    static std::string wanted();
    static void show(json::Writer& writer, Time time);
    static void read(const json::View& view, Time& to, Reading& reading);
    static std::optional<Time> parse(std::string_view text);
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("string"); }
};

// The same where something begins, in a query: a day is its first moment.
struct FromDayOrTime : DayOrTime {
    static std::optional<Time> parse(std::string_view text);
};

// A time as other programs write it: text, in whole seconds.
struct OthersTime : Form<Time> {
    static Value store(Time time);
    static std::optional<Time> load(const ValueView& value);
    static void show(json::Writer& writer, Time time);
};

}  // namespace mailroom::table
