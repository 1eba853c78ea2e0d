// Writing drafts, and finding them.
#include "reminders/drafts.h"

#include "base/days.h"
#include "base/money.h"
#include "reminders/counters.h"
#include "table/query_builder.h"

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

Draft new_draft(const Customer& customer, ReminderType type, const Written& written, Time now,
                const program::Actor& person) {
    Draft draft;
    draft.customer_id = customer.customer_id;
    draft.customer_name = customer.name;
    draft.customer_email = customer.email;
    draft.type = type;
    draft.letter = written.letter;
    draft.created = now;
    draft.created_by = written.created_by;
    draft.figures = customer.figures(now);
    draft.template_id = written.template_id;
    draft.template_version = written.template_version;
    draft.author_ids = names_of_author(person);
    draft.requested_by = person.name;
    draft.content_hash = content_hash_of(draft);
    return draft;
}

// Amounts in the text that are neither the total nor an open invoice's.
std::vector<std::string> foreign_amounts(const std::string& text, const Draft& draft,
                                         const Customer& customer, Time now) {
    std::vector<std::int64_t> known = {draft.figures.cents, customer.figures(now).cents};
    for (const auto& invoice : customer.open_invoices) known.push_back(invoice.cents);
    std::vector<std::string> foreign;
    for (auto& [written, cents] : amounts_in(text, customer.currency)) {
        if (std::ranges::find(known, cents) == known.end()) foreign.push_back(std::move(written));
    }
    return foreign;
}

Refusal expired(const std::string& draft_id) {
    return {Refusal::Kind::gone, "expired", "the draft " + draft_id + " has expired"};
}

}  // namespace

Drafts::Drafts(Accounts& accounts, outbox::Outbox& outbox, people::Suppressions& suppressions,
               Author& author, DraftSettings settings)
    : books_(accounts.books()),
      accounts_(accounts),
      outbox_(outbox),
      suppressions_(suppressions),
      author_(author),
      settings_(std::move(settings)),
      assessor_(books_, suppressions) {}

Answer<Decision> Drafts::check(const CheckCustomer& asked) {
    const auto customer = TRY(accounts_.require(asked.customer_id));
    auto assessment = TRY(assessor_.assess(customer, asked.type));
    return std::move(assessment.decision);
}

Answer<Draft> Drafts::find(const std::string& draft_id) {
    const auto now = books_.clock.now();
    for (const auto& customer : customers_of_draft(draft_id)) {
        if (!is_customer_id(customer)) continue;
        const auto row = TRY(books_.get(books_.tables.tracking, draft_key(customer, draft_id)));
        if (!row) continue;
        auto draft = read_draft(*row, author_.company_name());
        if (!draft) {
            return Refusal::conflict("unreadable", "the draft " + draft_id +
                                                       " cannot be read: " + draft.error().message);
        }
        if (draft->status == DraftStatus::draft && now >= draft->expires()) {
            return expired(draft_id);
        }
        return *std::move(draft);
    }
    // The row may be gone already; the id still tells how old it was.
    const auto created = time_of_stamp(draft_id);
    if (created && now >= *created + drafts_kept_for) return expired(draft_id);
    return Refusal::not_found("no draft " + draft_id);
}

Result<table::Slice<Draft>> Drafts::list(const DraftFilter& filter, const table::PageWish& wish) {
    auto query = table::from(books_.tables.tracking);
    query.index("GSI1").partition("GSI1PK", index_status(filter.status));
    if (filter.order == ListOrder::desc) query.newest_first();
    auto page = TRY(books_.page(table::Query(query), wish, [&](const table::ItemView& row) {
        return read_draft(row, author_.company_name());
    }));
    const auto now = books_.clock.now();
    std::erase_if(page.items, [&](const Draft& draft) {
        return draft.status == DraftStatus::draft && now >= draft.expires();
    });
    return page;
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
    const auto& [subject, text, html] = draft.letter;
    const writing::Readable readable{subject, text, html};
    const writing::KnownFacts facts{
        .operators_text =
            std::move(operators_text) + "\n" + settings_.from + "\n" + settings_.reply_to,
        .signature = author_.company_name(),
        .foreign_amounts = foreign_amounts(readable.all(), draft, customer, now)};
    draft.warnings = writing::warnings_about(readable, facts);
}

// An override is a manager's, has a reason, and cannot be of what protects the customer.
Answer<> Drafts::allow(Assessment& assessment, const std::optional<std::string>& override_reason,
                       const program::Actor& person) const {
    auto& decision = assessment.decision;
    if (decision.allowed()) return Ok{};
    if (!override_reason || !may_override(decision.verdict)) return refused_by_rule(decision);
    if (!is_manager(person)) {
        return Refusal(Refusal::Kind::forbidden,
                       "only a key with the scope admin may override a rule");
    }
    if (override_reason->empty() || override_reason->size() > reason_bytes_max) {
        return Refusal::bad_field("override.reason", "must be 1 to 500 bytes of text");
    }
    decision.overridden = true;
    return Ok{};
}

Answer<Written> Drafts::written_for(const DraftWish& wish, ReminderType type,
                                    const Customer& customer, const program::Actor& person) {
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
    transaction.put(books_.tables.tracking, table::to_item(draft)).if_absent("PK");
    for (const auto& customer : customers_of_draft(draft.id)) {
        if (customer == draft.customer_id) continue;
        transaction.check(books_.tables.tracking, draft_key(customer, draft.id)).if_absent("PK");
    }
}

Answer<Draft> Drafts::try_create(const DraftWish& wish, const program::Actor& person,
                                 std::optional<Written>& written) {
    auto customer = TRY(accounts_.require(wish.customer_id));
    auto assessment = TRY(assessor_.assess(customer, wish.type));
    const auto type = assessment.decision.type;
    TRY(allow(assessment, wish.override_reason, person));
    // A model is asked once, however often the rest is tried.
    if (!written) written = TRY(written_for(wish, type, assessment.customer, person));

    const auto now = books_.clock.now();
    auto draft = new_draft(assessment.customer, type, *written, now, person);
    draft.id = TRY(free_id(now, customer.customer_id));
    note_warnings(draft, customer, written->operators_text);
    const auto& decision = assessment.decision;
    if (decision.overridden) draft.override_with(*wish.override_reason, person, decision);
    customer.open_drafts[type] = {draft.id, draft.expires()};
    schedule::Transaction transaction;
    insert(transaction, draft);
    accounts_.save(transaction, customer);
    books_.counters.add(transaction, now, {counter::created});
    books_.audit.add(transaction, person,
                     entry_about(draft, "drafted",
                                 std::string(name_of(type)) + " by " + draft.created_by, decision));
    TRY(books_.commit(transaction));
    draft.rule_check = std::move(assessment.decision);
    return draft;
}

Answer<Draft> Drafts::create(const DraftWish& wish, const program::Actor& person) {
    std::optional<Written> written;
    return settled(books_.store.pauses(race_pauses),
                   [&] { return try_create(wish, person, written); });
}

}  // namespace mailroom::reminders
