// HTML as text that people can read.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

// The readable text of an HTML document or fragment, UTF-8 with LF line ends; not wrapped, and
// without a line end after the last line. Paragraphs stand apart by one empty line, list items have
// their marker or number, quotes begin with `> `, a link is followed by its target in angle
// brackets unless the text says the same, an image is its alternative text, the cells of a table
// row stand in one line, and the blank of `-- `, which begins a signature, is kept. What a reader
// would not see (style sheets, scripts, comments, hidden preview texts) is left out. `html` must be
// UTF-8; other bytes become U+FFFD. Never fails and takes linear time; what is beyond the limits of
// balance.h, or past 4 MiB of text, is cut off.
std::string html_to_text(std::string_view html);

// The same for a mail that came in. A quotation begins with `> ` only if a mail program made it: it
// says so, or `is_attribution` is true of the line above it. One of the writer's own is indented.
std::string mail_html_to_text(std::string_view html, bool (*is_attribution)(std::string_view line));

}  // namespace mailroom::mime
