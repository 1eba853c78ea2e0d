// Bytes in the charset that a mail names, or ought to have named, as UTF-8. Never fails: what
// cannot be read becomes U+FFFD. Thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

struct CharsetText {
    std::string text;            // Well-formed UTF-8.
    std::string_view charset;    // What was used; a constant such as `windows-1252`.
    std::size_t replaced = 0;    // Bytes that meant nothing and became U+FFFD.
    bool label_unknown = false;  // No charset of that name; UTF-8 or windows-1252 was guessed.
    bool label_wrong = false;    // The bytes were plainly something else, which was used instead.
};

// Names are taken as mail writes them: any case, `utf8`, `x-sjis`, `iso8859-1`, quotes around.
// `iso-8859-1` means windows-1252, `gb2312` means gb18030 and so on, as readers have it. An absent
// label (empty, `us-ascii`, `unknown-8bit`, `x-unknown`) is guessed without being called wrong.
CharsetText to_utf8(std::string_view bytes, std::string_view label);

// The name used for `label`, or none when it is unknown or stands for no charset at all.
std::optional<std::string_view> charset_name(std::string_view label);

}  // namespace mailroom::mime
