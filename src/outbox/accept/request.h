// A mail as it is asked for.
//
//   { "id"?, "from", "to", "cc"?, "bcc"?, "reply_to"?, "subject", "text"?, "html"?,
//     "template"?: { "subject"?, "text"?, "html"? }, "data"?: {…},
//     "attachments"?: [{ "filename"?, "content_type"?, "content_id"?,
//                        "content" | "path" | "url" }],
//     "headers"?: {…}, "stream"?, "send_at"?, "callback_url"?, "tags"?: […], "metadata"?: {…},
//     "engagement"?: { "template_key"?, "sequence_id"?, "topic"?, "track_opens"?, "track_clicks"?,
//                      "unsubscribe"?, "utm"?: {…} } }
// Addresses are strings, "ann@example.com" or "Ann <ann@example.com>"; to, cc, bcc and reply_to
// also lists of them. A member that is null is as one that is not there.
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "json/json.h"
#include "mime/address.h"
#include "mime/build/message.h"
#include "outbox/mail/mail.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// to, cc and bcc together: what mime::build() takes.
constexpr std::size_t recipients_max = 1000;
constexpr std::size_t reply_to_max = 20;        // Nobody reads an answer in more places.
constexpr std::size_t subject_bytes_max = 998;  // One line (RFC 5322, 2.1.1), before it is folded.
constexpr std::size_t headers_max = 100;        // What mime::build() takes.
constexpr std::size_t attachments_max = 100;
constexpr std::size_t filename_bytes_max = 255;          // As file systems have it.
constexpr std::size_t path_bytes_max = 4096;             // Linux's own limit.
constexpr std::size_t template_bytes_max = 1024 * 1024;  // Each; what liquid compiles.
// Of the variables' JSON text: the message they end up in is not larger.
constexpr std::size_t data_bytes_max = 4 * 1024 * 1024;
constexpr std::size_t tags_max = 10;  // Tags become labels of counts: few and short.
constexpr std::size_t tag_bytes_max = 64;
constexpr std::size_t metadata_bytes_max = 8 * 1024;           // It travels with every callback.
constexpr auto send_ahead_max = std::chrono::hours(24 * 366);  // A year.

// The bytes are in the request, under the base directory, or behind a URL.
struct AttachmentSource {
    enum class Kind { content, path, url };
    Kind kind = Kind::content;
    std::string value;  // The decoded bytes, the path, or the URL.
    std::string filename, content_type;
    std::string content_id;  // Not empty: an image that the HTML shows.
};
std::string_view name_of(AttachmentSource::Kind kind);  // "content", …

// Liquid. What it leaves out is taken from the request itself.
struct TemplateSource {
    std::optional<std::string> subject, text, html;
};

struct Request {
    std::optional<std::string> id;
    mime::Mailbox from;
    std::vector<mime::Mailbox> to, cc, bcc, reply_to;
    std::string subject;
    std::optional<std::string> text, html;
    std::optional<TemplateSource> source;
    std::string data;  // The JSON text of the template's variables; empty: none.
    std::vector<AttachmentSource> attachments;
    std::vector<mime::HeaderField> headers;
    Stream stream = Stream::transactional;
    std::optional<Time> send_at;
    std::string callback_url;
    std::vector<std::string> tags;
    std::string metadata;  // The JSON text; empty: none.
    std::optional<Engagement> engagement;

    // Whether the message needs something that is not in the request.
    bool needs_fetching() const;
};

// Checks everything that can be known without looking anywhere else, except what compose() finds:
// templates that fail and what may not stand in a header. The refusal names all that is wrong;
// unknown members with the nearest known one. `now` is when the request was made.
mailroom::Answer<Request> parse_request(const json::View& object, Time now);

// What parse_request() would refuse about a request that was put together by a program.
std::optional<BadField> fault_of(const Request& request, Time now);
// A request without such faults as JSON text, from which parse_request() makes it again: what is
// kept of a mail that was added as a value.
std::string payload_of(const Request& request);

// A UUID in lower case, of any version.
bool is_mail_id(std::string_view text);

}  // namespace mailroom::outbox
