#include "mime/html/references.h"

#include "base/text.h"
#include "mime/html/entities.h"
#include "mime/html/tag_scanner.h"

#include <optional>

namespace mailroom::mime {

namespace {

using html::TagScanner;
using html::Token;

// Of several of one name the first counts.
std::optional<std::string> attribute_of(const Token& token, std::string_view wanted) {
    for (const auto& [name, value] : token.attributes) {
        if (name != wanted) continue;
        std::string decoded;
        html::append_decoded(decoded, value, html::Where::attribute);
        return std::string(trim(decoded));
    }
    return std::nullopt;
}

// Whether a style says that of its element: "max-width" says nothing of the width.
bool says(std::string_view style, std::string_view property) {
    while (!style.empty()) {
        const auto end = style.find(';');
        const auto declaration = style.substr(0, end);
        const auto name = trim(declaration.substr(0, declaration.find(':')));
        if (ascii_equal_ignoring_case(name, property)) return true;
        style.remove_prefix(end == style.npos ? style.size() : end + 1);
    }
    return false;
}

bool has_size(const Token& token) {
    const auto style = attribute_of(token, "style").value_or("");
    const auto is_said = [&](std::string_view property) {
        return attribute_of(token, property).has_value() || says(style, property);
    };
    return is_said("width") && is_said("height");
}

}  // namespace

ReferencesInHtml references_in(std::string_view html) {
    ReferencesInHtml found;
    TagScanner scanner(html);
    Token token;
    for (scanner.next(token); token.kind != Token::Kind::end; scanner.next(token)) {
        if (token.kind != Token::Kind::start_tag) continue;
        const auto offset = static_cast<std::size_t>(token.text.data() - html.data());
        if (token.name == "a" || token.name == "area") {
            if (auto address = attribute_of(token, "href")) {
                found.links.push_back({*std::move(address), offset});
            }
        } else if (token.name == "img") {
            found.images.push_back(
                {attribute_of(token, "src").value_or(""), has_size(token), offset});
        }
        html::skip_content(scanner, token.name);
    }
    return found;
}

}  // namespace mailroom::mime
