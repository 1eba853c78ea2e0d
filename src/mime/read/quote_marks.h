// How mail programs mark where an earlier mail begins. Each takes lines without their line ends,
// and is true only of what programs write: a line that a person may have meant is no mark.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mailroom::mime {

// `>` after blanks.
bool is_quoted_line(std::string_view line);

// One that may be no quote if none stands beside it: `>5 kg`, `>:(`.
bool is_doubtful_quoted_line(std::string_view line);

// `-----Original Message-----` and `---------- Forwarded message ---------`, in several languages.
bool is_original_message_line(std::string_view line);

// Does everything from the first line on belong to an earlier mail? The From, Sent, To and Subject
// lines of Outlook and its kin in several languages, or a line of underscores right before them.
bool begins_header_block(std::span<const std::string_view> lines);

// What Mailman puts below the mails of a list: a line of underscores, then `… mailing list`.
bool begins_list_footer(std::span<const std::string_view> lines);

}  // namespace mailroom::mime
