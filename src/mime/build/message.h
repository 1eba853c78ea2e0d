// A message to be sent, as a value.
#pragma once

#include "base/clock.h"
#include "mime/address.h"
#include "mime/message_id.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::mime {

struct HeaderField {
    std::string name;
    std::string value;  // UTF-8 on one line.
};

// An image that the HTML shows by `<img src="cid:CONTENT_ID">`.
struct InlineImage {
    std::string content_id;    // Without brackets and without `cid:`.
    std::string content_type;  // `image/png`.
    std::string content;
    std::string filename;  // May be empty.
};

struct Attachment {
    std::string filename;      // What stands before a last `/` or `\` is dropped. May be empty.
    std::string content_type;  // With parameters if need be; empty: application/octet-stream.
    std::string content;
};

struct Message {
    std::vector<Mailbox> from;  // At least one; several need a sender.
    std::optional<Mailbox> sender;
    std::vector<Mailbox> reply_to, to, cc;
    std::vector<Mailbox> bcc;  // Recipients that are never written into the message.
    std::string subject;       // Empty: no Subject field.
    Time date;
    MessageId message_id;
    std::vector<MessageId> in_reply_to;
    std::vector<MessageId> references;  // Of a long list the middle is dropped: trim_references().
    std::vector<HeaderField> headers;   // Others than those above, in order.
    std::optional<std::string> text;    // UTF-8, lines ending in LF or CRLF. None: made from html.
    std::optional<std::string> html;    // UTF-8.
    std::vector<InlineImage> inline_images;
    std::vector<Attachment> attachments;
};

// Everyone in to, cc and bcc, each address once (by canonical()), in order.
std::vector<Mailbox> envelope_recipients(const Message& message);

// Whether it can only travel with SMTPUTF8: a local part is not ASCII.
bool needs_smtputf8(const Message& message);

}  // namespace mailroom::mime
