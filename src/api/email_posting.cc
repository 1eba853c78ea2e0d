#include "api/email_posting.h"

#include "api/json_slices.h"
#include "base/text.h"
#include "mime/address.h"

#include <utility>
#include <vector>

namespace mailroom::api {

namespace {

using outbox::Refusal;
using Type = json::View::Type;

constexpr const char* full_retry_seconds = "30";  // Mails leave by the thousand in this time.

struct Told {
    int status;
    std::string_view code;
    std::string message;
};

Told told(const Refusal& refusal, const std::string& prefix) {
    switch (refusal.kind) {
        case Refusal::Kind::bad_field:
            return {400, "invalid", prefix + refusal.field + " " + refusal.message};
        case Refusal::Kind::duplicate:
            return {409, "conflict", refusal.message};
        case Refusal::Kind::full:
            return {429, "throttled", refusal.message};
        case Refusal::Kind::condition:
        case Refusal::Kind::storage:
            break;
    }
    return {503, "unavailable", refusal.message};
}

void write_field(json::Writer& writer, const Refusal& refusal, const std::string& prefix) {
    if (refusal.kind != Refusal::Kind::bad_field) return;
    write_text(writer, "field", prefix + refusal.field);
    write_text(writer, "reason", refusal.message);
}

Response with_retry_after(Response response) {
    if (response.status == 429) response.headers.emplace_back("Retry-After", full_retry_seconds);
    if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
    return response;
}

Response refusal_response(const Refusal& refusal) {
    const auto [status, code, message] = told(refusal, "");
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    write_field(writer, refusal, "");
    writer.close_object();
    return with_retry_after(error_response(status, code, message, details));
}

void write_accepted(json::Writer& writer, const outbox::Accepted& accepted) {
    writer.open_object();
    writer.key("id").text(accepted.id);
    writer.key("state").text(name_of(accepted.state));
    writer.close_object();
}

Response accepted_response(const outbox::Accepted& accepted) {
    std::string body;
    json::Writer writer(body);
    write_accepted(writer, accepted);
    return json_response(202, std::move(body));
}

struct Posting {
    const Call& call;
    outbox::Outbox& outbox;
    Time now;
    std::optional<std::string> idempotency_value;
};

// The id of a mail whose request has none.
std::optional<std::string> id_for(const Call& call, const std::optional<std::string>& value,
                                  std::size_t index) {
    if (!value) return std::nullopt;
    return outbox::mail_id_for({"api:" + call.key.id + ":" + *value + ":" + std::to_string(index)});
}

struct Batch {
    std::vector<outbox::Outbox::Item> items;
    std::string prefix;  // Of fields: "emails" or nothing.

    std::string field_prefix(std::size_t index) const {
        return prefix + "[" + std::to_string(index) + "].";
    }
};

using Refused = std::pair<std::size_t, Refusal>;  // By index.

// All that is wrong; its first decides the status.
Response batch_refusal(const Batch& batch, const std::vector<Refused>& refused) {
    const auto& [first_index, first] = refused.front();
    const auto first_prefix = batch.field_prefix(first_index);
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    write_field(writer, first, first_prefix);
    writer.key("errors").open_list();
    for (const auto& [index, refusal] : refused) {
        const auto prefix = batch.field_prefix(index);
        const auto [status, code, message] = told(refusal, prefix);
        writer.open_object().key("index").integer(static_cast<std::int64_t>(index));
        writer.key("code").text(code);
        write_text(writer, "message", message);
        write_field(writer, refusal, prefix);
        writer.close_object();
    }
    writer.close_list().close_object();
    const auto [status, code, message] = told(first, first_prefix);
    return with_retry_after(error_response(status, code, message, details));
}

void write_refused(json::Writer& writer, const Batch& batch, std::size_t index,
                   const Refusal& refusal) {
    const auto prefix = batch.field_prefix(index);
    const auto [status, code, message] = told(refusal, prefix);
    writer.open_object().key("error").open_object().key("code").text(code);
    write_text(writer, "message", message);
    writer.key("details").open_object();
    write_field(writer, refusal, prefix);
    writer.close_object().close_object();
    writer.key("index").integer(static_cast<std::int64_t>(index)).close_object();
}

Response batch_response(const Batch& batch,
                        const std::vector<Result<outbox::Accepted, Refusal>>& results) {
    std::vector<Refused> refused;
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("results").open_list();
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i]) {
            write_accepted(writer, *results[i]);
        } else {
            write_refused(writer, batch, i, results[i].error());
            refused.emplace_back(i, results[i].error());
        }
    }
    writer.close_list().close_object();
    if (refused.size() == results.size()) return batch_refusal(batch, refused);
    return json_response(202, std::move(body));
}

Response response_of(const Result<outbox::Accepted, Refusal>& accepted) {
    return accepted ? accepted_response(*accepted) : refusal_response(accepted.error());
}

outbox::Outbox::Also kept_with(const std::optional<Once>& once) {
    if (!once) return nullptr;
    return [once](schedule::Transaction& together, const outbox::Mail& mail) {
        once->keep_with(together, accepted_response({mail.id, mail.state}));
    };
}

outbox::Outbox::AcceptDone told_later(const std::optional<Once>& once, const Router::Later& later) {
    return [later, is_once = once.has_value()](const Result<outbox::Accepted, Refusal>& accepted) {
        using Kind = Refusal::Kind;
        const auto refused = accepted ? std::nullopt : std::optional(accepted.error().kind);
        const bool is_to_be_kept = is_once && refused == Kind::bad_field;
        if (refused == Kind::condition || is_to_be_kept) return later(Router::MustWait{});
        later(response_of(accepted));
    };
}

Response post_one(const Posting& posting, const json::View& mail) {
    const auto& [call, outbox, now, value] = posting;
    auto request = outbox::parse_request(mail, now);
    if (!request) return bad_field_response(request.error().field, request.error().why);
    if (!request->id) request->id = id_for(call, value, 0);
    return response_of(outbox.accept(*request, call.request().body));
}

Response post_batch(const Posting& posting, const json::View& list, std::string_view list_text,
                    std::string prefix) {
    const auto& [call, outbox, now, value] = posting;
    const auto texts = child_texts(list_text);
    if (texts.empty() || texts.size() > batch_mails_max) {
        return bad_field_response(prefix.empty() ? "the list" : prefix,
                                  "must hold 1 to " + std::to_string(batch_mails_max) + " mails");
    }
    Batch batch{{}, std::move(prefix)};
    std::vector<Refused> refused;
    json::Elements elements(list);
    json::View mail;
    for (std::size_t i = 0; elements.next(mail); ++i) {
        auto request = outbox::parse_request(mail, now);
        if (!request) {
            auto& bad = request.error();
            refused.emplace_back(i, Refusal{Refusal::Kind::bad_field, bad.field, bad.why});
            continue;
        }
        if (!request->id) request->id = id_for(call, value, i);
        batch.items.push_back({*std::move(request), std::string(texts[i])});
    }
    if (!refused.empty()) return batch_refusal(batch, refused);
    return batch_response(batch, outbox.accept_all(batch.items));
}

// The list of {"emails":[…]} and its text.
Response post_wrapped(const Posting& posting, const json::View& object) {
    json::Members members(object);
    std::string_view name;
    json::View list;
    std::size_t count = 0;
    while (members.next(name, list)) {
        if (name != "emails") return bad_field_response(name, "is not known beside emails");
        if (++count > 1) return bad_field_response(name, "is there twice");
        if (list.type() != Type::list) return bad_field_response(name, "must be a list");
    }
    const auto text = child_texts(posting.call.request().body).front();
    return post_batch(posting, *object.find("emails"), text, "emails");
}

bool is_list(const json::View& body) {
    return body.type() == Type::list || (body.type() == Type::object && body.find("emails"));
}

Response no_mail() {
    return error_response(400, "invalid", "the body must be a mail or a list of mails");
}

bool is_message_type(const Request& request) {
    const auto* header = request.header("Content-Type");
    if (!header) return true;
    const std::string_view text = *header;
    return ascii_equal_ignoring_case(trim(text.substr(0, text.find(';'))), "message/rfc822");
}

struct RawWishes {
    outbox::RawMail mail;
    outbox::Stream stream = outbox::Stream::transactional;
};

Result<RawWishes, Response> raw_wishes(const Call& call) {
    if (!is_message_type(call.request())) {
        return error_response(415, "unsupported_media_type",
                              "send the message with Content-Type: message/rfc822");
    }
    if (call.request().body.empty()) return error_response(400, "invalid", "the body is empty");
    RawWishes wishes;
    for (const auto& [name, value] : call.routed.target.parameters) {
        if (name == "stream") {
            const auto stream = outbox::stream_named(value);
            if (!stream) return bad_field_response(name, "must be transactional or bulk");
            wishes.stream = *stream;
            continue;
        }
        if (name != "from" && name != "to") return bad_field_response(name, "is not known");
        const auto address = mime::parse_address(value);
        if (!address) return bad_field_response(name, "is no address: " + address.error().message);
        if (name == "from") wishes.mail.sender = address->address();
        if (name == "to") wishes.mail.recipients.push_back(address->address());
    }
    wishes.mail.message = call.request().body;
    return wishes;
}

}  // namespace

Response post_emails(const Call& call, outbox::Outbox& outbox, Time now,
                     const std::optional<std::string>& idempotency_value) {
    json::Parser parser;
    const auto body = json_body(call, parser);
    if (!body) return body.error();
    const Posting posting{call, outbox, now, idempotency_value};
    if (body->type() == Type::list) return post_batch(posting, *body, call.request().body, "");
    if (body->type() != Type::object) return no_mail();
    return is_list(*body) ? post_wrapped(posting, *body) : post_one(posting, *body);
}

Router::Start post_email_later(const Call& call, outbox::Outbox& outbox, Time now,
                               const std::optional<Once>& once, const Router::Later& later) {
    if (!outbox.accepts_quickly(call.request().body.size())) return Router::MustWait{};
    json::Parser parser;
    const auto body = json_body(call, parser);
    if (!body) return body.error();
    if (is_list(*body)) return Router::MustWait{};
    if (body->type() != Type::object) return no_mail();
    auto request = outbox::parse_request(*body, now);
    if (!request) return bad_field_response(request.error().field, request.error().why);
    outbox.accept(*request, call.request().body, told_later(once, later), kept_with(once));
    return Router::AnswersLater{};
}

Router::Start post_raw_email_later(const Call& call, outbox::Outbox& outbox,
                                   const std::optional<Once>& once, const Router::Later& later) {
    if (!outbox.accepts_quickly(call.request().body.size())) return Router::MustWait{};
    auto wishes = raw_wishes(call);
    if (!wishes) return std::move(wishes).error();
    outbox.accept_raw(std::move(wishes->mail), wishes->stream, told_later(once, later),
                      kept_with(once));
    return Router::AnswersLater{};
}

Response post_raw_email(const Call& call, outbox::Outbox& outbox,
                        const std::optional<std::string>& idempotency_value) {
    auto wishes = raw_wishes(call);
    if (!wishes) return std::move(wishes).error();
    const auto accepted = outbox.accept_raw(std::move(wishes->mail),
                                            id_for(call, idempotency_value, 0), wishes->stream);
    return response_of(accepted);
}

}  // namespace mailroom::api
