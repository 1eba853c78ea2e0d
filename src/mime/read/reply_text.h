// What the sender of a mail wrote anew, apart from what was quoted and from the signature.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

struct ReplyText {
    std::string new_content;  // Trimmed, at most one empty line in a row.
    std::string quoted;       // Lines of earlier mails with their attributions; may be empty.
    std::string signature;    // What follows `-- `, or `Sent from my phone`; may be empty.
};

// `body` is UTF-8 with LF line ends.
//
// - Lines that begin with `>` (after blanks) are quoted, one by one.
// - An attribution (`On … wrote:` in several languages, over up to three lines) goes with the `>`
//   lines after it, or when nothing comes after it.
// - `--- Original Message ---`, the From/Sent/To/Subject block of Outlook (both in several
//   languages) and a line of underscores quote everything from there on.
// - The line `-- ` begins a signature that ends at a quote or at the end; `Sent from …` and
//   `Get Outlook …` are signatures of one paragraph.
//
// When nothing would be left, new_content is the whole body: a mail always says something.
// Linear time.
ReplyText split_reply(std::string_view body);

}  // namespace mailroom::mime
