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
// - An attribution (`On … wrote:` in twenty languages, over up to three lines) goes with the `>`
//   lines after it; one with a date also when nothing comes after it. Those of Yahoo and Zoho, with
//   the second and the time zone, quote the rest where no line is marked.
// - `--- Original Message ---` and the From/Sent/To/Subject block of Outlook quote everything from
//   there on; when `>` marks what comes next, only themselves.
// - The line `-- ` begins a signature that ends at a quote or at the end. The footer of a mailing
//   list is one up to the next empty line, `Sent from my iPhone` is one
//   where nothing but a quote or a signature follows.
//
// What only may be a mark is none: a line is given away when a program wrote it, not when a person
// may have. When nothing would be left, new_content is the whole body: a mail always says
// something. Linear time.
ReplyText split_reply(std::string_view body);

}  // namespace mailroom::mime
