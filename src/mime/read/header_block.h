// The lines that mail programs put above an earlier mail: From, Sent, To and Subject.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mailroom::mime {

// How many lines such a block has that begins at the first line; 0 when none begins there. A rule
// of underscores or dashes, or the line `Begin forwarded message:`, right above it is a part of it.
//
// The fields follow one another, named in one of twenty languages and with a capital. One says
// when, with the time of day. An address must be there as well, unless all four fields are there,
// the second is Sent and not Date, and an empty line comes after: `From: Berlin`, `Date: 5 May`,
// `To: Paris` is a journey. `above`, the line before the first or nothing, must not end in a colon,
// as the line of a person does who pastes headers.
std::size_t header_block_lines(std::span<const std::string_view> lines, std::string_view above);

// How many of the lines are fields of a block with no need for proof: what comes below
// `-----Original Message-----`.
std::size_t leading_fields(std::span<const std::string_view> lines);

}  // namespace mailroom::mime
