// The decision that sends.
#include "json/writer.h"
#include "outbox/request.h"
#include "reminders/audit.h"
#include "reminders/counters.h"
#include "reminders/drafts.h"
#include "reminders/mail_guard.h"
#include "reminders/money.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

// As POST /v1/emails takes it.
std::string mail_request(const Draft& draft, const DraftSettings& settings) {
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("from").text(settings.from);
    writer.key("to").open_list().text(draft.customer_email).close_list();
    if (!settings.reply_to.empty()) writer.key("reply_to").text(settings.reply_to);
    writer.key("subject").text(draft.letter.subject);
    writer.key("text").text(draft.letter.text).key("html").text(draft.letter.html);
    writer.key("tags").open_list().text("reminder").text(name_of(draft.type)).close_list();
    writer.key("metadata").open_object();
    writer.key("draft_id").text(draft.id).key("customer_id").text(draft.customer_id);
    writer.close_object().close_object();
    return text;
}

Refusal stale(const Figures& now) {
    auto refusal =
        Refusal::conflict("stale_draft", "the draft speaks of another amount; now " +
                                             money_text(now.cents, now.currency) + " is overdue");
    refusal.figures = now;
    return refusal;
}

Refusal content_changed(const Draft& draft) {
    auto refusal = changed_meanwhile(draft);
    refusal.code = "content_changed";
    refusal.message =
        "its text is not the one that was seen; read it again, and name its content_hash";
    refusal.content_hash = content_hash_of(draft);
    return refusal;
}

}  // namespace

AuditEntry Drafts::approval_entry(const Draft& draft, const Decision& decision,
                                  const std::string& override_reason, const Person& person) {
    AuditEntry entry{.customer_id = draft.customer_id,
                     .what = "approved",
                     .by = person.name,
                     .by_id = person.id,
                     .draft_id = draft.id,
                     .detail = "version " + std::to_string(draft.version)};
    if (decision.overridden) {
        entry.detail +=
            "; overrides " + std::string(name_of(decision.verdict)) + ": " + override_reason;
    }
    return entry;
}

Answer<> Drafts::check_balance(const Draft& draft, const Customer& customer, const Person& person) {
    const auto figures = customer.figures(books_.clock.now());
    if (figures == draft.figures && customer.email == draft.customer_email) return Ok{};
    if (figures.cents == 0) {
        TRY(close(draft, DraftStatus::cancelled, "nothing is overdue any more", person));
        auto refusal = Refusal::conflict("nothing_overdue",
                                         "nothing is overdue any more; the draft was cancelled");
        refusal.figures = figures;
        return refusal;
    }
    if (figures == draft.figures) {
        return Refusal::conflict("stale_draft",
                                 "the customer's address has changed; edit or "
                                 "rebuild the draft");
    }
    return stale(figures);
}

Answer<> Drafts::queue_mail(schedule::Transaction& transaction, Draft& draft) {
    const auto payload = mail_request(draft, settings_);
    json::Parser parser;
    const auto view = parser.parse(payload);
    if (!view) return Refusal(Refusal::Kind::internal, "internal", "the mail's request is no JSON");
    const auto request = outbox::parse_request(*view, books_.clock.now());
    if (!request) return Refusal(static_cast<Error>(request.error()));
    auto id = outbox_.add_to(transaction, *request, payload, send_key_of(draft));
    if (!id) return Refusal(static_cast<Error>(id.error()));
    draft.mail_id = *std::move(id);
    books_.schedule.add(
        transaction,
        {.queue = std::string(delivery_queue), .key = draft.id, .due = books_.clock.now()});
    return Ok{};
}

// All that one approval rests on and makes.
struct Drafts::Approval {
    Draft before, draft;
    Customer customer;
    Assessment assessment;
    std::string override_reason;  // Empty: no rule was overridden.
};

Answer<> Drafts::check_eyes(const Draft& draft, const Person& person) const {
    const bool is_author = std::ranges::find(draft.author_ids, person.id) != draft.author_ids.end();
    if (!settings_.four_eyes || !is_author) return Ok{};
    return Refusal(Refusal::Kind::forbidden, "four_eyes",
                   "whoever asked for a draft or edited it may not approve it");
}

// What a manager decided earlier still holds, for the rule it was about.
Answer<std::string> Drafts::allow_draft(Assessment& assessment, Draft& draft,
                                        const std::optional<std::string>& override_reason,
                                        const Person& person) const {
    auto reason = override_reason;
    auto judge = person;
    if (!reason && draft.override_rule == name_of(assessment.decision.verdict)) {
        reason = draft.override_reason;
        judge.is_manager = true;
    }
    TRY(allow(assessment, reason, judge));
    if (!assessment.decision.overridden) return std::string();
    if (override_reason) {
        draft.override_rule = name_of(assessment.decision.verdict);
        draft.override_reason = *override_reason;
        draft.override_by = person.name;
    }
    return *reason;
}

Answer<Drafts::Approval> Drafts::decide_approval(const std::string& draft_id,
                                                 const Consent& consent, const Person& person) {
    const auto seen = TRY(require_open(draft_id, consent.version));
    const auto customer = TRY(accounts_.require(seen.customer_id));
    // Again, after the customer's row: whoever approved it in between is seen here, and not taken
    // for an earlier reminder.
    const auto before = TRY(require_open(draft_id, consent.version));
    const auto content = content_hash_of(before);
    if (consent.content_hash ? *consent.content_hash != content : before.was_changed_outside()) {
        return content_changed(before);
    }
    TRY(check_eyes(before, person));
    TRY(check_balance(before, customer, person));
    auto assessment = TRY(assessor_.assess(customer, before.type, before.id));
    auto draft = before;
    auto reason = TRY(allow_draft(assessment, draft, consent.override_reason, person));
    draft.status = DraftStatus::approved;
    draft.approved_by = person.name;
    draft.approved_at = books_.clock.now();
    draft.content_hash = draft.approved_hash = content;
    draft.cycle = customer.past.cycle;
    return Approval{before, std::move(draft), customer, std::move(assessment), std::move(reason)};
}

// One transaction, and each row that the decision rests on is a condition of it: the customer's
// with its invoices and its past, the draft's, the address's, and that nobody suppressed the
// address.
Answer<> Drafts::write_approval(Approval& approval, const Person& person) {
    auto& [before, draft, customer, assessment, override_reason] = approval;
    const auto now = *draft.approved_at;
    auto& open = customer.open_drafts[index_of(draft.type)];
    if (open && open->id == draft.id) open.reset();
    customer.past.prune(books_.policy, now);
    customer.past.begin(draft.type, now, draft.id);
    schedule::Transaction transaction;
    TRY(queue_mail(transaction, draft));
    save(transaction, before, draft);
    accounts_.save(transaction, customer);
    save_address(transaction, books_, assessment.address, draft.id,
                 AddressRow::Entry{draft.type, now, draft.customer_id, draft.id});
    TRY(suppressions_.require_none(transaction, outbox::Stream::transactional,
                                   draft.customer_email));
    count(transaction, books_, now, {counter::approved});
    add_audit(transaction, books_,
              approval_entry(draft, assessment.decision, override_reason, person));
    return books_.commit(transaction);
}

Answer<Draft> Drafts::approve(const std::string& draft_id, const Consent& consent,
                              const Person& person) {
    if (settings_.from.empty()) {
        return Refusal::conflict("sender_not_set", "reminders have no sender: set reminders.from");
    }
    return settled([&]() -> Answer<Draft> {
        auto approval = TRY(decide_approval(draft_id, consent, person));
        TRY(write_approval(approval, person));
        approval.draft.rule_check = std::move(approval.assessment.decision);
        return std::move(approval.draft);
    });
}

}  // namespace mailroom::reminders
