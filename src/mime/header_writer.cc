#include "mime/header_writer.h"

#include "base/text.h"
#include "mime/header_text.h"

#include <algorithm>
#include <cassert>

namespace mailroom::mime {

namespace {

// A word or a gap between words that leaves little of a line of 998 is encoded, to be split.
constexpr std::size_t plain_word_bytes_max = 900;
constexpr std::size_t plain_gap_bytes_max = 40;
// An encoded word shorter than this wastes more on its frame than a fold costs.
constexpr std::size_t encoded_word_bytes_min = 36;
constexpr std::size_t encoded_line_bytes_max = 76;  // RFC 2047, 2.
// What fits on a line of 78 with a space before and a semicolon after.
constexpr std::size_t parameter_bytes_max = 75;

bool is_gap(char c) { return c == ' ' || c == '\t'; }

bool is_plain(char c) {
    return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f;
}

// Encoded also when a reader would take it for an encoded word.
bool is_plain_word(std::string_view word) {
    return word.size() <= plain_word_bytes_max && std::ranges::all_of(word, is_plain) &&
           word.find("=?") == word.npos;
}

bool has_line_break(std::string_view text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) != text.npos;
}

std::size_t gap_bytes(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_gap) - text.begin());
}

std::size_t word_bytes(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if(text, is_gap) - text.begin());
}

// The longest beginning of `text` whose words all have to be encoded; ends with a word.
std::size_t encoded_run_bytes(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto gap = gap_bytes(text.substr(at));
        const auto word = word_bytes(text.substr(at + gap));
        const bool wide = gap > plain_gap_bytes_max;
        if (!wide && is_plain_word(text.substr(at + gap, word))) break;
        at += gap + word;
        end = at;
    }
    return end;
}

bool has_wide_gap(std::string_view text) {
    std::size_t run = 0;
    for (const char c : text) {
        run = is_gap(c) ? run + 1 : 0;
        if (run > plain_gap_bytes_max) return true;
    }
    return false;
}

// RFC 2045, 5.1.
bool is_token_character(char c) {
    return is_plain(c) && std::string_view("()<>@,;:\\\"/[]?=").find(c) == std::string_view::npos;
}

std::string quoted(std::string_view value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

// RFC 2231, 7: what may stand for itself.
bool is_attribute_character(char c) {
    return is_token_character(c) && c != '*' && c != '\'' && c != '%';
}

void append_percent(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : text) {
        if (is_attribute_character(c)) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
}

}  // namespace

HeaderWriter::HeaderWriter(std::string& out, std::string_view name)
    : out_(out), line_start_(out.size()) {
    assert(std::ranges::all_of(name, is_plain));
    out_ += name;
    out_ += ':';
}

void HeaderWriter::fold() {
    out_ += "\r\n";
    line_start_ = out_.size();
}

void HeaderWriter::word_after(std::string_view space, std::string_view word) {
    // The first word stays beside the name: some readers take an empty first line for the end.
    const bool fits = column() + space.size() + word.size() <= line_bytes_preferred;
    const bool must = column() + space.size() + word.size() > line_bytes_max;
    if ((!fits && !at_value_start_) || must) fold();
    out_ += space;
    out_ += word;
    at_value_start_ = false;
}

void HeaderWriter::encoded_after(std::string_view space, std::string_view utf8) {
    const auto encoding = shorter_encoding(utf8);
    while (!utf8.empty()) {
        const auto used = column() + space.size();
        auto room = used < encoded_line_bytes_max ? encoded_line_bytes_max - used : 0;
        if (room < encoded_word_bytes_min && !at_value_start_) {
            fold();
            room = encoded_line_bytes_max - space.size();
        }
        out_ += space;
        append_encoded_word(out_, utf8, encoding, std::min(room, encoded_word_bytes_max));
        at_value_start_ = false;
        space = " ";
    }
}

void HeaderWriter::text(std::string_view utf8) {
    utf8 = trim(utf8);
    // Rare enough to encode everything rather than to look for the wide ones.
    const bool all = has_wide_gap(utf8);
    std::string_view gap = " ";
    while (!utf8.empty()) {
        const auto run = all ? utf8.size() : encoded_run_bytes(utf8);
        if (run > 0) {
            encoded_after(gap, utf8.substr(0, run));
            utf8.remove_prefix(run);
        } else {
            const auto word = word_bytes(utf8);
            word_after(gap, utf8.substr(0, word));
            utf8.remove_prefix(word);
        }
        gap = utf8.substr(0, gap_bytes(utf8));
        utf8.remove_prefix(gap.size());
    }
}

void HeaderWriter::plain(std::string_view text) {
    assert(!has_line_break(text));
    text = trim(text);
    std::string_view gap = " ";
    while (!text.empty()) {
        const auto word = word_bytes(text);
        word_after(gap, text.substr(0, word));
        text.remove_prefix(word);
        gap = text.substr(0, gap_bytes(text));
        text.remove_prefix(gap.size());
    }
}

void HeaderWriter::token(std::string_view token) {
    assert(!has_line_break(token));
    word_after(" ", token);
}

void HeaderWriter::append(std::string_view text) {
    assert(!has_line_break(text));
    out_ += text;
    at_value_start_ = false;
}

void HeaderWriter::parameter(std::string_view name, std::string_view utf8) {
    append(";");
    const bool is_ascii = std::ranges::all_of(utf8, [](char c) { return is_plain(c) || c == ' '; });
    if (is_ascii) {
        const bool is_token = !utf8.empty() && std::ranges::all_of(utf8, is_token_character);
        auto written = std::string(name) + "=" + (is_token ? std::string(utf8) : quoted(utf8));
        if (written.size() <= parameter_bytes_max) {
            word_after(" ", written);
            return;
        }
    }
    extended_parameter(name, utf8);
}

void HeaderWriter::extended_parameter(std::string_view name, std::string_view utf8) {
    std::string value;
    append_percent(value, utf8);
    auto whole = std::string(name) + "*=UTF-8''" + value;
    if (whole.size() <= parameter_bytes_max) {
        word_after(" ", whole);
        return;
    }
    std::string_view rest = value;
    for (std::size_t section = 0; !rest.empty(); ++section) {
        auto written = std::string(name) + "*" + std::to_string(section) + "*=";
        if (section == 0) written += "UTF-8''";
        auto size = std::min(rest.size(), parameter_bytes_max - written.size());
        // Not inside of `%XX`.
        const auto percent = rest.substr(0, size).rfind('%');
        if (size < rest.size() && percent != rest.npos && percent + 3 > size) size = percent;
        written += rest.substr(0, size);
        rest.remove_prefix(size);
        if (section > 0) append(";");
        word_after(" ", written);
    }
}

void HeaderWriter::end() {
    if (at_value_start_) out_ += ' ';
    out_ += "\r\n";
}

}  // namespace mailroom::mime
