// Reads one start tag. Private to this folder.
#pragma once

#include "base/result.h"
#include "mjml/element.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mjml {

struct StartTag {
    std::string name;  // In lower case.
    AttributeList attributes;
    bool is_closed = false;  // By `/>`.
    std::size_t end = 0;     // Behind `>`.
};

class AttributeReader {
public:
    // At `at` there is `<` and a letter.
    AttributeReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    // A message where the tag cannot be understood.
    Result<StartTag, std::string> read();

private:
    Result<Ok, std::string> read_attribute(StartTag& tag);
    Result<std::string_view, std::string> read_value();
    std::string_view read_quoted(char quote);
    void skip_space();
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    std::string_view text_;
    std::size_t at_;
};

}  // namespace mailroom::mjml
