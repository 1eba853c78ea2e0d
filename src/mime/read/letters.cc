#include "mime/read/letters.h"

#include <algorithm>

namespace mailroom::mime {
namespace {

// Blocks of capitals whose small letters stand `step` further on.
struct Range {
    unsigned first, last, step;
};
constexpr Range ranges[] = {
    {'A', 'Z', 32},     {0xC0, 0xD6, 32},   {0xD8, 0xDE, 32},   {0x386, 0x386, 38},
    {0x388, 0x38A, 37}, {0x38C, 0x38C, 64}, {0x38E, 0x38F, 63}, {0x391, 0x3A1, 32},
    {0x3A3, 0x3AB, 32}, {0x410, 0x42F, 32}, {0x400, 0x40F, 80},
};
// Blocks where capital and small letters take turns, the capital first.
constexpr Range turns[] = {
    {0x100, 0x137, 1}, {0x139, 0x148, 1}, {0x14A, 0x177, 1}, {0x179, 0x17E, 1},
    {0x218, 0x21B, 1}, {0x460, 0x481, 1}, {0x48A, 0x4BF, 1},
};

unsigned lower(unsigned letter) {
    for (const auto& range : ranges) {
        if (letter >= range.first && letter <= range.last) return letter + range.step;
    }
    for (const auto& range : turns) {
        if (letter < range.first || letter > range.last) continue;
        return (letter - range.first) % 2 == 0 ? letter + 1 : letter;
    }
    return letter;
}

bool is_small(unsigned letter) {
    const auto ends_range = [&](const Range& range) {
        return letter >= range.first + range.step && letter <= range.last + range.step;
    };
    const auto ends_turn = [&](const Range& range) {
        return letter >= range.first && letter <= range.last && (letter - range.first) % 2 == 1;
    };
    return letter == 0xDF || std::ranges::any_of(ranges, ends_range) ||
           std::ranges::any_of(turns, ends_turn);
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Of one byte or two, which all of these letters have; 0 for another one.
unsigned letter_at(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) return first;
    const bool is_pair = (first & 0xE0) == 0xC0 && text.size() > 1 && continues(text[1]);
    if (!is_pair) return 0;
    return (first & 0x1Fu) << 6 | (static_cast<unsigned char>(text[1]) & 0x3Fu);
}

}  // namespace

std::string lower_letters(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto letter = letter_at(text);
        const std::size_t length = letter < 0x80 ? 1 : 2;
        const auto small = lower(letter);
        if (letter == small) {
            out += text.substr(0, length);
        } else if (length == 1) {
            out += static_cast<char>(small);
        } else {
            out += static_cast<char>(0xC0 | small >> 6);
            out += static_cast<char>(0x80 | (small & 0x3F));
        }
        text.remove_prefix(length);
    }
    return out;
}

bool begins_with_small_letter(std::string_view text) {
    return !text.empty() && is_small(letter_at(text));
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

}  // namespace mailroom::mime
