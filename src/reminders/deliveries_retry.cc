// Sending a reminder again.
#include "base/money.h"
#include "reminders/counters.h"
#include "reminders/deliveries.h"
#include "reminders/mail_guard.h"

namespace mailroom::reminders {

Answer<> Deliveries::check_retry(const Draft& draft, const Customer& stored,
                                 const program::Actor& person) {
    TRY(drafts_.check_eyes(draft, person));
    if (!draft.approved_hash.empty() && draft.approved_hash != content_hash_of(draft)) {
        return content_changed(draft,
                               "its text is not the one that was approved; write a new draft");
    }
    const auto now = books_.clock.now();
    const auto customer = stored.reminded(now, books_.policy);
    const auto figures = customer.figures(now);
    const bool is_same = customer.email == draft.customer_email &&
                         (figures.cents == 0 || is_still_owed(customer, draft.figures, now));
    if (is_same) return Ok{};  // That nothing is overdue is for the rules to say.
    auto refusal = Refusal::conflict("stale_draft",
                                     customer.email != draft.customer_email
                                         ? "the customer's address has changed; write a new draft"
                                         : "it speaks of another amount; now " +
                                               money_text(figures.cents, figures.currency) +
                                               " is overdue: write a new draft");
    return with_figures(std::move(refusal), figures);
}

// One transaction: the mail that is sent again, the draft, what the rules remember, and who did it.
Answer<Draft> Deliveries::try_retry(const std::string& draft_id,
                                    const std::optional<std::string>& override_reason,
                                    const program::Actor& person) {
    const auto before = TRY(drafts_.find(draft_id));
    const auto history = TRY(outbox_.history(before.mail_id));
    const bool is_held = history && history->mail.held;
    const bool needs_help =
        before.status == DraftStatus::failed || (before.status == DraftStatus::approved && is_held);
    if (!needs_help) return changed_meanwhile(before);
    const auto message = history ? TRY(outbox_.message(history->mail)) : std::nullopt;
    if (!message) return Refusal::conflict("mail_gone", "its mail is gone; write a new draft");
    const auto state = history->mail.state;
    if (!is_held && state != outbox::State::failed && state != outbox::State::failed_acknowledged) {
        return Refusal::conflict("conflict", "its mail is " + std::string(name_of(state)) +
                                                 "; try again when that is settled");
    }
    auto customer = TRY(accounts_.require(before.customer_id));
    TRY(check_retry(before, customer, person));
    auto assessment = TRY(drafts_.assessor().assess(customer, before.type, before.id));
    auto draft = before;
    TRY(drafts_.allow_draft(assessment, draft, override_reason, person));
    draft.status = DraftStatus::approved;
    draft.reason_code.clear();
    draft.reason.clear();
    draft.cycle = customer.past.cycle;
    const auto now = books_.clock.now();
    customer.past.begin(draft.type, now, draft.id);

    const auto add = [&](schedule::Transaction& transaction, const outbox::Mail&) -> Result<> {
        drafts_.save(transaction, before, draft);
        accounts_.save(transaction, customer);
        save_address(transaction, books_, assessment.address, draft.id,
                     AddressRow::Entry{draft.type, now, draft.customer_id, draft.id});
        books_.audit.add(transaction, person,
                         entry_about(draft, "retried", "version " + std::to_string(draft.version),
                                     assessment.decision));
        return suppressions_.require_none(transaction, mail_kind(), draft.customer_email);
    };
    const auto sent = outbox_.send_again(before.mail_id, add, follow_of(draft));
    if (!sent && sent.error().code == Errc::conflict) {
        return Refusal(Refusal::Kind::lost_race, sent.error().message);
    }
    if (!sent) return Refusal(sent.error());
    draft.rule_check = std::move(assessment.decision);
    return draft;
}

Answer<Draft> Deliveries::retry(const std::string& draft_id,
                                const std::optional<std::string>& override_reason,
                                const program::Actor& person) {
    return settled(books_.store.pauses(race_pauses),
                   [&] { return try_retry(draft_id, override_reason, person); });
}

}  // namespace mailroom::reminders
