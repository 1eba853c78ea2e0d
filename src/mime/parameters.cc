#include "mime/parameters.h"

#include "base/text.h"
#include "mime/charset.h"
#include "mime/header_text.h"

#include <algorithm>
#include <utility>

namespace mailroom::mime {

namespace {

constexpr std::size_t section_max = 999;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// One `name=value` as it is written.
struct Piece {
    std::string name;         // Without the marks of RFC 2231.
    std::size_t section = 0;  // Of a continuation.
    bool continued = false;
    bool extended = false;  // Percent-encoded.
    std::string value;
};

class Reader {
public:
    explicit Reader(std::string_view raw) : raw_(raw) {}

    ParameterizedValue read() {
        result_.value = ascii_lower(bare_text());
        while (at_ < raw_.size()) {
            ++at_;  // The `;`.
            piece();
        }
        join();
        return std::move(result_);
    }

private:
    bool more() const { return at_ < raw_.size(); }

    // A quoted string, its quotes and backslashes removed. Without a closing quote it ends at the
    // next `;`, so that one slip does not swallow the parameters after it.
    void quoted(std::string& text) {
        const auto start = ++at_;
        std::string inside;
        for (; more() && !quotes_are_broken_; ++at_) {
            if (raw_[at_] == '"') {
                ++at_;
                text += inside;
                return;
            }
            if (raw_[at_] == '\\' && at_ + 1 < raw_.size()) ++at_;
            if (raw_[at_] != '\r' && raw_[at_] != '\n') inside += raw_[at_];
        }
        quotes_are_broken_ = true;
        at_ = start;
        add_defect(result_.defects, "unclosed-quote", raw_.substr(start));
    }

    void comment() {
        const auto start = at_;
        std::size_t depth = 0;
        for (; more() && !comments_are_broken_; ++at_) {
            if (raw_[at_] == '\\') {
                ++at_;
            } else if (raw_[at_] == '(') {
                ++depth;
            } else if (raw_[at_] == ')' && --depth == 0) {
                ++at_;
                return;
            }
        }
        comments_are_broken_ = true;
        at_ = start + 1;
    }

    // Up to the next `;`, with quoted parts opened, comments left out and the space around trimmed,
    // but not the space inside of quotes.
    std::string bare_text() {
        std::string text;
        std::size_t kept = 0;
        while (more() && raw_[at_] != ';') {
            if (raw_[at_] == '"') {
                quoted(text);
                kept = text.size();
            } else if (raw_[at_] == '(' && (at_ == 0 || is_blank(raw_[at_ - 1]))) {
                comment();
            } else if (text.empty() && is_blank(raw_[at_])) {
                ++at_;
            } else {
                text += raw_[at_++];
            }
        }
        while (text.size() > kept && is_blank(text.back())) text.pop_back();
        return text;
    }

    void piece() {
        const auto start = at_;
        while (more() && raw_[at_] != ';' && raw_[at_] != '=') ++at_;
        auto name = ascii_lower(trim(raw_.substr(start, at_ - start)));
        if (!more() || raw_[at_] == ';') {
            if (!name.empty()) add_defect(result_.defects, "parameter-without-value", name);
            return;
        }
        ++at_;
        auto value = bare_text();
        if (pieces_.size() >= parameter_pieces_max) {
            add_defect(result_.defects, "too-many-parameters", name);
            at_ = raw_.size();
            return;
        }
        pieces_.push_back(marked(std::move(name), std::move(value)));
    }

    // RFC 2231: `name*`, `name*0`, `name*0*`.
    static Piece marked(std::string name, std::string value) {
        Piece piece{.name = std::move(name), .value = std::move(value)};
        if (piece.name.ends_with('*')) {
            piece.name.pop_back();
            piece.extended = true;
        }
        const auto star = piece.name.rfind('*');
        if (star == piece.name.npos || star + 1 == piece.name.size()) return piece;
        const auto digits = std::string_view(piece.name).substr(star + 1);
        std::size_t section = 0;
        for (const char c : digits) {
            if (c < '0' || c > '9' || section > section_max) return piece;
            section = section * 10 + static_cast<std::size_t>(c - '0');
        }
        piece.section = section;
        piece.continued = true;
        piece.name.resize(star);
        return piece;
    }

    static int hex_value(char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        return -1;
    }

    static std::string percent_decoded(std::string_view text) {
        std::string bytes;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                hex_value(text[i + 2]) >= 0) {
                bytes += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
                i += 2;
            } else {
                bytes += text[i];
            }
        }
        return bytes;
    }

    // Takes `charset'language'` from the front.
    static std::string take_charset(std::string_view& value) {
        const auto first = value.find('\'');
        const auto second = first == value.npos ? first : value.find('\'', first + 1);
        if (second == value.npos) return {};
        std::string charset(value.substr(0, first));
        value.remove_prefix(second + 1);
        return charset;
    }

    void join() {
        // Extended ones first, so that they win; then by section; otherwise as written.
        std::ranges::stable_sort(pieces_, [](const Piece& a, const Piece& b) {
            const auto rank = [](const Piece& p) { return p.extended || p.continued ? 0 : 1; };
            return std::pair(rank(a), a.section) < std::pair(rank(b), b.section);
        });
        for (auto& piece : pieces_) {
            if (result_.find(piece.name)) continue;
            if (result_.parameters.size() >= parameters_max) {
                add_defect(result_.defects, "too-many-parameters", piece.name);
                return;
            }
            add(piece);
        }
    }

    void add(const Piece& first) {
        if (!first.extended && !first.continued) {
            add_text(first.name, decode_header_text(first.value));
            return;
        }
        std::string bytes, charset;
        std::size_t expected = first.section;
        for (const auto& piece : pieces_) {
            if (piece.name != first.name || piece.continued != first.continued) continue;
            if (!first.continued && &piece != &first) continue;
            if (piece.section != expected) continue;  // A gap or a repetition.
            std::string_view value = piece.value;
            if (piece.extended && piece.section == first.section) charset = take_charset(value);
            bytes += piece.extended ? percent_decoded(value) : std::string(value);
            ++expected;
        }
        auto converted = to_utf8(bytes, charset);
        if (converted.label_unknown) add_defect(result_.defects, "unknown-charset", charset);
        if (converted.replaced > 0) {
            add_defect(result_.defects, "invalid-characters", first.name);
        }
        for (char& c : converted.text) {
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
        }
        result_.parameters.push_back({first.name, std::move(converted.text)});
    }

    void add_text(const std::string& name, HeaderText decoded) {
        for (const auto& defect : decoded.defects) {
            add_defect(result_.defects, defect.kind, defect.detail);
        }
        result_.parameters.push_back({name, std::move(decoded.text)});
    }

    std::string_view raw_;
    std::size_t at_ = 0;
    bool quotes_are_broken_ = false;  // One has no end, so none is looked for again.
    bool comments_are_broken_ = false;
    std::vector<Piece> pieces_;
    ParameterizedValue result_;
};

}  // namespace

const std::string* ParameterizedValue::find(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    return found == parameters.end() ? nullptr : &found->value;
}

ParameterizedValue parse_parameterized(std::string_view raw) { return Reader(raw).read(); }

}  // namespace mailroom::mime
