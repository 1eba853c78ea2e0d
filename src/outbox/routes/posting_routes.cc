#include "outbox/accept/request_members.h"
#include "outbox/routes/posting.h"
#include "outbox/routes/routes.h"
#include "outbox/routes/shown.h"

#include <span>
#include <utility>
#include <variant>

namespace mailroom::outbox {

namespace {

using program::Taken;
using table::asked;
using table::shown_or_omitted;

// One of a list: accepted, or refused.
struct PostedMail {
    std::optional<std::string> id;
    std::optional<State> state;
    std::optional<mailroom::Refusal> error;
    std::optional<std::int64_t> index;

    static constexpr std::string_view record_name = "PostedMail";
    static constexpr auto fields = std::tuple{
        shown_or_omitted("id", &PostedMail::id), shown_or_omitted("state", &PostedMail::state),
        shown_or_omitted("error", &PostedMail::error, "Why it was not accepted."),
        shown_or_omitted("index", &PostedMail::index, "Of one that was not accepted.")};
};
struct PostedMails {
    std::vector<PostedMail> results;

    static constexpr std::string_view record_name = "PostedMails";
    static constexpr auto fields =
        std::tuple{table::shown("results", &PostedMails::results, "One for each, in their order.")};
};

std::string schema_of(std::span<const RequestMember> members, std::string_view required) {
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("type").text("object").key("properties").open_object();
    for (const auto& member : members) {
        writer.key(member.name).open_object();
        // Its members, without the brackets.
        writer.value() += member.schema.substr(1, member.schema.size() - 2);
        if (!member.about.empty()) writer.key("description").text(member.about);
        writer.close_object();
    }
    writer.close_object();
    if (!required.empty()) writer.key("required").open_list().text(required).close_list();
    writer.key("additionalProperties").boolean(false).close_object();
    return text;
}

// A mail, a list of mails, or {"emails":[…]}.
struct NewMails {
    static constexpr auto fields = std::tuple<>{};

    static void refer(json::Writer& writer, table::Schemas& schemas, const char* name,
                      std::span<const RequestMember> members, std::string_view required) {
        writer.open_object();
        schemas.refer(writer, name, [&](table::Schemas&) { return schema_of(members, required); });
        writer.close_object();
    }
    static void describe_list(json::Writer& writer, table::Schemas& schemas) {
        writer.open_object().key("type").text("array").key("minItems").integer(1);
        writer.key("maxItems").integer(batch_mails_max).key("items");
        refer(writer, schemas, "NewMail", request_members, "from");
        writer.close_object();
    }
    static void describe_body(json::Writer& writer, table::Schemas& schemas) {
        // What the schema of a mail refers to.
        std::string unused;
        json::Writer parts(unused);
        refer(parts, schemas, "EmailTemplate", template_members, "");
        refer(parts, schemas, "NewAttachment", attachment_members, "");
        parts.open_object();
        table::Form<Engagement>::describe(parts, schemas);
        parts.close_object();
        writer.key("anyOf").open_list();
        refer(writer, schemas, "NewMail", request_members, "from");
        describe_list(writer, schemas);
        writer.open_object().key("type").text("object").key("properties").open_object();
        writer.key("emails");
        describe_list(writer, schemas);
        writer.close_object().key("required").open_list().text("emails").close_list();
        writer.key("additionalProperties").boolean(false).close_object().close_list();
    }
};

struct NewMessage {
    std::string from;
    std::vector<std::string> to;
    Stream stream = Stream::transactional;
    program::RawBody body;

    static constexpr const char* body_type = "message/rfc822";
    static constexpr auto fields = std::tuple{
        asked("from", &NewMessage::from, "Sender of the envelope; otherwise the address of From."),
        asked("to", &NewMessage::to,
              "Recipients of the envelope, repeated; otherwise those of To, Cc and Bcc."),
        asked("stream", &NewMessage::stream, "transactional unless given.")};
};

const std::vector<mailroom::Refusal::Kind> may_refuse = {mailroom::Refusal::Kind::conflict,
                                                         mailroom::Refusal::Kind::too_many};

void add_message_route(program::Api& api, const Desk& desk) {
    auto& route = api.declare<NewMessage, Taken<Accepted>>("POST", "/v1/emails/raw",
                                                           {.name = "send_message",
                                                            .scope = program::scope::send,
                                                            .summary = "Accept a finished message",
                                                            .once = program::Once::yes,
                                                            .refuses = may_refuse,
                                                            .body_bytes_max = mail_body_bytes_max},
                                                           program::Source::body);
    route.act = [&outbox = desk.outbox](const program::Asked& asked) {
        return post_message(asked, outbox);
    };
    route.start = [&outbox = desk.outbox](const program::Asked& asked, const program::Keep& keep,
                                          const program::Later& later) {
        return post_message_later(asked, outbox, keep, later);
    };
}

}  // namespace

void add_posting_routes(program::Api& api, const Desk& desk) {
    auto& route = api.declare<NewMails, std::variant<Taken<Accepted>, Taken<PostedMails>>>(
        "POST", "/v1/emails",
        {.name = "send_mails",
         .scope = program::scope::send,
         .summary = "Accept one mail, or up to 100",
         .more = "What is accepted is durable. When anything is wrong with the input, nothing is "
                 "stored. Of a list, mails may still be refused one by one (an id that is taken, a "
                 "template that fails); when none was accepted the status tells why.",
         .once = program::Once::yes,
         .refuses = may_refuse,
         .body_bytes_max = mail_body_bytes_max},
        program::Source::body);
    route.act = [&outbox = desk.outbox, &clock = desk.clock](const program::Asked& asked) {
        return post_mails(asked, outbox, clock.now());
    };
    route.start = [&outbox = desk.outbox, &clock = desk.clock](const program::Asked& asked,
                                                               const program::Keep& keep,
                                                               const program::Later& later) {
        return post_mail_later(asked, outbox, clock.now(), keep, later);
    };
    add_message_route(api, desk);
}

}  // namespace mailroom::outbox
