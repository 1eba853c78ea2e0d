#include "liquid/tokens.h"

#include "liquid/unicode.h"

namespace mailroom::liquid {

namespace {

constexpr std::size_t delimiter_bytes = 2;

bool is_blank(char32_t code) {
    if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
    return code == 0x180e || (code != 0xfeff && is_space(code));
}

bool is_name_part(char32_t code) {
    if (code < 0x80) {
        return (code >= '0' && code <= '9') || ((code | 0x20) >= 'a' && (code | 0x20) <= 'z') ||
               code == '_' || code == '-' || code == '?';
    }
    return code != 0x201c && code != 0x201d && !is_blank(code);
}

std::size_t leading(std::string_view text, bool (*matches)(char32_t)) {
    std::size_t at = 0;
    while (at < text.size()) {
        const auto character = first_character(text.substr(at));
        if (!matches(character.code)) break;
        at += character.bytes;
    }
    return at;
}

std::size_t trailing_blanks(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size()) {
        const auto character = last_character(text.substr(0, text.size() - count));
        if (!is_blank(character.code)) break;
        count += character.bytes;
    }
    return count;
}

std::string_view without_blanks(std::string_view text) {
    text.remove_prefix(leading_blanks(text));
    text.remove_suffix(trailing_blanks(text));
    return text;
}

// The end of a quoted text that begins at `at`, or of everything when it is not closed.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == quote) {
            return at + 1;
        }
    }
    return text.size();
}

// One past the closing braces of an output that begins at 0.
std::size_t find_output_end(std::string_view text) {
    for (std::size_t at = delimiter_bytes; at < text.size();) {
        if (text[at] == '"' || text[at] == '\'') {
            at = skip_quoted(text, at);
        } else if (text.substr(at, delimiter_bytes) == "}}") {
            return at + delimiter_bytes;
        } else {
            ++at;
        }
    }
    return std::string_view::npos;
}

std::size_t find_tag_end(std::string_view text) {
    const auto end = text.find("%}", delimiter_bytes);
    return end == text.npos ? end : end + delimiter_bytes;
}

void name_tag(Token& token, Diagnostics& diagnostics) {
    auto rest = token.content;
    const auto name_bytes = rest.starts_with('#') ? 1 : leading_name(rest);
    if (name_bytes == 0) return diagnostics.report("a tag must begin with a name", token.source);
    token.name = rest.substr(0, name_bytes);
    rest.remove_prefix(name_bytes);
    rest.remove_prefix(leading_blanks(rest));
    token.arguments = rest;
}

Token delimited(Token::Type type, std::string_view source, Diagnostics& diagnostics) {
    Token token{type, source, source.substr(delimiter_bytes), {}, {}, false, false};
    token.content.remove_suffix(delimiter_bytes);
    token.trims_left = token.content.starts_with('-');
    token.trims_right = token.content.ends_with('-');
    if (token.trims_left) token.content.remove_prefix(1);
    if (token.trims_right && !token.content.empty()) token.content.remove_suffix(1);
    token.content = without_blanks(token.content);
    if (type == Token::Type::tag) name_tag(token, diagnostics);
    return token;
}

// Where the tag that ends a raw block begins, or npos.
std::size_t find_end_raw(std::string_view text) {
    for (auto at = text.find("{%"); at != text.npos; at = text.find("{%", at + 1)) {
        auto inside = text.substr(at + delimiter_bytes);
        if (inside.starts_with('-')) inside.remove_prefix(1);
        inside.remove_prefix(leading_blanks(inside));
        auto name = inside.substr(0, leading_name(inside));
        if (name.ends_with('-')) name.remove_suffix(1);
        if (name != "endraw") continue;
        const auto before_next = inside.substr(0, inside.find("{%"));
        if (before_next.find("%}") != before_next.npos) return at;
    }
    return text.npos;
}

void trim_texts(std::vector<Token>& tokens) {
    bool in_raw = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        auto& token = tokens[i];
        if (token.type == Token::Type::text) continue;
        if (!in_raw && token.trims_left && i > 0 && tokens[i - 1].type == Token::Type::text) {
            auto& text = tokens[i - 1].content;
            text.remove_suffix(trailing_blanks(text));
        }
        if (token.name == "raw") in_raw = true;
        if (token.name == "endraw") in_raw = false;
        if (!in_raw && token.trims_right && i + 1 < tokens.size() &&
            tokens[i + 1].type == Token::Type::text) {
            auto& text = tokens[i + 1].content;
            text.remove_prefix(leading_blanks(text));
        }
    }
}

class Tokenizer {
public:
    Tokenizer(std::string_view text, Diagnostics& diagnostics)
        : rest_(text), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        while (!rest_.empty() && !diagnostics_.failed()) {
            if (rest_.starts_with("{%")) {
                read_delimited(Token::Type::tag, find_tag_end(rest_));
            } else if (rest_.starts_with("{{")) {
                read_delimited(Token::Type::output, find_output_end(rest_));
            } else {
                read_text(next_delimiter());
            }
        }
        trim_texts(tokens_);
        return std::move(tokens_);
    }

private:
    std::size_t next_delimiter() const {
        for (auto at = rest_.find('{'); at != rest_.npos; at = rest_.find('{', at + 1)) {
            const auto next = rest_.substr(at + 1, 1);
            if (next == "%" || next == "{") return at;
        }
        return rest_.size();
    }

    void read_text(std::size_t bytes) {
        const auto text = rest_.substr(0, bytes);
        if (!text.empty()) tokens_.push_back({Token::Type::text, text, text, {}, {}, false, false});
        rest_.remove_prefix(bytes);
    }

    void read_delimited(Token::Type type, std::size_t bytes) {
        if (bytes == rest_.npos) {
            const bool is_tag = type == Token::Type::tag;
            return diagnostics_.report(is_tag ? "tag is not closed" : "output is not closed",
                                       rest_);
        }
        const auto source = rest_.substr(0, bytes);
        tokens_.push_back(delimited(type, source, diagnostics_));
        rest_.remove_prefix(bytes);
        if (tokens_.back().name == "raw") read_raw(source);
    }

    void read_raw(std::string_view opening) {
        const auto end = find_end_raw(rest_);
        if (end == rest_.npos) return diagnostics_.report("raw is not closed", opening);
        read_text(end);
    }

    std::string_view rest_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics) {
    return Tokenizer(text, diagnostics).run();
}

std::vector<Token> tokenize_lines(std::string_view text, Diagnostics& diagnostics) {
    std::vector<Token> tokens;
    while (!diagnostics.failed()) {
        text.remove_prefix(leading_blanks(text));
        if (text.empty()) break;
        const auto line_end = text.find('\n');
        const auto line = text.substr(0, line_end == text.npos ? line_end : line_end + 1);
        Token token{Token::Type::tag, line, without_blanks(line), {}, {}, false, false};
        name_tag(token, diagnostics);
        tokens.push_back(token);
        text.remove_prefix(line.size());
    }
    return tokens;
}

std::size_t leading_blanks(std::string_view text) { return leading(text, is_blank); }

std::size_t leading_name(std::string_view text) { return leading(text, is_name_part); }

}  // namespace mailroom::liquid
