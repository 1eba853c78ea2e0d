#include "people/locale.h"

#include "liquid/time_zone.h"

#include <cstddef>
#include <string>

namespace mailroom::people {

namespace {

constexpr std::size_t part_chars_max = 8, language_chars_max = 35;

bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool is_language(std::string_view text) {
    std::size_t part = 0, first = text.find('-');
    if (first == text.npos) first = text.size();
    if (first < 2 || first > 3 || text.size() > language_chars_max) return false;
    for (const char c : text) {
        if (c == '-' ? part == 0 : !is_alphanumeric(c)) return false;
        part = c == '-' ? 0 : part + 1;
        if (part > part_chars_max) return false;
    }
    return part > 0;
}

bool is_time_zone(std::string_view text) {
    static liquid::TimeZones zones;
    return bool(zones.find(text));
}

}  // namespace mailroom::people
