#include "mime/header_text.h"

#include "base/base64.h"
#include "base/text.h"
#include "mime/charset.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace mailroom::mime {

namespace {

constexpr std::size_t charset_bytes_max = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

struct EncodedWord {
    std::string_view charset;
    char encoding;  // Lower case.
    std::string_view payload;
    std::size_t bytes;  // The whole.
};

std::size_t charset_end(std::string_view text) {
    std::size_t end = 2;
    while (end < text.size() && text[end] != '?' && !is_blank(text[end]) &&
           !is_control(text[end]) && end - 2 <= charset_bytes_max) {
        ++end;
    }
    return end;
}

// Lenient about spaces and question marks inside, but never past the beginning of another word, so
// that looking at every `=?` of a text is linear.
std::optional<EncodedWord> parse_word(std::string_view text) {
    if (!text.starts_with("=?")) return std::nullopt;
    const auto mark = charset_end(text);
    if (mark == 2 || mark + 3 >= text.size() || text[mark] != '?' || text[mark + 2] != '?') {
        return std::nullopt;
    }
    const char encoding = static_cast<char>(text[mark + 1] | 0x20);
    if (encoding != 'q' && encoding != 'b') return std::nullopt;
    const auto start = mark + 3;
    for (auto at = text.find('?', start); at != text.npos; at = text.find('?', at + 1)) {
        if (at + 1 < text.size() && text[at + 1] == '=') {
            auto charset = text.substr(2, mark - 2);
            charset = charset.substr(0, charset.find('*'));  // RFC 2231, 5: a language may follow.
            return EncodedWord{charset, encoding, text.substr(start, at - start), at + 2};
        }
        if (at > start && text[at - 1] == '=') return std::nullopt;
    }
    return std::nullopt;
}

std::string decode_q(std::string_view payload) {
    std::string bytes;
    bytes.reserve(payload.size());
    for (std::size_t i = 0; i < payload.size(); ++i) {
        const char c = payload[i];
        if (c == '=' && i + 2 < payload.size() && hex_value(payload[i + 1]) >= 0 &&
            hex_value(payload[i + 2]) >= 0) {
            bytes += static_cast<char>(hex_value(payload[i + 1]) * 16 + hex_value(payload[i + 2]));
            i += 2;
        } else if (c == '_') {
            bytes += ' ';
        } else if (c != '\r' && c != '\n') {
            bytes += c;
        }
    }
    return bytes;
}

// Padding may be missing and white space may stand inside.
std::optional<std::string> decode_b(std::string_view payload) {
    std::string digits;
    digits.reserve(payload.size() + 4);
    for (const char c : payload) {
        if (c != '=' && !is_blank(c)) digits += c;
    }
    if (digits.size() % 4 == 1) digits.pop_back();
    const auto tail = digits.size() % 4;
    // The bits that stand for no byte must be zero for a strict decoder; writers leave rubbish.
    if (tail != 0) digits.append(4 - tail, 'A');
    auto bytes = base64_decode(digits);
    if (bytes && tail != 0) bytes->resize(bytes->size() - (4 - tail));
    return bytes;
}

// Gathers the text and everything wrong with it.
class Decoder {
public:
    explicit Decoder(std::string_view raw) : raw_(raw) {}

    HeaderText decode() {
        std::size_t at = 0;
        while (at < raw_.size()) {
            const auto found = raw_.find("=?", at);
            plain(raw_.substr(at, found - at), found != raw_.npos);
            if (found == raw_.npos) break;
            at = found + word_at(found);
        }
        flush_encoded();
        flush_plain();
        return std::move(result_);
    }

private:
    // Returns how many bytes were used.
    std::size_t word_at(std::size_t at) {
        const auto word = parse_word(raw_.substr(at));
        if (!word) {
            plain(raw_.substr(at, 2), false);
            return 2;
        }
        auto bytes = word->encoding == 'q' ? decode_q(word->payload) : decode_b(word->payload);
        if (!bytes) {
            add_defect(result_.defects, "bad-encoded-word", raw_.substr(at, word->bytes));
            plain(raw_.substr(at, word->bytes), false);
            return word->bytes;
        }
        pending_space_ = {};
        if (!ascii_equal_ignoring_case(word->charset, charset_)) flush_encoded();
        if (!in_encoded_) flush_plain();
        in_encoded_ = true;
        charset_ = word->charset;
        encoded_ += *bytes;
        return word->bytes;
    }

    // White space between two encoded words is no text (RFC 2047, 6.2).
    void plain(std::string_view text, bool before_word) {
        if (text.empty()) return;
        if (in_encoded_ && before_word && std::ranges::all_of(text, is_blank)) {
            pending_space_ = text;
            return;
        }
        flush_encoded();
        plain_ += text;
    }

    void flush_encoded() {
        if (in_encoded_) {
            auto converted = to_utf8(encoded_, charset_);
            if (converted.label_unknown) {
                add_defect(result_.defects, "unknown-charset", charset_);
            }
            if (converted.replaced > 0 || converted.label_wrong) {
                add_defect(result_.defects, "invalid-characters", charset_);
            }
            append_clean(converted.text);
            encoded_.clear();
            in_encoded_ = false;
        }
        // It turned out to stand before something that is no encoded word.
        plain_ += pending_space_;
        pending_space_ = {};
    }

    void flush_plain() {
        if (plain_.empty()) return;
        const auto converted = to_utf8(unfolded(plain_), {});
        if (converted.charset != "utf-8") {
            add_defect(result_.defects, "raw-8bit", "read as windows-1252");
        }
        append_clean(converted.text);
        plain_.clear();
    }

    static std::string unfolded(std::string_view text) {
        std::string line;
        line.reserve(text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool blank_follows =
                i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t');
            if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
            if (text[i] == '\n' && blank_follows) continue;
            line += text[i];
        }
        return line;
    }

    void append_clean(std::string_view text) {
        for (const char c : text) result_.text += is_control(c) ? ' ' : c;
    }

    std::string_view raw_;
    HeaderText result_;
    std::string plain_;
    std::string encoded_;  // Bytes of words of one charset that stand together.
    std::string_view charset_;
    bool in_encoded_ = false;
    std::string_view pending_space_;
};

// May stand for itself in Q, in phrases too (RFC 2047, 5(3)).
bool is_q_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '!' ||
           c == '*' || c == '+' || c == '-' || c == '/';
}

std::size_t q_bytes(std::string_view text) {
    std::size_t bytes = 0;
    for (const char c : text) bytes += is_q_plain(c) || c == ' ' ? 1 : 3;
    return bytes;
}

void append_q(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : text) {
        if (is_q_plain(c)) {
            out += c;
        } else if (c == ' ') {
            out += '_';
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '=';
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
}

// The bytes of the character at the front, 1 where it is broken.
std::size_t character_bytes(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return text.size() >= size && is_utf8(text.substr(0, size)) ? size : 1;
}

constexpr std::string_view q_start = "=?UTF-8?Q?", b_start = "=?UTF-8?B?";

}  // namespace

HeaderText decode_header_text(std::string_view raw) { return Decoder(raw).decode(); }

std::size_t encoded_word_bytes(std::string_view text) {
    const auto word = parse_word(text);
    return word ? word->bytes : 0;
}

WordEncoding shorter_encoding(std::string_view utf8) {
    return q_bytes(utf8) <= (utf8.size() + 2) / 3 * 4 ? WordEncoding::q : WordEncoding::b;
}

void append_encoded_word(std::string& out, std::string_view& utf8, WordEncoding encoding,
                         std::size_t bytes_max) {
    assert(!utf8.empty());
    const auto frame_bytes = q_start.size() + 2;
    const auto room = bytes_max > frame_bytes ? bytes_max - frame_bytes : 0;
    std::size_t taken = 0, used = 0;
    while (taken < utf8.size()) {
        const auto size = character_bytes(utf8.substr(taken));
        const auto needed = encoding == WordEncoding::q ? used + q_bytes(utf8.substr(taken, size))
                                                        : (taken + size + 2) / 3 * 4;
        if (needed > room && taken > 0) break;
        used = needed;
        taken += size;
    }
    out += encoding == WordEncoding::q ? q_start : b_start;
    const auto part = utf8.substr(0, taken);
    encoding == WordEncoding::q ? append_q(out, part) : base64_append(out, part);
    out += "?=";
    utf8.remove_prefix(taken);
}

std::string encode_words(std::string_view utf8) {
    std::string words;
    const auto encoding = shorter_encoding(utf8);
    while (!utf8.empty()) {
        if (!words.empty()) words += ' ';
        append_encoded_word(words, utf8, encoding, encoded_word_bytes_max);
    }
    return words;
}

}  // namespace mailroom::mime
