#include "program/setting_forms.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace mailroom::program {

namespace {

constexpr std::size_t line_bytes_max = 500;
constexpr std::size_t path_bytes_max = 4096;  // Linux takes no longer ones.

bool is_one_line(std::string_view text) {
    return text.size() <= line_bytes_max && std::ranges::none_of(text, [](char c) {
               return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
           });
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

Text filled(Text form) {
    form.is_good = [is_good = std::move(form.is_good)](std::string_view text) {
        return !text.empty() && is_good(text);
    };
    return form;
}

}  // namespace

std::optional<std::uint32_t> parse_whole_number(std::string_view text, std::uint32_t least,
                                                std::uint32_t most) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool all_read = error == std::errc() && end == text.data() + text.size();
    if (!all_read || number < least || number > most) return std::nullopt;
    return number;
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    if (trim(text).empty()) return parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.emplace_back(trim(text.substr(0, comma)));
        if (comma == text.npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

std::string joined_list(const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
}

bool is_optional_path(std::string_view text) {
    return text.size() < path_bytes_max && text.find('\0') == text.npos;
}

bool is_table_name(std::string_view text) {
    constexpr std::size_t chars_min = 3, chars_max = 255;
    const auto allowed = [](char c) {
        return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
    };
    return text.size() >= chars_min && text.size() <= chars_max &&
           std::ranges::all_of(text, allowed);
}

std::string Whole::accepts() const {
    const auto range = least == 0 ? "up to " : "from " + std::to_string(least) + " to ";
    return "a whole number " + range + std::to_string(most) + std::string(note);
}

bool OnOff::read(std::string_view text, bool& value) const {
    if (text != "on" && text != "off") return false;
    value = text == "on";
    return true;
}

bool Text::read(std::string_view text, std::string& value) const {
    const bool good = is_good(text);
    if (good) value = text;
    return good;
}

Text one_line(std::string_view what) { return filled({what, is_one_line}); }
Text optional_line(std::string_view what) { return {what, is_one_line}; }
Text path(std::string_view what) { return filled({what, is_optional_path}); }
Text optional_path(std::string_view what) { return {what, is_optional_path}; }
Text table_name() {
    return {"a table name: 3 to 255 letters, digits, '_', '-' or '.'", is_table_name};
}

bool List::read(std::string_view text, std::vector<std::string>& value) const {
    auto parts = split_list(text);
    const bool good = std::ranges::all_of(parts, is_good);
    if (good) value = std::move(parts);
    return good;
}

}  // namespace mailroom::program
