#include "base/log.h"
#include "outbox/routes/routes.h"
#include "outbox/routes/shown.h"
#include "program/action.h"

#include <utility>

namespace mailroom::outbox {

// What a person may say of a held mail.
enum class Resolution { sent };
constexpr auto names_of(Resolution) { return std::array{Name{Resolution::sent, "sent"}}; }

namespace {

using program::Actor;
using program::ById;
using table::asked;
using table::PageWish;
using table::required;
using table::Slice;

struct MailFilter {
    std::optional<State> state;
    bool held = false;

    static constexpr auto fields =
        std::tuple{asked("state", &MailFilter::state, "Only mails in this state."),
                   asked("held", &MailFilter::held, "Only mails that wait for a decision.")};
};
struct ResolveMail {
    std::string id;
    Resolution as = Resolution::sent;

    static constexpr auto fields =
        std::tuple{required("id", &ResolveMail::id), required("as", &ResolveMail::as)};
};
struct MessageFile : program::File {
    static constexpr const char* type = "message/rfc822";
};

mailroom::Refusal no_mail(const std::string& id) {
    return mailroom::Refusal::not_found("no mail " + id);
}

Result<Slice<Mail>> list(const MailFilter& in, const PageWish& page, Ledger& ledger) {
    auto found = TRY(ledger.list({.state = in.state, .held = in.held}, page.limit, page.after));
    return Slice<Mail>{std::move(found.mails), std::move(found.next)};
}

mailroom::Answer<ShownHistory> show(const std::string& id, Outbox& outbox) {
    const auto history = TRY(outbox.history(id));
    if (!history) return no_mail(id);
    // Who cannot have the request shall at least see what became of the mail.
    const auto payload = outbox.payload(history->mail);
    if (payload) return ShownHistory(*history, payload->value_or(""));
    log::warn("a request cannot be read", {{"mail", id}, {"reason", payload.error().message}});
    return ShownHistory(*history, "");
}

mailroom::Answer<MessageFile> show_raw(const std::string& id, const Desk& desk) {
    const auto mail = TRY(desk.ledger.find(id));
    if (!mail) return no_mail(id);
    auto message = TRY(desk.outbox.message(*mail));
    if (!message) {
        return mailroom::Refusal::not_found(
            "the message of mail " + id +
            (mail->eml_path.empty() ? " is not made yet" : " is gone"));
    }
    const program::Pairs headers = {
        {"Content-Disposition", "attachment; filename=\"" + id + ".eml\""}};
    return MessageFile{{MessageFile::type, *std::move(message), headers}};
}

void add_reading_routes(program::Api& api, const Desk& desk) {
    api.list("/v1/emails",
             {.name = "list_mails",
              .scope = program::scope::read,
              .summary = "List mails, the last changed first",
              .agents = program::Agents::may},
             [desk](const MailFilter& in, const PageWish& page, const Actor&) {
                 return list(in, page, desk.ledger);
             });
    api.get("/v1/emails/{id}",
            {.name = "show_mail",
             .scope = program::scope::read,
             .summary = "Show a mail with its whole history",
             .agents = program::Agents::may},
            [desk](const ById& in, const Actor&) { return show(in.id, desk.outbox); });
    api.get("/v1/emails/{id}/raw",
            {.name = "show_message",
             .scope = program::scope::read,
             .summary = "Fetch the message as it is sent, before it is signed"},
            [desk](const ById& in, const Actor&) { return show_raw(in.id, desk); });
}

}  // namespace

void add_mail_routes(program::Api& api, const Desk& desk) {
    constexpr auto conflict = mailroom::Refusal::Kind::conflict;
    add_reading_routes(api, desk);
    api.post("/v1/emails/{id}/cancel",
             {.name = "cancel_mail",
              .scope = program::scope::send,
              .summary = "Cancel a mail that is not being sent yet",
              .refuses = {conflict}},
             [desk](const ById& in, const Actor&) { return desk.outbox.cancel(in.id); });
    api.post("/v1/emails/{id}/retry",
             {.name = "retry_mail",
              .scope = program::scope::send,
              .summary = "Go on with a mail that stopped",
              .more = "For mails that are held, FAILED or INVALID, or whose callback was given up; "
                      "those that wait after a failed attempt are tried now. Recipients that have "
                      "the mail do not get it again.",
              .refuses = {conflict}},
             [desk](const ById& in, const Actor&) { return desk.outbox.retry(in.id); });
    api.post(
        "/v1/emails/{id}/resolve",
        {.name = "resolve_mail",
         .scope = program::scope::send,
         .summary = "Say that a held mail did arrive",
         .refuses = {conflict}},
        [desk](const ResolveMail& in, const Actor&) { return desk.outbox.resolve_as_sent(in.id); });
}

}  // namespace mailroom::outbox
