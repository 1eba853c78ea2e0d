#include "outbox/accept/request.h"

#include "base/time_format.h"
#include "outbox/accept/request_fields.h"
#include "outbox/accept/request_members.h"

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
    member_engagement,
};
// In the order of Member.
constexpr auto member_names = member_names_of(request_members);

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

    mailroom::Answer<Request> read(const json::View& object) {
        const auto mail = require(object, json::View::Type::object, "the mail");
        if (!mail) return Refusal(mail.error());
        read_members(object, "", member_names, faults_,
                     [&](std::size_t index, const json::View& value) {
                         const auto faults = faults_.count();
                         read_member(static_cast<Member>(index), value);
                         given_ |= bit(index);
                         if (faults_.count() > faults) wrong_ |= bit(index);
                     });
        check_whole();
        if (faults_.count() > 0) return Refusal(faults_.take());
        return std::move(request_);
    }

private:
    using Refusal = mailroom::Refusal;

    static constexpr std::size_t bit(std::size_t index) { return std::size_t{1} << index; }
    template <class... Members>
    bool any_wrong(Members... members) const {
        return (wrong_ & (bit(members) | ...)) != 0;
    }

    void read_member(Member member, const json::View& value) {
        switch (member) {
            case member_id:
                return faults_.keep(read_id(value), request_.id);
            case member_from:
                return faults_.keep(read_mailbox(value, "from"), request_.from);
            case member_to:
                request_.to = read_mailboxes(value, "to", recipients_max, faults_);
                break;
            case member_cc:
                request_.cc = read_mailboxes(value, "cc", recipients_max, faults_);
                break;
            case member_bcc:
                request_.bcc = read_mailboxes(value, "bcc", recipients_max, faults_);
                break;
            case member_reply_to:
                request_.reply_to = read_mailboxes(value, "reply_to", reply_to_max, faults_);
                break;
            default:
                read_contents(member, value);
        }
    }

    void read_contents(Member member, const json::View& value) {
        switch (member) {
            case member_subject:
                return faults_.keep(read_text(value, "subject", subject_bytes_max),
                                    request_.subject);
            case member_text:
                return faults_.keep(read_text(value, "text", body_bytes_max), request_.text);
            case member_html:
                return faults_.keep(read_text(value, "html", body_bytes_max), request_.html);
            case member_template:
                request_.source = read_template(value, faults_);
                break;
            case member_data:
                return faults_.keep(read_object_text(value, "data", data_bytes_max), request_.data);
            case member_attachments:
                request_.attachments = read_attachments(value, faults_);
                break;
            case member_headers:
                request_.headers = read_headers(value, faults_);
                break;
            default:
                read_handling(member, value);
        }
    }

    void read_handling(Member member, const json::View& value) {
        switch (member) {
            case member_stream:
                return faults_.keep(read_stream(value), request_.stream);
            case member_send_at:
                return faults_.keep(read_send_at(value, now_), request_.send_at);
            case member_callback_url:
                return faults_.keep(read_url(value, "callback_url"), request_.callback_url);
            case member_tags:
                request_.tags = read_tags(value, faults_);
                break;
            case member_engagement:
                request_.engagement = read_engagement(value, faults_);
                break;
            default:
                faults_.keep(read_object_text(value, "metadata", metadata_bytes_max),
                             request_.metadata);
        }
    }

    // What is wrong already is not missing, too.
    void check_whole() {
        const auto& r = request_;
        if ((given_ & bit(member_from)) == 0) faults_.add({"from", "is missing"});
        check_recipients();
        const auto& source = r.source;
        if (r.subject.empty() && !(source && source->subject) &&
            !any_wrong(member_subject, member_template)) {
            faults_.add({"subject", "is missing"});
        }
        if (!r.text && !r.html && !(source && (source->text || source->html)) &&
            !any_wrong(member_text, member_html, member_template)) {
            faults_.add({"text", "is missing: give text, html or a template"});
        }
        if (!r.data.empty() && !source) {
            faults_.add({"data", "is of no use without a template"});
        }
    }

    void check_recipients() {
        if (any_wrong(member_to, member_cc, member_bcc)) return;
        const auto& r = request_;
        const auto recipients = r.to.size() + r.cc.size() + r.bcc.size();
        if (recipients == 0) faults_.add({"to", "must name at least one recipient"});
        if (recipients > recipients_max) {
            faults_.add({"to", "has, with cc and bcc, more than " + std::to_string(recipients_max) +
                                   " addresses"});
        }
        if (r.engagement && r.engagement->is_personal() && recipients > 1) {
            faults_.add(several_recipients());
        }
    }

    const Time now_;
    Request request_;
    Faults faults_;
    std::size_t given_ = 0, wrong_ = 0;  // A bit for each Member.
};

}  // namespace

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

mailroom::Answer<Request> parse_request(const json::View& object, Time now) {
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
