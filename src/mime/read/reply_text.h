// What the sender of a mail wrote anew, apart from what was quoted and from the signature.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

struct ReplyText {
    std::string new_content;  // Trimmed, at most one empty line in a row.
    std::string quoted;       // Lines of earlier mails with their attributions; may be empty.
    std::string signature;    // What follows `-- `, or `Sent from my iPhone`; may be empty.
};

// `body` is UTF-8 with LF line ends.
//
// - Lines that begin with `>` (after blanks) are quoted, one by one.
// - An attribution (`On … wrote:` in a dozen languages, over up to three lines) goes with the `>`
//   lines after it; one with a date also when nothing comes after it. Yahoo's, with the second and
//   the time zone, quotes the rest where no line is marked.
// - `--- Original Message ---` and the From/Sent/To/Subject block of Outlook quote everything from
//   there on, unless `>` marks what they quote.
// - The line `-- ` begins a signature that ends at a quote or at the end; so does the footer of a
//   mailing list. `Sent from my iPhone` is a signature of one line.
//
// What only may be a mark is none: a line is given away when a program wrote it, not when a person
// may have. When nothing would be left, new_content is the whole body: a mail always says
// something. Linear time.
ReplyText split_reply(std::string_view body);

}  // namespace mailroom::mime
