// How mail programs mark where an earlier mail begins. Each takes lines without their line ends.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mailroom::mime {

// `>` after blanks.
bool is_quoted_line(std::string_view line);

// How many lines, from the first on, are an attribution such as `On … wrote:`. 0 for none.
std::size_t attribution_lines(std::span<const std::string_view> lines);

// Does everything from the first line on belong to an earlier mail?
bool begins_quoted_tail(std::span<const std::string_view> lines);

// `Sent from my phone`, `Get Outlook for …`.
bool is_device_signature(std::string_view line);

}  // namespace mailroom::mime
