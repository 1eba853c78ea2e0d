// The rules of a style sheet. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

struct Declaration {
    std::string name, value;
    bool is_important = false;  // `!important` is not part of the value.
};

struct CssRule {
    std::vector<std::string> selectors;
    std::vector<Declaration> declarations;
};

struct CssSheet {
    std::vector<CssRule> rules;
    std::vector<std::string> at_rules;  // The names of those that were passed over: "@media".
};

// Whatever is not understood is passed over, as in browsers. Takes linear time.
CssSheet parse_sheet(std::string_view css);

// Of a rule or a style attribute. A `;` in quotes, brackets or Liquid separates nothing.
std::vector<Declaration> parse_declarations(std::string_view text);

}  // namespace mailroom::mjml
