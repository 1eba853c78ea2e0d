// Fields with parameters, such as Content-Type and Content-Disposition (RFC 2045, RFC 2231).
#pragma once

#include "mime/defect.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct Parameter {
    std::string name;   // Lower case.
    std::string value;  // UTF-8 without control characters.
};

struct ParameterizedValue {
    std::string value;  // Lower case: `text/plain`, `attachment`. May be empty.
    std::vector<Parameter> parameters;
    Defects defects;

    // The value of the parameter of that name (in lower case), or null.
    const std::string* find(std::string_view name) const;
};

constexpr std::size_t parameters_max = 100;         // Real mail has ten.
constexpr std::size_t parameter_pieces_max = 1000;  // A long file name comes in a dozen.

// Such a field as it arrives. Continuations (`name*0`, in any order) are joined, percent-encoded
// text is decoded by its charset and wins over a plain parameter of the same name; encoded words,
// which RFC 2047 forbids here, are decoded too. Of equal names the first stays. Linear time.
ParameterizedValue parse_parameterized(std::string_view raw);

}  // namespace mailroom::mime
