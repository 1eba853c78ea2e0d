// What a report gives back of the mail that it reports on.
#pragma once

#include "mime/message_id.h"
#include "mime/read/part.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

// The headers of the returned mail, whole or not.
struct Original {
    std::unique_ptr<const std::string> bytes;  // What `headers` views; its place must not move.
    Headers headers;
};

// The first part that is a message (message/rfc822) or the headers of one (text/rfc822-headers),
// at any depth of the multiparts.
std::optional<Original> find_original(const Part& root, const ReadLimits& limits);

// The first part of that media type, at any depth of the multiparts; null when there is none.
const Part* find_part(const Part& root, std::string_view media_type);

// The id of the mail reported on: that of the returned mail, else what the report answers to.
std::optional<MessageId> original_message_id(const Part& root, const Original* original);

// The value of `name` on a line of its own in a text that holds headers.
std::optional<std::string> header_in_text(std::string_view text, std::string_view name);

// The address in a value such as `rfc822; ann@example.com` or `<ann@example.com>`, or none.
std::optional<std::string> address_in(std::string_view value);

}  // namespace mailroom::mime
