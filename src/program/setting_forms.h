// How the values of settings are written; see settings.h. Programs add forms of their own.
#pragma once

#include "base/names.h"
#include "program/settings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mailroom::program {

// A whole number in [least, most]: digits only.
std::optional<std::uint32_t> parse_whole_number(std::string_view text, std::uint32_t least,
                                                std::uint32_t most);
// The parts between commas, without blanks around them. None for nothing at all; an empty part
// among others is kept, for the caller to refuse.
std::vector<std::string> split_list(std::string_view text);
std::string joined_list(const std::vector<std::string>& parts);
// Any path that a system call takes, or nothing at all.
bool is_optional_path(std::string_view text);
// DynamoDB's rule: 3 to 255 of a-z, A-Z, 0-9, `_`, `-` and `.`.
bool is_table_name(std::string_view text);

// Of any integer, or of a duration in its unit.
struct Whole {
    static constexpr auto type = Setting::Type::integer;
    std::uint32_t least, most;
    std::string_view note = "";  // "; 0 is no limit"

    std::string accepts() const;
    template <class T>
    bool read(std::string_view text, T& value) const {
        const auto number = parse_whole_number(text, least, most);
        if (number) value = T(*number);
        return number.has_value();
    }
    template <class T>
    std::string show(const T& value) const {
        if constexpr (std::is_integral_v<T>) {
            return std::to_string(value);
        } else {
            return std::to_string(value.count());
        }
    }
};

// One of an enum's names.
template <Named E>
struct OneOf {
    static constexpr auto type = Setting::Type::text;

    std::string accepts() const { return names_text<E>(); }
    bool read(std::string_view text, E& value) const {
        const auto found = named<E>(text);
        if (found) value = *found;
        return found.has_value();
    }
    std::string show(const E& value) const { return std::string(name_of(value)); }
};

struct OnOff {
    static constexpr auto type = Setting::Type::text;

    std::string accepts() const { return "on or off"; }
    bool read(std::string_view text, bool& value) const;
    std::string show(const bool& value) const { return value ? "on" : "off"; }
};

// A text that is kept as it is, if `is_good`.
struct Text {
    static constexpr auto type = Setting::Type::text;
    std::string_view what;
    std::function<bool(std::string_view)> is_good;

    std::string accepts() const { return std::string(what); }
    bool read(std::string_view text, std::string& value) const;
    std::string show(const std::string& value) const { return value; }
};

// A name, a key or a sentence: they travel in headers and mails. Optional ones may be empty.
Text one_line(std::string_view what);
Text optional_line(std::string_view what);
Text path(std::string_view what);
Text optional_path(std::string_view what);
Text table_name();

// Texts with commas between them, or nothing.
struct List {
    static constexpr auto type = Setting::Type::text;
    std::string_view what;
    std::function<bool(const std::string&)> is_good;  // Of each.

    std::string accepts() const { return std::string(what); }
    bool read(std::string_view text, std::vector<std::string>& value) const;
    std::string show(const std::vector<std::string>& value) const { return joined_list(value); }
};

}  // namespace mailroom::program
