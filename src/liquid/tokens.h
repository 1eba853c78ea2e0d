// The first pass over a template: plain text, {{ outputs }} and {% tags %}, white space trimmed.
#pragma once

#include "liquid/diagnostics.h"

#include <string_view>
#include <vector>

namespace mailroom::liquid {

struct Token {
    enum class Type { text, output, tag } type = Type::text;
    std::string_view source;   // All of it, delimiters included.
    std::string_view content;  // What to render, or what stands between the delimiters.
    std::string_view name;     // Of a tag.
    std::string_view arguments;
    bool trims_left = false;
    bool trims_right = false;
};

// Stops at the first error, which it reports. The tokens refer to `text`.
std::vector<Token> tokenize(std::string_view text, Diagnostics& diagnostics);

// The lines of a {% liquid %} tag, each a tag of its own.
std::vector<Token> tokenize_lines(std::string_view text, Diagnostics& diagnostics);

// How many bytes of blank space begin the text, and how many bytes of a name.
std::size_t leading_blanks(std::string_view text);
std::size_t leading_name(std::string_view text);

}  // namespace mailroom::liquid
