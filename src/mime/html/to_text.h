// HTML as text that people can read.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

// The readable text of an HTML document or fragment, UTF-8 with LF line ends; not wrapped, and
// without a line end after the last line. Paragraphs stand apart by one empty line, list items have
// their marker or number, quotes begin with `> `, a link is followed by its target in angle
// brackets unless the text says the same, an image is its alternative text, the cells of a table
// row stand in one line. What a reader would not see (style sheets, scripts, comments, hidden
// preview texts) is left out. `html` must be UTF-8; other bytes become U+FFFD.
// Never fails and takes linear time; what is beyond the limits of balance.h, or past 4 MiB of text,
// is cut off.
std::string html_to_text(std::string_view html);

}  // namespace mailroom::mime
