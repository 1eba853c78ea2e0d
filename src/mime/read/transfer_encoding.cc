#include "mime/read/transfer_encoding.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace mailroom::mime {
namespace {

// Encoded bytes that are decoded at once when the result is only passed on.
constexpr std::size_t piece_bytes = 64 * 1024;

constexpr std::uint8_t not_base64 = 0xff;
constexpr std::uint8_t is_padding = 0xfe;
constexpr std::uint8_t is_space = 0xfd;

constexpr std::array<std::uint8_t, 256> make_base64_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(not_base64);
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        values[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    values['='] = is_padding;
    for (const char c : std::string_view(" \t\r\n"))
        values[static_cast<std::uint8_t>(c)] = is_space;
    return values;
}
constexpr auto base64_values = make_base64_values();

// One table for each of the four characters of a group, already shifted into place, so that a group
// is three ORs. A character outside the alphabet sets the highest bit.
constexpr std::uint32_t bad_group = 0x8000'0000;
struct GroupTables {
    std::array<std::array<std::uint32_t, 256>, 4> shifted{};
};
constexpr GroupTables make_group_tables() {
    GroupTables tables;
    for (std::size_t place = 0; place < 4; ++place) {
        for (std::size_t c = 0; c < 256; ++c) {
            const std::uint32_t value = base64_values[c];
            tables.shifted[place][c] = value < 64 ? value << (18 - 6 * place) : bad_group;
        }
    }
    return tables;
}
constexpr auto group_tables = make_group_tables();

// Holds what does not fill a group between two pieces.
class Base64Decoder {
public:
    // Room for what `decode` writes: three bytes of four characters, and one group kept before.
    static std::size_t room(std::size_t encoded_bytes) { return encoded_bytes / 4 * 3 + 8; }

    char* decode(std::string_view encoded, char* out) {
        const auto* in = reinterpret_cast<const unsigned char*>(encoded.data());
        const auto* const end = in + encoded.size();
        while (in != end) {
            if (count_ == 0) out = decode_groups(in, end, out);
            if (in == end) break;
            out = add(*in++, out);
        }
        return out;
    }
    char* finish(char* out) {
        // A group of one character holds no whole byte.
        if (count_ == 1) has_errors_ = true;
        return flush(out);
    }
    bool has_errors() const { return has_errors_; }

private:
    static char* decode_groups(const unsigned char*& in, const unsigned char* end, char* out) {
        const auto& [first, second, third, fourth] = group_tables.shifted;
        while (end - in >= 4) {
            const auto group = first[in[0]] | second[in[1]] | third[in[2]] | fourth[in[3]];
            if (group & bad_group) break;
            out[0] = static_cast<char>(group >> 16);
            out[1] = static_cast<char>(group >> 8);
            out[2] = static_cast<char>(group);
            out += 3;
            in += 4;
        }
        return out;
    }
    char* add(unsigned char c, char* out) {
        const auto value = base64_values[c];
        if (value < 64) {
            group_ = group_ << 6 | value;
            if (++count_ == 4) return flush(out);
        } else if (value == is_padding) {
            // Padding ends a group; some senders join several encoded texts, so we go on after it.
            return flush(out);
        } else if (value == not_base64) {
            has_errors_ = true;
        }
        return out;
    }
    char* flush(char* out) {
        if (count_ >= 2) {
            const auto bits = group_ << (24 - 6 * count_);
            for (unsigned byte = 0; byte + 1 < count_; ++byte) {
                *out++ = static_cast<char>(bits >> (16 - 8 * byte));
            }
        }
        count_ = 0;
        group_ = 0;
        return out;
    }

    std::uint32_t group_ = 0;
    unsigned count_ = 0;
    bool has_errors_ = false;
};

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

// Blanks before a line end were added on the way (RFC 2045, 6.7, rule 3).
char* without_trailing_blanks(const char* begin, char* out) {
    while (out != begin && (out[-1] == ' ' || out[-1] == '\t')) --out;
    return out;
}

const char* skip_blanks(const char* in, const char* end) {
    while (in != end && (*in == ' ' || *in == '\t')) ++in;
    return in;
}

// The first `wanted`, or the end.
const char* find(const char* in, const char* end, char wanted) {
    if (in == end) return end;
    const void* found = std::memchr(in, wanted, static_cast<std::size_t>(end - in));
    return found == nullptr ? end : static_cast<const char*>(found);
}

// `out` must have room for as many bytes as come in.
class QuotedPrintableDecoder {
public:
    char* decode(std::string_view encoded, char* out) {
        const char* in = encoded.data();
        const char* const end = in + encoded.size();
        char* floor = out;  // What an escape wrote is no trailing blank.
        const char* line_end = find(in, end, '\n');
        while (in != end) {
            if (in > line_end) line_end = find(in, end, '\n');
            const char* const stop = find(in, line_end, '=');
            const auto run = static_cast<std::size_t>(stop - in);
            std::memcpy(out, in, run);
            out += run;
            in = stop;
            if (in == end) break;
            if (*in == '\n') {
                out = end_line(floor, out);
                ++in;
            } else {
                in = escape(in, end, out);
            }
            floor = out;
        }
        return out;
    }
    bool has_errors() const { return has_errors_; }

private:
    static char* end_line(const char* floor, char* out) {
        const bool has_cr = out != floor && out[-1] == '\r';
        if (has_cr) --out;
        out = without_trailing_blanks(floor, out);
        if (has_cr) *out++ = '\r';
        *out++ = '\n';
        return out;
    }
    const char* escape(const char* in, const char* end, char*& out) {
        const char* after = in + 1;
        if (end - after >= 2) {
            const int high = hex_value(after[0]), low = hex_value(after[1]);
            if (high >= 0 && low >= 0) {
                *out++ = static_cast<char>(high << 4 | low);
                return after + 2;
            }
        }
        // A soft line break, or the end of the text.
        after = skip_blanks(after, end);
        if (after != end && *after == '\r') ++after;
        if (after == end) return end;
        if (*after == '\n') return after + 1;
        has_errors_ = true;
        *out++ = '=';
        return in + 1;
    }

    bool has_errors_ = false;
};

Decoded decode_base64(std::string_view encoded) {
    Decoded decoded;
    Base64Decoder decoder;
    decoded.bytes.resize(Base64Decoder::room(encoded.size()));
    char* const begin = decoded.bytes.data();
    char* const end = decoder.finish(decoder.decode(encoded, begin));
    decoded.bytes.resize(static_cast<std::size_t>(end - begin));
    decoded.has_errors = decoder.has_errors();
    return decoded;
}

Decoded decode_quoted_printable(std::string_view encoded) {
    Decoded decoded;
    QuotedPrintableDecoder decoder;
    decoded.bytes.resize(encoded.size());
    char* const begin = decoded.bytes.data();
    const auto size = static_cast<std::size_t>(decoder.decode(encoded, begin) - begin);
    decoded.bytes.resize(size);
    decoded.has_errors = decoder.has_errors();
    return decoded;
}

// One line: a length character, then groups of four characters of six bits each.
bool decode_uu_line(std::string_view line, std::string& out) {
    const auto value = [](char c) { return static_cast<unsigned>(c - ' ') & 0x3f; };
    std::size_t wanted = value(line[0]);
    for (std::size_t i = 1; wanted > 0; i += 4) {
        if (i + 1 >= line.size()) return false;
        std::uint32_t group = 0;
        for (std::size_t place = 0; place < 4; ++place) {
            const char c = i + place < line.size() ? line[i + place] : ' ';
            if (c < ' ' || c > '`') return false;
            group = group << 6 | value(c);
        }
        for (int shift = 16; shift >= 0 && wanted > 0; shift -= 8, --wanted) {
            out += static_cast<char>(group >> shift);
        }
    }
    return true;
}

Decoded decode_uuencode(std::string_view encoded) {
    Decoded decoded;
    bool inside = false, ended = false;
    while (!encoded.empty() && !ended) {
        const auto end = std::min(encoded.find('\n'), encoded.size() - 1);
        auto line = encoded.substr(0, end + 1);
        encoded.remove_prefix(line.size());
        while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
        if (!inside) {
            inside = line.starts_with("begin ");
        } else if (line == "end") {
            ended = true;
        } else if (!line.empty() && !decode_uu_line(line, decoded.bytes)) {
            decoded.has_errors = true;
        }
    }
    if (!ended) decoded.has_errors = true;
    return decoded;
}

bool base64_in_pieces(std::string_view encoded, const std::function<void(std::string_view)>& take) {
    Base64Decoder decoder;
    const auto room = Base64Decoder::room(std::min(piece_bytes, encoded.size()));
    const auto buffer = std::make_unique_for_overwrite<char[]>(room);
    while (!encoded.empty()) {
        const auto piece = encoded.substr(0, piece_bytes);
        encoded.remove_prefix(piece.size());
        char* const end = decoder.decode(piece, buffer.get());
        take({buffer.get(), static_cast<std::size_t>(end - buffer.get())});
    }
    char* const end = decoder.finish(buffer.get());
    take({buffer.get(), static_cast<std::size_t>(end - buffer.get())});
    return !decoder.has_errors();
}

}  // namespace

TransferEncoding parse_transfer_encoding(std::string_view text) {
    text = trim(text.substr(0, text.find_first_of(";(")));
    const auto is = [&](std::string_view name) { return ascii_equal_ignoring_case(text, name); };
    if (text.empty() || is("7bit") || is("8bit") || is("binary") || is("7-bit") || is("8-bit")) {
        return TransferEncoding::identity;
    }
    if (is("base64")) return TransferEncoding::base64;
    if (is("quoted-printable")) return TransferEncoding::quoted_printable;
    if (is("x-uuencode") || is("uuencode") || is("x-uue")) return TransferEncoding::uuencode;
    return TransferEncoding::unknown;
}

Decoded decode_transfer(std::string_view encoded, TransferEncoding encoding) {
    switch (encoding) {
        case TransferEncoding::base64:
            return decode_base64(encoded);
        case TransferEncoding::quoted_printable:
            return decode_quoted_printable(encoded);
        case TransferEncoding::uuencode:
            return decode_uuencode(encoded);
        case TransferEncoding::identity:
        case TransferEncoding::unknown:
            break;
    }
    return {std::string(encoded), false};
}

bool decode_transfer_in_pieces(std::string_view encoded, TransferEncoding encoding,
                               const std::function<void(std::string_view)>& take) {
    switch (encoding) {
        case TransferEncoding::base64:
            return base64_in_pieces(encoded, take);
        case TransferEncoding::quoted_printable:
        case TransferEncoding::uuencode: {
            // Rare for anything big, so simply whole.
            const auto decoded = decode_transfer(encoded, encoding);
            take(decoded.bytes);
            return !decoded.has_errors;
        }
        case TransferEncoding::identity:
        case TransferEncoding::unknown:
            break;
    }
    take(encoded);
    return true;
}

}  // namespace mailroom::mime
