// Writing drafts.
#include "reminders/drafts.h"

#include "reminders/audit.h"
#include "reminders/counters.h"
#include "reminders/dates.h"

#include <algorithm>
#include <array>

namespace mailroom::reminders {

namespace {

constexpr std::size_t reason_bytes_max = 500;

// Four characters of base 36.
std::string make_suffix(Random& random) {
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::array<std::uint8_t, 4> bytes;
    random.fill(bytes);
    std::string suffix;
    for (const auto byte : bytes) suffix += digits[byte % digits.size()];
    return suffix;
}

Draft new_draft(const Customer& customer, ReminderType type, Written written, Time now) {
    Draft draft;
    draft.customer_id = customer.customer_id;
    draft.customer_name = customer.name;
    draft.customer_email = customer.email;
    draft.type = type;
    draft.letter = std::move(written.letter);
    draft.created = now;
    draft.created_by = std::move(written.created_by);
    draft.figures = customer.figures(now);
    draft.template_id = std::move(written.template_id);
    draft.template_version = written.template_version;
    return draft;
}

}  // namespace

Drafts::Drafts(Accounts& accounts, outbox::Outbox& outbox, outbox::Suppressions& suppressions,
               Author& author, DraftSettings settings)
    : books_(accounts.books()),
      accounts_(accounts),
      outbox_(outbox),
      suppressions_(suppressions),
      author_(author),
      settings_(std::move(settings)),
      assessor_(books_, suppressions) {}

Answer<Decision> Drafts::check(const std::string& customer_id, std::optional<ReminderType> type) {
    const auto customer = TRY(accounts_.require(customer_id));
    auto assessment = TRY(assessor_.assess(customer, type));
    return std::move(assessment.decision);
}

Answer<Draft> Drafts::find_with_check(const std::string& draft_id) {
    auto draft = TRY(find(draft_id));
    if (draft.status != DraftStatus::draft) return draft;
    const auto customer = TRY(accounts_.find(draft.customer_id));
    if (!customer) return draft;
    auto assessment = TRY(assessor_.assess(*customer, draft.type, draft.id));
    draft.rule_check = std::move(assessment.decision);
    // Of a text that was not written here nobody has looked for anything yet.
    if (!draft.content_hash.empty() && !draft.was_changed_outside()) return draft;
    note_warnings(draft, *customer,
                  TRY(author_.operators_text(draft.template_id, draft.template_version)));
    return draft;
}

void Drafts::note_warnings(Draft& draft, const Customer& customer,
                           std::string operators_text) const {
    const auto now = books_.clock.now();
    KnownFacts facts{.cents = {draft.figures.cents, customer.figures(now).cents},
                     .currency = customer.currency,
                     .operators_text = std::move(operators_text) + "\n" + settings_.from + "\n" +
                                       settings_.reply_to,
                     .company_name = author_.company_name()};
    for (const auto& invoice : customer.open_invoices) facts.cents.push_back(invoice.cents);
    draft.warnings = warnings_about(draft.letter, facts);
    if (draft.was_changed_outside()) draft.warnings.push_back(changed_outside());
}

// An override is a manager's, has a reason, and cannot be of what protects the customer.
Answer<> Drafts::allow(Assessment& assessment, const std::optional<std::string>& override_reason,
                       const Person& person) const {
    auto& decision = assessment.decision;
    if (decision.allowed()) return Ok{};
    if (!override_reason || !may_override(decision.verdict)) return Refusal::by_rule(decision);
    if (!person.is_manager) {
        return Refusal(Refusal::Kind::forbidden, "forbidden",
                       "only a key with the scope admin may override a rule");
    }
    if (override_reason->empty() || override_reason->size() > reason_bytes_max) {
        return Refusal::bad_field("override.reason", "must be 1 to 500 bytes of text");
    }
    decision.overridden = true;
    return Ok{};
}

Answer<Written> Drafts::written_for(const DraftWish& wish, ReminderType type,
                                    const Customer& customer, const Person& person) {
    if (!wish.subject && !wish.text) {
        return author_.write(customer, {.type = type,
                                        .writer = wish.writer.value_or(settings_.usual_writer),
                                        .template_id = wish.template_id,
                                        .fallback = wish.fallback});
    }
    if (!wish.subject)
        return Refusal::bad_field("email_subject", "is missing beside email_content");
    if (!wish.text) return Refusal::bad_field("email_content", "is missing beside email_subject");
    Letter letter{*wish.subject, *wish.text, html_of(*wish.text, author_.company_name())};
    TRY(check_letter(letter));
    return Written{std::move(letter), person.name, "", 0, author_.payment_details()};
}

// The seed's form, and with a suffix if that is taken, by this customer or by one whose id makes
// the same text.
Result<std::string> Drafts::free_id(Time now, const std::string& customer_id) {
    auto id = draft_id_of(now, customer_id);
    for (;;) {
        bool is_taken = false;
        for (const auto& customer : customers_of_draft(id)) {
            const auto row = TRY(books_.get(books_.tables.tracking, draft_key(customer, id)));
            is_taken = is_taken || row;
        }
        if (!is_taken) return id;
        id = draft_id_of(now, customer_id) + "_" + make_suffix(books_.random);
    }
}

void Drafts::insert(schedule::Transaction& transaction, const Draft& draft) const {
    transaction.put(books_.tables.tracking, draft_item(draft)).if_absent("PK");
    for (const auto& customer : customers_of_draft(draft.id)) {
        if (customer == draft.customer_id) continue;
        transaction.check(books_.tables.tracking, draft_key(customer, draft.id)).if_absent("PK");
    }
}

Answer<Draft> Drafts::try_create(const DraftWish& wish, const Person& person,
                                 std::optional<Written>& written) {
    auto customer = TRY(accounts_.require(wish.customer_id));
    auto assessment = TRY(assessor_.assess(customer, wish.type));
    const auto type = assessment.decision.type;
    TRY(allow(assessment, wish.override_reason, person));
    // A model is asked once, however often the rest is tried.
    if (!written) written = TRY(written_for(wish, type, assessment.customer, person));

    const auto now = books_.clock.now();
    auto draft = new_draft(customer, type, *written, now);
    draft.id = TRY(free_id(now, customer.customer_id));
    draft.requested_by = person.name;
    draft.author_ids = {person.id};
    draft.content_hash = content_hash_of(draft);
    note_warnings(draft, customer, written->operators_text);
    AuditEntry entry{.customer_id = customer.customer_id,
                     .what = "drafted",
                     .by = person.name,
                     .by_id = person.id,
                     .draft_id = draft.id,
                     .detail = std::string(name_of(type)) + " by " + draft.created_by};
    if (assessment.decision.overridden) {
        draft.override_rule = name_of(assessment.decision.verdict);
        draft.override_reason = *wish.override_reason;
        draft.override_by = person.name;
        entry.detail += "; overrides " + draft.override_rule + ": " + draft.override_reason;
    }
    customer.open_drafts[index_of(type)] = {draft.id, draft.expires()};
    schedule::Transaction transaction;
    insert(transaction, draft);
    accounts_.save(transaction, customer);
    count(transaction, books_, now, {counter::created});
    add_audit(transaction, books_, std::move(entry));
    TRY(books_.commit(transaction));
    draft.rule_check = std::move(assessment.decision);
    return draft;
}

Answer<Draft> Drafts::create(const DraftWish& wish, const Person& person) {
    std::optional<Written> written;
    return settled([&] { return try_create(wish, person, written); });
}

}  // namespace mailroom::reminders
