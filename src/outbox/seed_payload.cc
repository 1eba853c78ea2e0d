#include "outbox/seed_payload.h"

#include "outbox/attachments.h"
#include "outbox/request_fields.h"

#include <array>

namespace mailroom::outbox {

namespace {

enum Member : std::size_t {
    member_id,
    member_from,
    member_reply_to,
    member_to,
    member_subject,
    member_body_html,
    member_body_text,
    member_attachments,
    member_custom_headers,
};
// In the order of Member.
constexpr std::array<std::string_view, 9> member_names = {
    "id",        "from",        "reply_to",      "to", "subject", "body_html",
    "body_text", "attachments", "custom_headers"};

constexpr std::size_t body_bytes_max = 40 * 1024 * 1024;  // What a whole message may have.

// Programs of the seed always write both bodies, empty or not.
bool is_of_seed(const json::View& object) {
    return object.type() == json::View::Type::object &&
           (object.find("body_html") || object.find("body_text"));
}

Parsed<AttachmentSource> named_place(const json::View& value, const std::string& field) {
    AttachmentSource made;
    const auto text = TRY(read_text(value, field, path_bytes_max));
    if (text.starts_with("http://") || text.starts_with("https://")) {
        made.kind = AttachmentSource::Kind::url;
        made.value = TRY(read_url(value, field));
        return made;
    }
    made.kind = AttachmentSource::Kind::path;
    made.value = text;
    const auto path = confined_path(made.value);
    if (!path) return BadField{field, path.error().message};
    return made;
}

Parsed<AttachmentSource> read_attachment(const json::View& value, const std::string& field) {
    if (value.type() != json::View::Type::object) return named_place(value, field);
    static constexpr std::array<std::string_view, 2> names = {"path", "name"};
    AttachmentSource made;
    bool has_path = false;
    std::string filename;
    const auto read = [&](std::size_t index, const json::View& member) -> Parsed<> {
        const auto name = joined(field, names[index]);
        if (index == 1) {
            filename = TRY(read_text(member, name, filename_bytes_max));
            return Ok{};
        }
        made = TRY(named_place(member, name));
        has_path = true;
        return Ok{};
    };
    TRY(read_members(value, field, names, read));
    if (!has_path) return BadField{field, "has no path"};
    made.filename = std::move(filename);
    return made;
}

Parsed<std::vector<AttachmentSource>> read_places(const json::View& value) {
    TRY(require(value, json::View::Type::list, "attachments"));
    std::vector<AttachmentSource> attachments;
    json::Elements elements(value);
    for (json::View element; elements.next(element);) {
        if (attachments.size() == attachments_max) {
            return BadField{"attachments",
                            "has more than " + std::to_string(attachments_max) + " elements"};
        }
        attachments.push_back(
            TRY(read_attachment(element, indexed("attachments", attachments.size()))));
    }
    return attachments;
}

// An empty body is none.
Parsed<std::optional<std::string>> read_body(const json::View& value, std::string_view field) {
    auto text = TRY(read_text(value, field, body_bytes_max));
    return text.empty() ? std::optional<std::string>() : std::optional(std::move(text));
}

Parsed<> read_member(Member member, const json::View& value, Request& request) {
    switch (member) {
        case member_id:
            break;  // The row's is the one that counts.
        case member_from:
            request.from = TRY(read_mailbox(value, "from"));
            break;
        case member_reply_to:
            request.reply_to = TRY(read_mailboxes(value, "reply_to", reply_to_max));
            break;
        case member_to:
            request.to = TRY(read_mailboxes(value, "to", recipients_max));
            break;
        case member_subject:
            request.subject = TRY(read_text(value, "subject", subject_bytes_max));
            break;
        case member_body_html:
            request.html = TRY(read_body(value, "body_html"));
            break;
        case member_body_text:
            request.text = TRY(read_body(value, "body_text"));
            break;
        case member_attachments:
            request.attachments = TRY(read_places(value));
            break;
        case member_custom_headers:
            request.headers = TRY(read_headers(value));
            break;
    }
    return Ok{};
}

Parsed<Request> read_of_seed(const json::View& object) {
    Request request;
    bool has_from = false;
    TRY(read_members(object, "", member_names, [&](std::size_t index, const json::View& value) {
        has_from = has_from || index == member_from;
        return read_member(static_cast<Member>(index), value, request);
    }));
    if (!has_from) return BadField{"from", "is missing"};
    if (request.to.empty()) return BadField{"to", "must name at least one recipient"};
    if (request.subject.empty()) return BadField{"subject", "is missing"};
    if (!request.text && !request.html) {
        return BadField{"body_text", "is empty, and so is body_html"};
    }
    return request;
}

}  // namespace

Result<Request, BadField> parse_payload(const json::View& object, Time now) {
    return is_of_seed(object) ? read_of_seed(object) : parse_request(object, now);
}

}  // namespace mailroom::outbox
