#include "mime/build/body_encoding.h"

#include "base/text.h"
#include "mime/header_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace mailroom::mime {

namespace {

constexpr std::size_t encoded_line_bytes = 76;  // RFC 2045, 6.7 and 6.8.
constexpr std::size_t bytes_per_base64_line = encoded_line_bytes / 4 * 3;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// What quoted-printable writes as it is, white space at the end of a line apart.
constexpr std::array<bool, 256> stays = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0x20; c < 0x7f; ++c) table[c] = c != '=';
    table['\t'] = true;
    return table;
}();

// The lines of a text without their ends: CRLF, LF or a lone CR. Knows where the next CR and the
// next LF are, so that each search goes on where the last one stopped.
class Lines {
public:
    explicit Lines(std::string_view text)
        : text_(text), next_cr_(text.find('\r')), next_lf_(text.find('\n')) {}

    bool at_end() const { return at_ >= text_.size(); }

    std::string_view take() {
        if (next_cr_ != text_.npos && next_cr_ < at_) next_cr_ = text_.find('\r', at_);
        if (next_lf_ != text_.npos && next_lf_ < at_) next_lf_ = text_.find('\n', at_);
        const auto end = std::min({next_cr_, next_lf_, text_.size()});
        const auto line = text_.substr(at_, end - at_);
        at_ = end + (next_lf_ == end + 1 && next_cr_ == end ? 2 : 1);
        return line;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0, next_cr_, next_lf_;
};

// What of a text decides how it can travel.
struct Shape {
    std::size_t controls = 0, highs = 0, equals = 0, longest_line = 0;
    bool has_from_line = false;
};

// Of so many bytes that the compiler counts sixteen at once: without branches, and no number can
// overflow.
constexpr std::size_t block_bytes = 64;

void count_block(const char* block, Shape& shape) {
    std::uint8_t controls = 0, highs = 0, equals = 0;
    const auto add = [](std::uint8_t& count, int more) {
        count = static_cast<std::uint8_t>(count + more);
    };
    for (std::size_t i = 0; i < block_bytes; ++i) {
        const auto c = static_cast<unsigned char>(block[i]);
        add(highs, c >> 7);
        add(equals, c == '=');
        add(controls, ((c < 0x20) & (c != '\t') & (c != '\r') & (c != '\n')) | (c == 0x7f));
    }
    shape.controls += controls;
    shape.highs += highs;
    shape.equals += equals;
}

void count_bytes(std::string_view text, Shape& shape) {
    for (; text.size() >= block_bytes; text.remove_prefix(block_bytes)) {
        count_block(text.data(), shape);
    }
    std::array<char, block_bytes> rest;
    rest.fill(' ');
    std::ranges::copy(text, rest.begin());
    count_block(rest.data(), shape);
}

Shape shape_of(std::string_view text) {
    Shape shape;
    count_bytes(text, shape);
    for (Lines lines(text); !lines.at_end();) {
        const auto line = lines.take();
        shape.longest_line = std::max(shape.longest_line, line.size());
        shape.has_from_line = shape.has_from_line || line.starts_with("From ");
    }
    return shape;
}

void append_escape(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    const char escape[] = {'=', digits[byte >> 4], digits[byte & 15]};
    out.append(escape, 3);
}

// One line without its end, its beginning at the left margin.
class QuotedPrintableLine {
public:
    QuotedPrintableLine(std::string& out, std::string_view line) : out_(out), line_(line) {}

    void write() {
        while (at_ < line_.size()) {
            const auto run = plain_run();
            if (run > 0) {
                out_.append(line_, at_, run);
                at_ += run;
                column_ += run;
            } else {
                escape_character();
            }
        }
    }

private:
    // The last column is kept for the `=` of a soft line break.
    static constexpr std::size_t room = encoded_line_bytes - 1;

    std::size_t plain_run() {
        if (column_ == room) soft_break();
        if (column_ == 0 && (line_[at_] == '.' || line_.substr(at_).starts_with("From "))) return 0;
        const auto end = std::min(line_.size(), at_ + room - column_);
        auto stop = at_;
        while (stop < end && stays[static_cast<unsigned char>(line_[stop])]) ++stop;
        // White space may not end a line.
        if (stop == line_.size() && stop > at_ && is_blank(line_[stop - 1])) --stop;
        return stop - at_;
    }

    // A whole character, so that no line ends inside of one.
    void escape_character() {
        const auto lead = static_cast<unsigned char>(line_[at_]);
        std::size_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        size = std::min(size, line_.size() - at_);
        if (column_ + 3 * size > room) soft_break();
        for (const auto end = at_ + size; at_ < end; ++at_) append_escape(out_, line_[at_]);
        column_ += 3 * size;
    }

    void soft_break() {
        out_ += "=\r\n";
        column_ = 0;
    }

    std::string& out_;
    std::string_view line_;
    std::size_t at_ = 0, column_ = 0;
};

// Two digits for each twelve bits: one look-up instead of two.
constexpr auto digit_pairs = [] {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<std::array<char, 2>, 4096> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {digits[i >> 6], digits[i & 63]};
    return pairs;
}();

char* write_base64(char* to, const unsigned char* from, std::size_t count) {
    for (; count >= 3; count -= 3, from += 3, to += 4) {
        const std::uint32_t bits = static_cast<std::uint32_t>(from[0]) << 16 |
                                   static_cast<std::uint32_t>(from[1]) << 8 | from[2];
        std::memcpy(to, digit_pairs[bits >> 12].data(), 2);
        std::memcpy(to + 2, digit_pairs[bits & 4095].data(), 2);
    }
    if (count == 0) return to;
    const std::uint32_t bits = static_cast<std::uint32_t>(from[0]) << 16 |
                               (count == 2 ? static_cast<std::uint32_t>(from[1]) << 8 : 0);
    std::memcpy(to, digit_pairs[bits >> 12].data(), 2);
    to[2] = count == 2 ? digit_pairs[bits & 4095][0] : '=';
    to[3] = '=';
    return to + 4;
}

}  // namespace

std::string_view name_of(BodyEncoding encoding) {
    switch (encoding) {
        case BodyEncoding::seven_bit:
            return "7bit";
        case BodyEncoding::eight_bit:
            return "8bit";
        case BodyEncoding::quoted_printable:
            return "quoted-printable";
        case BodyEncoding::base64:
            return "base64";
    }
    assert(false);
    return {};
}

BodyEncoding encoding_for_text(std::string_view text, EightBit eight_bit) {
    const auto shape = shape_of(text);
    if (shape.controls == 0 && shape.longest_line <= line_bytes_max && !shape.has_from_line) {
        if (shape.highs == 0) return BodyEncoding::seven_bit;
        if (eight_bit == EightBit::allow) return BodyEncoding::eight_bit;
    }
    const auto escapes = shape.controls + shape.highs + shape.equals;
    const auto quoted_bytes = text.size() + 2 * escapes;
    return quoted_bytes * 3 <= text.size() * 4 ? BodyEncoding::quoted_printable
                                               : BodyEncoding::base64;
}

void append_text(std::string& out, std::string_view text, BodyEncoding encoding) {
    if (encoding == BodyEncoding::base64) {
        std::string lines;
        lines.reserve(text.size() + text.size() / 16);
        append_text(lines, text, BodyEncoding::eight_bit);
        if (!text.ends_with('\n') && !text.ends_with('\r') && !text.empty()) {
            lines.resize(lines.size() - 2);
        }
        append_base64_lines(out, lines);
        return;
    }
    for (Lines lines(text); !lines.at_end();) {
        const auto line = lines.take();
        if (encoding == BodyEncoding::quoted_printable) {
            QuotedPrintableLine(out, line).write();
        } else {
            out += line;
        }
        out += "\r\n";
    }
}

void append_base64_lines(std::string& out, std::string_view bytes) {
    const auto lines = (bytes.size() + bytes_per_base64_line - 1) / bytes_per_base64_line;
    const auto start = out.size();
    out.resize(start + (bytes.size() + 2) / 3 * 4 + 2 * lines);
    char* to = out.data() + start;
    const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
    for (auto left = bytes.size(); left > 0;) {
        const auto count = std::min(left, bytes_per_base64_line);
        to = write_base64(to, from, count);
        *to++ = '\r';
        *to++ = '\n';
        from += count;
        left -= count;
    }
    assert(to == out.data() + out.size());
}

}  // namespace mailroom::mime
