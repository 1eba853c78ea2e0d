// The decision that sends.
#include "base/money.h"
#include "json/writer.h"
#include "outbox/accept/request.h"
#include "reminders/counters.h"
#include "reminders/drafts.h"
#include "reminders/mail_guard.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

std::string metadata_of(const Draft& draft) {
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("draft_id").text(draft.id);
    writer.key("customer_id").text(draft.customer_id).close_object();
    return text;
}

Answer<outbox::Request> mail_request(const Draft& draft, const DraftSettings& settings) {
    outbox::Request request;
    request.from = TRY(mime::parse_address(settings.from));
    request.to = {TRY(mime::parse_address(draft.customer_email))};
    if (!settings.reply_to.empty()) {
        request.reply_to = {TRY(mime::parse_address(settings.reply_to))};
    }
    request.subject = draft.letter.subject;
    request.text = draft.letter.text;
    request.html = draft.letter.html;
    request.tags = {"reminder", std::string(name_of(draft.type))};
    request.metadata = metadata_of(draft);
    return request;
}

Refusal stale(const Figures& now) {
    auto refusal =
        Refusal::conflict("stale_draft", "the draft speaks of another amount; now " +
                                             money_text(now.cents, now.currency) + " is overdue");
    return with_figures(std::move(refusal), now);
}

Refusal text_not_seen(const Draft& draft) {
    return content_changed(
        draft, "its text is not the one that was seen; read it again, and name its content_hash");
}

}  // namespace

Answer<> Drafts::check_balance(const Draft& draft, const Customer& customer,
                               const program::Actor& person) {
    const auto now = books_.clock.now();
    const auto figures = customer.reminded(now, books_.policy).figures(now);
    if (figures == draft.figures && customer.email == draft.customer_email) return Ok{};
    // What keeps all of it back is for the rules to say.
    if (figures.cents == 0 && customer.figures(now).cents > 0) return Ok{};
    if (figures.cents == 0) {
        TRY(close(draft, DraftStatus::cancelled,
                  {std::string(name_of(Verdict::nothing_overdue)), "nothing is overdue any more"},
                  person));
        return with_figures(
            Refusal::conflict("nothing_overdue",
                              "nothing is overdue any more; the draft was cancelled"),
            figures);
    }
    if (figures == draft.figures) {
        return Refusal::conflict("stale_draft",
                                 "the customer's address has changed; edit or "
                                 "rebuild the draft");
    }
    return stale(figures);
}

Answer<> Drafts::queue_mail(schedule::Transaction& transaction, Draft& draft,
                            std::optional<Time> leaves_at) {
    auto request = TRY(mail_request(draft, settings_));
    request.send_at = leaves_at;
    auto id = outbox_.add_to(transaction, request, send_key_of(draft), follow_of(draft));
    if (!id) return Refusal(static_cast<Error>(id.error()));
    draft.mail_id = *std::move(id);
    return Ok{};
}

// All that one approval rests on and makes.
struct Drafts::Approval {
    Draft before, draft;
    Customer customer;
    Assessment assessment;
};

Answer<> Drafts::check_eyes(const Draft& draft, const program::Actor& person) const {
    const bool is_author = std::ranges::any_of(names_of_author(person), [&](const auto& name) {
        return std::ranges::find(draft.author_ids, name) != draft.author_ids.end();
    });
    if (!settings_.four_eyes || !is_author) return Ok{};
    return Refusal(Refusal::Kind::forbidden, "four_eyes",
                   "whoever asked for a draft or edited it may not approve it");
}

// What a manager decided earlier still holds, for the rule it was about.
Answer<> Drafts::allow_draft(Assessment& assessment, Draft& draft,
                             const std::optional<std::string>& override_reason,
                             const program::Actor& person) const {
    const auto& decision = assessment.decision;
    if (!override_reason && draft.override_rule == name_of(decision.verdict)) {
        auto judge = person;
        judge.scopes.emplace_back(program::scope::admin);
        return allow(assessment, draft.override_reason, judge);
    }
    TRY(allow(assessment, override_reason, person));
    if (decision.overridden) draft.override_with(*override_reason, person, decision);
    return Ok{};
}

Answer<Drafts::Approval> Drafts::decide_approval(const std::string& draft_id,
                                                 const Consent& consent,
                                                 const program::Actor& person) {
    const auto seen = TRY(require_open(draft_id, consent.version));
    const auto customer = TRY(accounts_.require(seen.customer_id));
    // Again, after the customer's row: whoever approved it in between is seen here, and not taken
    // for an earlier reminder.
    const auto before = TRY(require_open(draft_id, consent.version));
    const auto content = content_hash_of(before);
    if (consent.content_hash ? *consent.content_hash != content : before.was_changed_outside()) {
        return text_not_seen(before);
    }
    TRY(check_eyes(before, person));
    TRY(check_balance(before, customer, person));
    auto assessment = TRY(assessor_.assess(customer, before.type, before.id));
    auto draft = before;
    TRY(allow_draft(assessment, draft, consent.override_reason, person));
    draft.status = DraftStatus::approved;
    draft.approved_by = person.name;
    draft.approved_at = books_.clock.now();
    draft.content_hash = draft.approved_hash = content;
    draft.cycle = customer.past.cycle;
    return Approval{before, std::move(draft), customer, std::move(assessment)};
}

// One transaction, and each row that the decision rests on is a condition of it: the customer's
// with its invoices and its past, the draft's, the address's, and that nobody suppressed the
// address.
Answer<> Drafts::write_approval(Approval& approval, const program::Actor& person) {
    auto& [before, draft, customer, assessment] = approval;
    const auto now = *draft.approved_at;
    customer.close_draft(draft.type, draft.id);
    customer.past.prune(books_.policy, now);
    customer.past.begin(draft.type, now, draft.id);
    schedule::Transaction transaction;
    TRY(queue_mail(transaction, draft, assessment.decision.leaves_at));
    save(transaction, before, draft);
    accounts_.save(transaction, customer);
    save_address(transaction, books_, assessment.address, draft.id,
                 AddressRow::Entry{draft.type, now, draft.customer_id, draft.id});
    TRY(suppressions_.require_none(transaction, mail_kind(), draft.customer_email));
    books_.counters.add(transaction, now, {counter::approved});
    books_.audit.add(transaction, person,
                     entry_about(draft, "approved", "version " + std::to_string(draft.version),
                                 assessment.decision));
    return books_.commit(transaction);
}

Answer<Draft> Drafts::approve(const std::string& draft_id, const Consent& consent,
                              const program::Actor& person) {
    if (settings_.from.empty()) {
        return Refusal::conflict("sender_not_set", "reminders have no sender: set reminders.from");
    }
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Draft> {
        auto approval = TRY(decide_approval(draft_id, consent, person));
        TRY(write_approval(approval, person));
        approval.draft.rule_check = std::move(approval.assessment.decision);
        return std::move(approval.draft);
    });
}

}  // namespace mailroom::reminders
