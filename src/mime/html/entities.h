// Character references of HTML: `&amp;`, `&#8364;` (section 13.2.5.72). Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime::html {

struct NamedReference {
    std::string_view name;  // Without the `&`, with the `;` if it needs one.
    std::string_view text;
};
// Sorted by name, byte by byte.
extern const NamedReference named_references[];
extern const std::size_t named_reference_count;

enum class Where { text, attribute };

// Appends `raw` as the tokeniser reads it: references replaced, line ends as LF. In attributes some
// references need their `;`. `raw` must be UTF-8 without NUL.
void append_decoded(std::string& out, std::string_view raw, Where where);

// Whether that would change anything.
inline bool needs_decoding(std::string_view raw) {
    return raw.find('&') != raw.npos || raw.find('\r') != raw.npos;
}

}  // namespace mailroom::mime::html
