// A message as DKIM sees it: header fields and body, byte for byte. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::dkim {

struct HeaderField {
    std::string lower_name;
    std::string_view name;   // As written, without white space before the colon.
    std::string_view value;  // All after the colon, folded, without the CRLF at the end.
    std::string_view whole;  // Name, colon and value, without the CRLF at the end.
};

constexpr std::size_t header_fields_max = 2000;  // Those after are not looked at.

struct Message {
    std::vector<HeaderField> fields;
    std::string_view body;
};

// Views into `message`, whose lines must end with CRLF. Lines of the header that are no fields are
// left out.
Message split_message(std::string_view message);

// Picks the fields that a h= tag names (RFC 6376, 5.4.2): for a name that comes several times, from
// the last one upwards; null when there is none left. `names` in lower case.
std::vector<const HeaderField*> pick_fields(const Message& message,
                                            const std::vector<std::string>& names);

}  // namespace mailroom::mime::dkim
