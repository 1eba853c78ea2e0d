// Puts rules of style sheets into the style attributes of the elements that they match, for mail
// programs that drop style sheets; and sets attributes by selector. Private to this folder.
#pragma once

#include "mjml/failure.h"
#include "mjml/head.h"
#include "mjml/warnings.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mjml {

// For each of mj-style inline="inline". The stronger rule wins as in a browser, an element's own
// style over all that is not important. Tables and images get the attributes that stand for their
// sizes, colors and alignment, too. What is written may not be longer than `bytes_max`.
Result<std::string, Failure> with_inlined_styles(std::string html, const Head& head,
                                                 Warnings& warnings, std::size_t bytes_max);

// For each selector of mj-html-attributes.
Result<std::string, Failure> with_html_attributes(std::string html, const Head& head,
                                                  Warnings& warnings, std::size_t bytes_max);

}  // namespace mailroom::mjml
