#include "outbox/routes/posting.h"

#include "base/text.h"
#include "mime/address.h"
#include "outbox/accept/told.h"
#include "outbox/routes/json_slices.h"
#include "outbox/routes/shown.h"
#include "program/output.h"

#include <utility>
#include <vector>

namespace mailroom::outbox {

namespace {

using program::Asked;
using program::Keep;
using program::MustWait;
using program::Rendered;
using Told = mailroom::Refusal;
using Type = json::View::Type;
using Acceptance = Result<Accepted, Refusal>;

constexpr const char* full_retry_seconds = "30";  // Mails leave by the thousand in this time.

Told invalid(std::string why) { return {Told::Kind::invalid, std::move(why)}; }

Rendered refused(const Told& refusal) {
    auto rendered = program::render(refusal);
    const bool is_full = refusal.kind == Told::Kind::too_many;
    if (is_full) rendered.headers = {{"Retry-After", full_retry_seconds}};
    return rendered;
}

Rendered accepted(const Accepted& mail) {
    return program::Output<program::Taken<Accepted>>::render({mail});
}

Rendered rendered_of(const Acceptance& acceptance) {
    return acceptance ? accepted(*acceptance) : refused(told(acceptance.error()));
}

struct Posting {
    const Asked& asked;
    Outbox& outbox;
    Time now;
};

// The id of a mail whose request has none.
std::optional<std::string> id_for(const Asked& asked, std::size_t index) {
    const auto& who = asked.actor;
    if (!who.once) return std::nullopt;
    return mail_id_for({"api:" + who.id + ":" + *who.once + ":" + std::to_string(index)});
}

struct Batch {
    std::vector<Outbox::Item> items;
    std::string prefix;  // Of fields: "emails" or nothing.

    std::string field_prefix(std::size_t index) const {
        return prefix + "[" + std::to_string(index) + "].";
    }
};

struct Refused {
    std::size_t index;
    Told why;
};

// The same refusals one by one, each of one field at the most.
std::vector<Refused> taken_apart(const std::vector<Refused>& refused) {
    std::vector<Refused> all;
    for (const auto& [index, why] : refused) {
        for (const auto& bad : why.fields) all.push_back({index, Told(bad)});
        if (why.fields.empty()) all.push_back({index, why});
    }
    return all;
}

void write_field(json::Writer& writer, const Told& refusal) {
    if (refusal.fields.empty()) return;
    writer.key("field");
    table::show_text(writer, refusal.fields.front().field);
    writer.key("reason");
    table::show_text(writer, refusal.fields.front().why);
}

std::string details_of(const std::vector<Refused>& refused) {
    std::string details;
    json::Writer writer(details);
    writer.open_object();
    write_field(writer, refused.front().why);
    writer.key("errors").open_list();
    for (const auto& [index, why] : refused) {
        writer.open_object().key("index").integer(static_cast<std::int64_t>(index));
        writer.key("code").text(why.code).key("message");
        table::show_text(writer, why.text());
        write_field(writer, why);
        writer.close_object();
    }
    writer.close_list().close_object();
    return details;
}

// All that is wrong; its first decides the status.
Rendered batch_refused(const std::vector<Refused>& refusals) {
    const auto all = taken_apart(refusals);
    const auto& first = all.front().why;
    std::vector<BadField> fields;
    for (const auto& [index, why] : all)
        fields.insert(fields.end(), why.fields.begin(), why.fields.end());
    Told refusal(first.kind, first.code, fields.empty() ? first.message : Told(fields).text());
    refusal.details = details_of(all);
    return refused(refusal);
}

void write_refused(json::Writer& writer, std::size_t index, Told why) {
    if (why.fields.empty()) why.details = "{}";
    writer.open_object().key("error");
    program::write_refusal(writer, why);
    writer.key("index").integer(static_cast<std::int64_t>(index)).close_object();
}

Rendered batch_answer(const Batch& batch, const std::vector<Acceptance>& results) {
    std::vector<Refused> refusals;
    Rendered rendered{.status = 202};
    json::Writer writer(rendered.body);
    writer.open_object().key("results").open_list();
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i]) {
            table::write_json(writer, *results[i]);
            continue;
        }
        refusals.push_back({i, told(results[i].error(), batch.field_prefix(i))});
        write_refused(writer, i, refusals.back().why);
    }
    writer.close_list().close_object();
    return refusals.size() == results.size() ? batch_refused(refusals) : rendered;
}

// With the mail's own place before the name of each field.
Told placed(Told refusal, const std::string& prefix) {
    for (auto& bad : refusal.fields) bad.field = prefix + bad.field;
    return Told(std::move(refusal.fields));
}

Rendered post_batch(const Posting& posting, const json::View& list, std::string_view list_text,
                    std::string prefix) {
    const auto& [asked, outbox, now] = posting;
    const auto texts = child_texts(list_text);
    if (texts.empty() || texts.size() > batch_mails_max) {
        return refused(
            Told::bad_field(prefix.empty() ? "the list" : prefix,
                            "must hold 1 to " + std::to_string(batch_mails_max) + " mails"));
    }
    Batch batch{{}, std::move(prefix)};
    std::vector<Refused> refusals;
    json::Elements elements(list);
    json::View mail;
    for (std::size_t i = 0; elements.next(mail); ++i) {
        auto request = parse_request(mail, now);
        if (!request) {
            refusals.push_back({i, placed(std::move(request).error(), batch.field_prefix(i))});
            continue;
        }
        if (!request->id) request->id = id_for(asked, i);
        batch.items.push_back({*std::move(request), std::string(texts[i])});
    }
    if (!refusals.empty()) return batch_refused(refusals);
    return batch_answer(batch, outbox.accept_all(batch.items));
}

// The list of {"emails":[…]} and its text.
Rendered post_wrapped(const Posting& posting, const json::View& object) {
    json::Members members(object);
    std::string_view name;
    json::View list;
    std::size_t count = 0;
    table::Reading reading;
    while (members.next(name, list)) {
        if (name != "emails") {
            reading.wrong_member(name, "is not known beside emails");
        } else if (++count > 1) {
            reading.wrong_member(name, "is there twice");
        } else if (list.type() != Type::list) {
            reading.wrong_member(name, "must be a list");
        }
    }
    if (!reading.is_good()) return refused(reading.take());
    const auto text = child_texts(posting.asked.body).front();
    return post_batch(posting, *object.find("emails"), text, "emails");
}

bool is_list(const json::View& body) {
    return body.type() == Type::list || (body.type() == Type::object && body.find("emails"));
}

// The body, a mail or mails, unless there are parameters, which nobody knows.
mailroom::Answer<json::View> body_of(const Asked& asked, json::Parser& parser) {
    if (!asked.query.empty()) {
        table::Reading reading;
        program::Nothing nothing;
        program::input::Names given;
        program::input::read_query(asked.query, nothing, given, reading);
        return Told(reading.take());
    }
    if (asked.body.empty()) return invalid("the body is empty; send JSON");
    const auto parsed = parser.parse(asked.body);
    if (!parsed) return invalid("the body is " + std::string(json::describe(parsed.error())));
    const bool may_be_mail = parsed->type() == Type::object || parsed->type() == Type::list;
    if (!may_be_mail) return invalid("the body must be a mail or a list of mails");
    return *parsed;
}

bool is_message_type(std::string_view header) {
    return header.empty() ||
           ascii_equal_ignoring_case(trim(header.substr(0, header.find(';'))), "message/rfc822");
}

struct MessageWishes {
    RawMail mail;
    Stream stream = Stream::transactional;
};

// "from", "to", "stream": once, as often as one likes, once.
void read_wish(const std::string& name, const std::string& text, MessageWishes& wishes,
               table::Reading& reading) {
    if (name == "stream") {
        const auto stream = stream_named(text);
        if (stream) wishes.stream = *stream;
        if (!stream) reading.wrong_member(name, table::Form<Stream>::wanted());
        return;
    }
    if (name != "from" && name != "to") {
        return reading.wrong_member(name, "is not a known parameter");
    }
    const auto address = mime::parse_address(text);
    if (!address) {
        return reading.wrong_member(name, "is no address: " + address.error().message);
    }
    if (name == "from") wishes.mail.sender = address->address();
    if (name == "to") wishes.mail.recipients.push_back(address->address());
}

Result<MessageWishes, Rendered> message_wishes(const Asked& asked) {
    if (!is_message_type(asked.content_type)) {
        auto other_type = refused({Told::Kind::invalid, "unsupported_media_type",
                                   "send the message with Content-Type: message/rfc822"});
        other_type.status = 415;
        return other_type;
    }
    if (asked.body.empty()) return refused(invalid("the body is empty"));
    MessageWishes wishes;
    table::Reading reading;
    for (const auto& [name, text] : asked.query) read_wish(name, text, wishes, reading);
    if (!reading.is_good()) return refused(reading.take());
    wishes.mail.message = asked.body;
    return wishes;
}

Outbox::Also kept_with(const Keep& keep) {
    if (!keep) return nullptr;
    return [keep](schedule::Transaction& together, const Mail& mail) {
        keep(together, accepted({mail.id, mail.state}));
    };
}

Outbox::AcceptDone told_later(const Keep& keep, const program::Later& later) {
    return [later, is_once = keep != nullptr](const Acceptance& acceptance) {
        using Kind = Refusal::Kind;
        const auto refusal = acceptance ? std::nullopt : std::optional(acceptance.error().kind);
        const bool is_to_be_kept = is_once && refusal == Kind::bad_field;
        if (refusal == Kind::condition || is_to_be_kept) return later(MustWait{});
        later(rendered_of(acceptance));
    };
}

}  // namespace

Rendered post_mails(const Asked& asked, Outbox& outbox, Time now) {
    json::Parser parser;
    const auto body = body_of(asked, parser);
    if (!body) return refused(body.error());
    const Posting posting{asked, outbox, now};
    if (body->type() == Type::list) return post_batch(posting, *body, asked.body, "");
    if (is_list(*body)) return post_wrapped(posting, *body);
    auto request = parse_request(*body, now);
    if (!request) return refused(request.error());
    if (!request->id) request->id = id_for(asked, 0);
    return rendered_of(outbox.accept(*request, asked.body));
}

program::Start post_mail_later(const Asked& asked, Outbox& outbox, Time now, const Keep& keep,
                               const program::Later& later) {
    if (!outbox.accepts_quickly(asked.body.size())) return MustWait{};
    json::Parser parser;
    const auto body = body_of(asked, parser);
    if (!body) return refused(body.error());
    if (is_list(*body)) return MustWait{};
    const auto request = parse_request(*body, now);
    if (!request) return refused(request.error());
    outbox.accept(*request, asked.body, told_later(keep, later), kept_with(keep));
    return program::AnswersLater{};
}

Rendered post_message(const Asked& asked, Outbox& outbox) {
    auto wishes = message_wishes(asked);
    if (!wishes) return std::move(wishes).error();
    return rendered_of(
        outbox.accept_raw(std::move(wishes->mail), id_for(asked, 0), wishes->stream));
}

program::Start post_message_later(const Asked& asked, Outbox& outbox, const Keep& keep,
                                  const program::Later& later) {
    if (!outbox.accepts_quickly(asked.body.size())) return MustWait{};
    auto wishes = message_wishes(asked);
    if (!wishes) return std::move(wishes).error();
    outbox.accept_raw(std::move(wishes->mail), wishes->stream, told_later(keep, later),
                      kept_with(keep));
    return program::AnswersLater{};
}

}  // namespace mailroom::outbox
