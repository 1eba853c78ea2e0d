// What was understood of a mail, as JSON for people.
#pragma once

#include "mime/dkim/verify.h"
#include "mime/read/parse.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::mime {

// An object with: from, sender, reply_to, to, cc, bcc, subject, clean_subject, date, received,
// message_id, in_reply_to, references, is_reply, text, text_source, html, new_content, quoted,
// signature, attachments, automated, report, dkim, defects. What is absent is null; lists are never
// absent. `dkim` has an object for each signature; none when signatures were not looked at. Always
// valid JSON and UTF-8.
std::string describe(const ParsedMail& mail,
                     const std::optional<std::vector<dkim::Verdict>>& dkim = std::nullopt);

}  // namespace mailroom::mime
