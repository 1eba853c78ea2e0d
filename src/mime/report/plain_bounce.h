// Bounces in plain words, as mail servers without RFC 3464 write them.
#pragma once

#include "mime/read/part.h"
#include "mime/report/report.h"

#include <optional>
#include <string_view>

namespace mailroom::mime {

struct PlainBounce {
    Report report;
    std::string_view returned;  // The beginning of the returned mail within the text; may be empty.
};

// `text` is the text body, UTF-8 with LF; the result views it. None unless a mailer daemon sent the
// mail, it says so in a way we know, and it names a recipient.
std::optional<PlainBounce> read_plain_bounce(const Headers& headers, std::string_view text);

}  // namespace mailroom::mime
