#include "outbox/others/seed_payload.h"

#include "outbox/accept/request_fields.h"
#include "outbox/fetching/attachments.h"

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

AttachmentSource read_attachment(const json::View& value, const std::string& field,
                                 Faults& faults) {
    AttachmentSource made;
    if (value.type() != json::View::Type::object) {
        faults.keep(named_place(value, field), made);
        return made;
    }
    static constexpr std::array<std::string_view, 2> names = {"path", "name"};
    bool has_path = false;
    std::string filename;
    read_members(value, field, names, faults, [&](std::size_t index, const json::View& member) {
        const auto name = joined(field, names[index]);
        if (index == 1) return faults.keep(read_text(member, name, filename_bytes_max), filename);
        faults.keep(named_place(member, name), made);
        has_path = true;
    });
    if (!has_path) faults.add({field, "has no path"});
    made.filename = std::move(filename);
    return made;
}

std::vector<AttachmentSource> read_places(const json::View& value, Faults& faults) {
    std::vector<AttachmentSource> attachments;
    read_elements(value, "attachments", attachments_max, faults,
                  [&](const json::View& element, const std::string& field) {
                      attachments.push_back(read_attachment(element, field, faults));
                  });
    return attachments;
}

// An empty body is none.
Parsed<std::optional<std::string>> read_body(const json::View& value, std::string_view field) {
    auto text = TRY(read_text(value, field, body_bytes_max));
    return text.empty() ? std::optional<std::string>() : std::optional(std::move(text));
}

void read_member(Member member, const json::View& value, Request& request, Faults& faults) {
    switch (member) {
        case member_id:
            break;  // The row's is the one that counts.
        case member_from:
            return faults.keep(read_mailbox(value, "from"), request.from);
        case member_reply_to:
            request.reply_to = read_mailboxes(value, "reply_to", reply_to_max, faults);
            break;
        case member_to:
            request.to = read_mailboxes(value, "to", recipients_max, faults);
            break;
        case member_subject:
            return faults.keep(read_text(value, "subject", subject_bytes_max), request.subject);
        case member_body_html:
            return faults.keep(read_body(value, "body_html"), request.html);
        case member_body_text:
            return faults.keep(read_body(value, "body_text"), request.text);
        case member_attachments:
            request.attachments = read_places(value, faults);
            break;
        case member_custom_headers:
            request.headers = read_headers(value, faults);
            break;
    }
}

void check_whole(const Request& request, bool has_from, Faults& faults) {
    if (!has_from) faults.add({"from", "is missing"});
    if (request.to.empty()) faults.add({"to", "must name at least one recipient"});
    if (request.subject.empty()) faults.add({"subject", "is missing"});
    if (!request.text && !request.html) {
        faults.add({"body_text", "is empty, and so is body_html"});
    }
}

mailroom::Answer<Request> read_of_seed(const json::View& object) {
    Request request;
    Faults faults;
    bool has_from = false;
    read_members(object, "", member_names, faults, [&](std::size_t index, const json::View& value) {
        has_from = has_from || index == member_from;
        read_member(static_cast<Member>(index), value, request, faults);
    });
    // What is wrong already is not missing, too.
    if (faults.count() == 0) check_whole(request, has_from, faults);
    if (faults.count() > 0) return mailroom::Refusal(faults.take());
    return request;
}

}  // namespace

mailroom::Answer<Request> parse_payload(const json::View& object, Time now) {
    return is_of_seed(object) ? read_of_seed(object) : parse_request(object, now);
}

}  // namespace mailroom::outbox
