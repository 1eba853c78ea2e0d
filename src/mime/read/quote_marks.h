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

// How many lines Mailman's footer has, 0 if none begins here: a line of underscores, then `…
// mailing list` with the address of the list or the link to its page, and all up to an empty line.
std::size_t list_footer_lines(std::span<const std::string_view> lines);

}  // namespace mailroom::mime
