#include "liquid/unicode.h"

#include "liquid/unicode_tables.h"

#include <algorithm>

namespace mailroom::liquid {

namespace {

constexpr char32_t replacement = 0xfffd;
constexpr char32_t capital_sigma = 0x3a3;
constexpr char32_t final_sigma = 0x3c2;
constexpr char32_t small_sigma = 0x3c3;

unsigned char byte(char c) { return static_cast<unsigned char>(c); }
bool is_continuation(char c) { return (byte(c) & 0xc0) == 0x80; }

// How many bytes a lead byte announces; 0 for a byte that cannot lead.
std::size_t announced(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xc2) return 0;
    if (lead < 0xe0) return 2;
    if (lead < 0xf0) return 3;
    return lead < 0xf5 ? 4 : 0;
}

bool is_acceptable(char32_t code, std::size_t bytes) {
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= smallest[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

char32_t mapped(std::span<const CaseRun> runs, char32_t code) {
    const auto after = std::ranges::upper_bound(runs, code, {}, &CaseRun::begin);
    if (after == runs.begin()) return code;
    const auto& run = *(after - 1);
    if (code > run.end || (code - run.begin) % run.step != 0) return code;
    return static_cast<char32_t>(static_cast<std::int32_t>(code) + run.delta);
}

bool append_special(std::string& out, std::span<const CaseSpecial> specials, char32_t code) {
    const auto found = std::ranges::lower_bound(specials, code, {}, &CaseSpecial::code);
    if (found == specials.end() || found->code != code) return false;
    out += found->text;
    return true;
}

bool is_letter(char32_t code) {
    if (code < 0x80) return (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
    return is_word_part(code);
}

// A capital sigma that ends a word becomes the final form.
char32_t lower_sigma(std::string_view before, std::string_view after) {
    const bool follows = !before.empty() && is_letter(last_character(before).code);
    const bool ends = after.empty() || !is_letter(first_character(after).code);
    return follows && ends ? final_sigma : small_sigma;
}

}  // namespace

Character first_character(std::string_view text) {
    const auto lead = byte(text[0]);
    const auto count = announced(lead);
    if (count == 1) return {lead, 1};
    if (count == 0 || text.size() < count) return {replacement, 1};
    char32_t code = lead & (0x7fU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        if (!is_continuation(text[i])) return {replacement, 1};
        code = code << 6 | (byte(text[i]) & 0x3fU);
    }
    if (!is_acceptable(code, count)) return {replacement, 1};
    return {code, count};
}

Character last_character(std::string_view text) {
    const auto size = text.size();
    for (std::size_t back = 1; back <= std::min<std::size_t>(4, size); ++back) {
        if (is_continuation(text[size - back])) continue;
        const auto character = first_character(text.substr(size - back));
        if (character.bytes == back) return character;
        break;
    }
    return {replacement, 1};
}

void append_character(std::string& out, char32_t code) {
    const auto put = [&](char32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

std::size_t utf16_length(std::string_view text) {
    std::size_t length = 0;
    while (!text.empty()) {
        const auto character = first_character(text);
        length += character.code > 0xffff ? 2 : 1;
        text.remove_prefix(character.bytes);
    }
    return length;
}

std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes);
    return count;
}

std::size_t skip_characters(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    for (; count > 0 && at < text.size(); --count) at += first_character(text.substr(at)).bytes;
    return at;
}

int compare_utf16(std::string_view left, std::string_view right) {
    const auto [l, r] = std::ranges::mismatch(left, right);
    if (l == left.end() || r == right.end()) {
        return (l == left.end() ? 0 : 1) - (r == right.end() ? 0 : 1);
    }
    // Characters beyond U+FFFF are surrogates in UTF-16, so they sort before U+E000 and above.
    const auto a = byte(*l), b = byte(*r);
    if (a >= 0xee && b >= 0xee && (a >= 0xf0) != (b >= 0xf0)) return a >= 0xf0 ? -1 : 1;
    return a < b ? -1 : 1;
}

bool is_space(char32_t code) {
    if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
    return code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000 || code == 0xfeff;
}

bool is_word_part(char32_t code) {
    if (code < 0x80) return is_letter(code) || (code >= '0' && code <= '9');
    const auto after = std::ranges::upper_bound(word_ranges, code, {}, &CodeRange::begin);
    return after != word_ranges.begin() && code <= (after - 1)->end;
}

std::string_view trim_start(std::string_view text) {
    while (!text.empty()) {
        const auto character = first_character(text);
        if (!is_space(character.code)) break;
        text.remove_prefix(character.bytes);
    }
    return text;
}

std::string_view trim_end(std::string_view text) {
    while (!text.empty()) {
        const auto character = last_character(text);
        if (!is_space(character.code)) break;
        text.remove_suffix(character.bytes);
    }
    return text;
}

void append_upper(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, bytes] = first_character(text.substr(at));
        if (code < 0x80) {
            out += static_cast<char>(code >= 'a' && code <= 'z' ? code - 'a' + 'A' : code);
        } else if (code == replacement) {
            out += text.substr(at, bytes);
        } else if (!append_special(out, upper_specials, code)) {
            append_character(out, mapped(upper_runs, code));
        }
        at += bytes;
    }
}

void append_lower(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, bytes] = first_character(text.substr(at));
        if (code < 0x80) {
            out += static_cast<char>(code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code);
        } else if (code == replacement) {
            out += text.substr(at, bytes);
        } else if (code == capital_sigma) {
            append_character(out, lower_sigma(text.substr(0, at), text.substr(at + bytes)));
        } else if (!append_special(out, lower_specials, code)) {
            append_character(out, mapped(lower_runs, code));
        }
        at += bytes;
    }
}

void append_valid(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const auto character = first_character(text);
        append_character(out, character.code);
        text.remove_prefix(character.bytes);
    }
}

}  // namespace mailroom::liquid
