#include "table/wire/tag_text.h"

#include <algorithm>
#include <clocale>
#include <cwctype>

namespace mailroom::table::wire {

namespace {

constexpr std::string_view signs = "+-=._:/@";
constexpr std::string_view pattern = R"(^([\p{L}\p{Z}\p{N}_.:/=+\-@]*)$)";

// Unicode's tables are glibc's; the locale is part of it, whatever is installed.
bool is_letter_or_number(char32_t character) {
    static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    // Without tables, what is not ASCII is taken for a letter.
    if (!unicode) return character >= 0x80;
    return iswalnum_l(static_cast<wint_t>(character), unicode) != 0;
}

// Unicode's separators.
bool is_separator(char32_t character) {
    constexpr char32_t others[] = {0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000};
    return (character >= 0x2000 && character <= 0x200a) ||
           std::ranges::find(others, character) != std::end(others);
}

bool is_tag_character(char32_t character) {
    if (character < 0x80 && signs.find(static_cast<char>(character)) != signs.npos) return true;
    return is_separator(character) || is_letter_or_number(character);
}

// Calls `each` with the characters of well-formed UTF-8 until it says false.
template <class Each>
void each_character(std::string_view utf8, Each each) {
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i++]);
        char32_t character = lead;
        if (lead >= 0xf0) {
            character = lead & 0x07u;
        } else if (lead >= 0xe0) {
            character = lead & 0x0fu;
        } else if (lead >= 0xc0) {
            character = lead & 0x1fu;
        }
        for (; i < utf8.size() && (static_cast<unsigned char>(utf8[i]) & 0xc0) == 0x80; ++i) {
            character = character << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3fu);
        }
        if (!each(character)) return;
    }
}

}  // namespace

bool is_tag_text(std::string_view utf8) {
    bool fits = true;
    each_character(utf8, [&](char32_t character) { return fits = is_tag_character(character); });
    return fits;
}

std::optional<std::string_view> read_tag_text(Reader& reader, const Place& place, LengthRule rule) {
    const auto given = reader.text(place);
    if (!given) return given;
    std::size_t characters = 0;
    each_character(*given, [&](char32_t) { return ++characters > 0; });
    if (characters < rule.min) {
        reader.problems.constraint(
            place, *given,
            "Member must have length greater than or equal to " + std::to_string(rule.min));
    } else if (characters > rule.max) {
        reader.problems.constraint(
            place, *given,
            "Member must have length less than or equal to " + std::to_string(rule.max));
    } else if (!is_tag_text(*given)) {
        reader.problems.constraint(
            place, *given,
            "Member must satisfy regular expression pattern: " + std::string(pattern));
    }
    return given;
}

}  // namespace mailroom::table::wire
