#include "outbox/request.h"

#include "base/time_format.h"
#include "outbox/request_fields.h"

#include <algorithm>
#include <array>

namespace mailroom::outbox {

namespace {

enum Member : std::size_t {
    member_id,
    member_from,
    member_to,
    member_cc,
    member_bcc,
    member_reply_to,
    member_subject,
    member_text,
    member_html,
    member_template,
    member_data,
    member_attachments,
    member_headers,
    member_stream,
    member_send_at,
    member_callback_url,
    member_tags,
    member_metadata,
};
// In the order of Member.
constexpr std::array<std::string_view, 18> member_names = {
    "id",      "from",   "to",      "cc",           "bcc",  "reply_to",
    "subject", "text",   "html",    "template",     "data", "attachments",
    "headers", "stream", "send_at", "callback_url", "tags", "metadata"};

constexpr std::size_t uuid_chars = 36;
// What a whole message may have (mime::BuildOptions).
constexpr std::size_t body_bytes_max = 40 * 1024 * 1024;

Parsed<std::string> read_id(const json::View& value) {
    TRY(require(value, json::View::Type::text, "id"));
    if (!is_mail_id(value.text())) {
        return BadField{"id",
                        "must be a UUID in lower case, as 0c9b8f4e-2d3a-4f6b-9c1d-7e8f9a0b1c2d"};
    }
    return std::string(value.text());
}

Parsed<Stream> read_stream(const json::View& value) {
    TRY(require(value, json::View::Type::text, "stream"));
    const auto stream = stream_named(value.text());
    if (!stream) return BadField{"stream", "must be transactional or bulk"};
    return *stream;
}

Parsed<Time> read_send_at(const json::View& value, Time now) {
    TRY(require(value, json::View::Type::text, "send_at"));
    const auto time = parse_rfc3339(value.text());
    if (!time) return BadField{"send_at", "must be a time such as 2026-11-15T09:00:00Z"};
    if (*time > now + send_ahead_max) return BadField{"send_at", "is more than a year ahead"};
    return *time;
}

class Reader {
public:
    explicit Reader(Time now) : now_(now) {}

    Parsed<Request> read(const json::View& object) {
        TRY(require(object, json::View::Type::object, "the mail"));
        TRY(read_members(object, "", member_names, [&](std::size_t index, const json::View& value) {
            return read_member(static_cast<Member>(index), value);
        }));
        TRY(check_whole());
        return std::move(request_);
    }

private:
    Parsed<> read_member(Member member, const json::View& value) {
        switch (member) {
            case member_id:
                request_.id = TRY(read_id(value));
                break;
            case member_from:
                request_.from = TRY(read_mailbox(value, "from"));
                has_from_ = true;
                break;
            case member_to:
                request_.to = TRY(read_mailboxes(value, "to", recipients_max));
                break;
            case member_cc:
                request_.cc = TRY(read_mailboxes(value, "cc", recipients_max));
                break;
            case member_bcc:
                request_.bcc = TRY(read_mailboxes(value, "bcc", recipients_max));
                break;
            case member_reply_to:
                request_.reply_to = TRY(read_mailboxes(value, "reply_to", reply_to_max));
                break;
            default:
                return read_contents(member, value);
        }
        return Ok{};
    }

    Parsed<> read_contents(Member member, const json::View& value) {
        switch (member) {
            case member_subject:
                request_.subject = TRY(read_text(value, "subject", subject_bytes_max));
                break;
            case member_text:
                request_.text = TRY(read_text(value, "text", body_bytes_max));
                break;
            case member_html:
                request_.html = TRY(read_text(value, "html", body_bytes_max));
                break;
            case member_template:
                request_.source = TRY(read_template(value));
                break;
            case member_data:
                request_.data = TRY(read_object_text(value, "data", data_bytes_max));
                break;
            case member_attachments:
                request_.attachments = TRY(read_attachments(value));
                break;
            case member_headers:
                request_.headers = TRY(read_headers(value));
                break;
            default:
                return read_handling(member, value);
        }
        return Ok{};
    }

    Parsed<> read_handling(Member member, const json::View& value) {
        switch (member) {
            case member_stream:
                request_.stream = TRY(read_stream(value));
                break;
            case member_send_at:
                request_.send_at = TRY(read_send_at(value, now_));
                break;
            case member_callback_url:
                request_.callback_url = TRY(read_url(value, "callback_url"));
                break;
            case member_tags:
                request_.tags = TRY(read_tags(value));
                break;
            default:
                request_.metadata = TRY(read_object_text(value, "metadata", metadata_bytes_max));
                break;
        }
        return Ok{};
    }

    Parsed<> check_whole() const {
        const auto& r = request_;
        if (!has_from_) return BadField{"from", "is missing"};
        const auto recipients = r.to.size() + r.cc.size() + r.bcc.size();
        if (recipients == 0) return BadField{"to", "must name at least one recipient"};
        if (recipients > recipients_max) {
            return BadField{"to", "has, with cc and bcc, more than " +
                                      std::to_string(recipients_max) + " addresses"};
        }
        const auto& source = r.source;
        if (r.subject.empty() && !(source && source->subject)) {
            return BadField{"subject", "is missing"};
        }
        if (!r.text && !r.html && !(source && (source->text || source->html))) {
            return BadField{"text", "is missing: give text, html or a template"};
        }
        if (!r.data.empty() && !source) return BadField{"data", "is of no use without a template"};
        return Ok{};
    }

    const Time now_;
    Request request_;
    bool has_from_ = false;
};

}  // namespace

BadField::operator Error() const { return {Errc::invalid, field + " " + why}; }

std::string_view name_of(AttachmentSource::Kind kind) {
    switch (kind) {
        case AttachmentSource::Kind::content:
            return "content";
        case AttachmentSource::Kind::path:
            return "path";
        case AttachmentSource::Kind::url:
            break;
    }
    return "url";
}

bool Request::needs_fetching() const {
    return std::ranges::any_of(attachments, [](const AttachmentSource& attachment) {
        return attachment.kind != AttachmentSource::Kind::content;
    });
}

Result<Request, BadField> parse_request(const json::View& object, Time now) {
    return Reader(now).read(object);
}

bool is_mail_id(std::string_view text) {
    if (text.size() != uuid_chars) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (dash ? c != '-' : !digit) return false;
    }
    return true;
}

}  // namespace mailroom::outbox
