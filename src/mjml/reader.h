// Reads MJML as people write it: tags and attributes as in XML, and HTML as it comes in the
// elements that hold HTML. Private to this folder.
//
//   source  := liquid* element liquid*
//   element := '<' name attribute* '/>' | '<' name attribute* '>' content '</' name '>'
//   content := HTML up to its own end tag, or (element | liquid | comment)*
//
// Comments and Liquid between elements become mj-raw elements.
#pragma once

#include "mjml/element.h"
#include "mjml/failure.h"
#include "mjml/warnings.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mjml {

constexpr std::size_t depth_max = 30;         // MJML itself needs eight.
constexpr std::size_t elements_max = 10'000;  // In all.
constexpr std::size_t attributes_max = 60;    // Of one element; MJML has none with more than 40.

struct Source {
    Element root;
    std::string before, after;  // Liquid around the root, or between it and the body.
};

Result<Source, Failure> read_source(std::string_view text, Warnings& warnings);

}  // namespace mailroom::mjml
