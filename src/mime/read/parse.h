// Reads a mail as it arrived, whatever its state.
//
//   const auto mail = parse(bytes);
//   for (const auto& to : mail.to) std::cout << to.address();
//   std::cout << mail.new_content;
#pragma once

#include "base/clock.h"
#include "mime/address.h"
#include "mime/message_id.h"
#include "mime/read/automated.h"
#include "mime/read/body.h"
#include "mime/report/report.h"

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

// All text is UTF-8. Headers and attachments view the bytes of the mail, which must outlive it.
struct ParsedMail {
    std::vector<Mailbox> from;
    std::optional<Mailbox> sender;
    std::vector<Mailbox> reply_to, to, cc, bcc;

    std::string subject;           // Decoded; empty when there is none.
    std::string clean_subject;     // Without `Re:` and the like.
    std::optional<Time> date;      // What the sender says.
    std::optional<Time> received;  // What the newest Received header says.

    std::optional<MessageId> message_id;
    std::vector<MessageId> in_reply_to;
    std::vector<MessageId> references;
    bool is_reply = false;  // It answers some mail: In-Reply-To or References hold an id.

    std::string text;
    TextSource text_source = TextSource::none;
    std::optional<std::string> html;  // As it came: never show it without sanitising it.
    std::vector<ReceivedAttachment> attachments;

    std::string new_content;  // These three are of the text: see reply_text.h.
    std::string quoted;
    std::string signature;

    Automated automated;
    std::optional<Report> report;  // When it is a delivery or a complaint report.

    Part structure;  // The parts as they stand in the mail; its headers are those of the mail.
    Defects defects;

    const Headers& headers() const { return structure.headers; }
    // The first header of that name, decoded and on one line.
    std::optional<std::string> header(std::string_view name) const;

    // When the mail had to be rewritten to be read (CR for line ends): what the views view.
    std::unique_ptr<const std::string> rewritten;
};

// Never fails and takes linear time: what cannot be read is left out, and a defect says so.
ParsedMail parse(std::string_view bytes, const ReadLimits& limits = {});
// Views into a temporary would dangle.
template <class Bytes>
requires std::same_as<Bytes, std::string> ParsedMail parse(Bytes&&, const ReadLimits& = {})
= delete;

}  // namespace mailroom::mime
