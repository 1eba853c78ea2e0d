#include "reminders/mail_guard.h"

#include "base/money.h"
#include "json/json.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

using Type = json::View::Type;
using Reason = std::optional<std::string>;

Reason because(std::string_view code, std::string text) {
    return CodedReason{std::string(code), std::move(text)}.both();
}

std::string text_member(const json::View& object, std::string_view name) {
    const auto found = object.find(name);
    return found && found->type() == Type::text ? std::string(found->text()) : std::string();
}

// As write_request() in drafts_approve.cc marks them.
bool is_tagged(const json::View& request) {
    const auto tags = request.find("tags");
    if (!tags || tags->type() != Type::list) return false;
    json::Elements elements(*tags);
    json::View first;
    return elements.next(first) && first.type() == Type::text && first.text() == "reminder";
}

}  // namespace

outbox::Follow follow_of(const Draft& draft) {
    return {.queue = std::string(delivery_queue), .key = draft.id};
}

outbox::SendKey send_key_of(const Draft& draft) {
    return {"reminder:" + draft.id + ":" + std::to_string(draft.version)};
}

bool is_still_owed(const Customer& customer, const Figures& figures, Time now) {
    std::int64_t cents = 0;
    for (const auto& id : figures.invoice_ids) {
        const auto found = std::ranges::find(customer.open_invoices, id, &OpenInvoice::invoice_id);
        if (found == customer.open_invoices.end() || found->due >= now) return false;
        cents += found->cents;
    }
    return cents == figures.cents && cents > 0 && customer.currency == figures.currency;
}

// The request is kept where no other program writes, so it tells whose mail it is whatever was done
// to the mail's rows.
Result<std::optional<MailGuard::Reference>> MailGuard::reference_of(const outbox::Mail& mail) {
    const auto payload = TRY(outbox_.payload(mail));
    json::Parser parser;
    if (!payload) return std::optional<Reference>();
    const auto request = parser.parse(*payload);
    if (!request || request->type() != Type::object || !is_tagged(*request)) {
        return std::optional<Reference>();
    }
    const auto metadata = request->find("metadata");
    if (!metadata || metadata->type() != Type::object) return std::optional<Reference>();
    Reference reference{text_member(*metadata, "customer_id"), text_member(*metadata, "draft_id")};
    if (reference.customer_id.empty() || reference.draft_id.empty()) {
        return std::optional<Reference>();
    }
    return std::optional(std::move(reference));
}

Result<Reason> MailGuard::refusal(const outbox::Mail& mail, schedule::Transaction& leaving) {
    const auto reference = TRY(reference_of(mail));
    if (!reference) return Reason();
    auto reason = TRY(refusal_of(mail, *reference, leaving));
    if (reason) reason = std::string(stopped_mark) + *reason;
    return reason;
}

Result<Reason> MailGuard::refusal_of(const outbox::Mail& mail, const Reference& of,
                                     schedule::Transaction& leaving) {
    const auto row =
        TRY(books_.get(books_.tables.tracking, draft_key(of.customer_id, of.draft_id)));
    if (!row) return because(reason_code::draft_gone, "its draft is gone");
    const auto draft = read_draft(*row, "");
    if (!draft) return because(reason_code::draft_gone, "its draft cannot be read any more");
    if (draft->mail_id != mail.id)
        return because(reason_code::draft_changed, "it is not the mail of its draft");
    if (draft->status != DraftStatus::approved) {
        return because(reason_code::draft_changed,
                       "its draft is " + std::string(name_of(draft->status)));
    }
    // Drafts that were approved before hashes were kept have none.
    if (!draft->approved_hash.empty() && draft->approved_hash != content_hash_of(*draft)) {
        return because(reason_code::draft_changed, "its draft was changed after the approval");
    }
    const auto customer = TRY(accounts_.find(draft->customer_id));
    if (!customer) return because(reason_code::customer_gone, "the customer is gone");
    auto reason = TRY(ask_rules(*draft, *customer));
    if (reason) return reason;
    leaving.check(books_.tables.customers, customer_key(customer->customer_id))
        .when("version", customer->version);
    TRY(accounts_.opt_outs().require_none(leaving, draft->customer_email));
    return Reason();
}

Result<Reason> MailGuard::ask_rules(const Draft& draft, const Customer& stored) {
    const auto now = books_.clock.now();
    const auto customer = stored.reminded(now, books_.policy);
    if (customer.email != draft.customer_email)
        return because(reason_code::address_changed, "the customer's address has changed");
    const auto figures = customer.figures(now);
    if (figures.cents > 0 && !is_still_owed(customer, draft.figures, now)) {
        return because(reason_code::amount_changed,
                       "it speaks of another amount; now " +
                           money_text(figures.cents, figures.currency) + " is overdue");
    }
    const auto assessment = assessor_.assess(stored, draft.type, draft.id, Leaving::yes);
    if (!assessment) return Error(assessment.error());
    const auto& decision = assessment->decision;
    const bool is_overridden =
        may_override(decision.verdict) && draft.override_rule == name_of(decision.verdict);
    if (decision.allowed() || is_overridden) return Reason();
    return because(name_of(decision.verdict), explain(decision));
}

Result<std::optional<Time>> MailGuard::not_before(const outbox::Mail& mail) {
    const auto reference = TRY(reference_of(mail));
    const auto customer = TRY(accounts_.find(reference ? reference->customer_id : ""));
    if (!customer) return std::optional<Time>();
    return books_.calendar.opens(books_.clock.now(), customer->time_zone);
}

Result<Reason> MailGuard::decided_at(const outbox::Mail& mail, Decision decision) {
    const auto reference = TRY(reference_of(mail));
    if (!reference) return Reason();
    const auto* action = decision == Decision::cancel ? "/cancel" : "/retry";
    return Reason("POST /v1/reminders/drafts/" + reference->draft_id + action);
}

}  // namespace mailroom::reminders
