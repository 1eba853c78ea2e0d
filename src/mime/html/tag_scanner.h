// Splits HTML into text and tags as the tokeniser of the HTML standard does (section 13.2.5).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::html {

struct ScannedAttribute {
    std::string_view name;   // One of the vocabulary.
    std::string_view value;  // Character references are not decoded.
};

struct Token {
    enum class Kind { text, start_tag, end_tag, comment, end } kind = Kind::end;
    std::string name;       // Of a tag, in lower case.
    std::string_view text;  // All of it, as it stands.
    std::vector<ScannedAttribute> attributes;
    std::size_t dropped_attributes = 0;  // Unknown to the vocabulary, or too many.
};

class TagScanner {
public:
    // `html` must outlive this object and the tokens.
    explicit TagScanner(std::string_view html) : html_(html) {}

    // Overwrites `token`. A single `<` that begins no tag is a text of its own. A tag that the end
    // of the document cuts off is dropped.
    void next(Token& token);

    // After the start tag of `name`: everything up to its end tag, which is consumed.
    std::string_view raw_text(std::string_view name);

    // Everything that is left.
    std::string_view rest();

private:
    void read_tag(Token& token);
    bool read_attribute(Token& token);
    std::string_view read_value();
    void skip_declaration();
    void skip_space();
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < html_.size() ? html_[at_ + ahead] : '\0';
    }

    std::string_view html_;
    std::size_t at_ = 0;
};

// After the start tag of `name`: what is no markup, up to and with its end tag.
void skip_content(TagScanner& scanner, const std::string& name);

}  // namespace mailroom::mime::html
