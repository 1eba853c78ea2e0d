// What people do with drafts before they decide to send them.
#include "reminders/counters.h"
#include "reminders/drafts.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t reason_bytes_max = 500;

void add_author(Draft& draft, const program::Actor& person) {
    for (auto& name : names_of_author(person)) {
        const auto known = std::ranges::find(draft.author_ids, name);
        if (known == draft.author_ids.end()) draft.author_ids.push_back(std::move(name));
    }
}

}  // namespace

void Drafts::save(schedule::Transaction& transaction, const Draft& before,
                  const Draft& after) const {
    auto& put = transaction.put(books_.tables.tracking, table::to_item(after));
    put.when("status", before.stored_status);
    // Other programs know nothing of versions.
    if (!before.letter.subject.empty()) put.when("email_subject", before.letter.subject);
    if (!before.letter.text.empty()) put.when("email_content", before.letter.text);
    // As it was read: drafts of other programs have none, or one that is no number.
    if (before.stored_version) {
        put.when("version", *before.stored_version);
    } else {
        put.if_absent("version");
    }
}

Answer<Draft> Drafts::require_open(const std::string& draft_id,
                                   std::optional<std::int64_t> version) {
    auto draft = TRY(find(draft_id));
    const bool as_seen =
        draft.status == DraftStatus::draft && (!version || *version == draft.version);
    if (!as_seen) return changed_meanwhile(draft);
    return draft;
}

Answer<Letter> Drafts::edited_letter(const Draft& draft, const DraftEdit& edit,
                                     const Customer& customer, Draft& changed) {
    if (edit.rebuild) {
        const auto writer =
            draft.created_by == "ai_system" ? Writer::by_model : Writer::by_template;
        auto written = TRY(author_.write(
            customer, {.type = draft.type, .writer = writer, .template_id = draft.template_id}));
        changed.template_id = std::move(written.template_id);
        changed.template_version = written.template_version;
        changed.created_by = std::move(written.created_by);
        return std::move(written.letter);
    }
    auto letter = draft.letter;
    if (edit.subject) letter.subject = *edit.subject;
    if (edit.text) {
        letter.text = *edit.text;
        letter.html = html_of(letter.text, author_.company_name());
    }
    if (edit.html) letter.html = *edit.html;
    TRY(check_letter(letter));
    return letter;
}

Answer<Draft> Drafts::edit(const std::string& draft_id, const DraftEdit& edit,
                           const program::Actor& person) {
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Draft> {
        const auto before = TRY(require_open(draft_id, edit.version));
        const auto stored = TRY(accounts_.require(before.customer_id));
        const auto customer = TRY(assessor_.with_records(stored));
        auto draft = before;
        draft.letter = TRY(edited_letter(before, edit, customer, draft));
        draft.version += 1;
        draft.figures = customer.figures(books_.clock.now());
        draft.customer_name = customer.name;
        draft.customer_email = customer.email;
        draft.content_hash = content_hash_of(draft);
        note_warnings(draft, customer,
                      TRY(author_.operators_text(draft.template_id, draft.template_version)));
        add_author(draft, person);
        schedule::Transaction transaction;
        save(transaction, before, draft);
        auto entry = entry_about(draft, edit.rebuild ? "rebuilt" : "edited",
                                 "version " + std::to_string(draft.version));
        entry.before = before.letter;
        books_.audit.add(transaction, person, std::move(entry));
        TRY(books_.commit(transaction));
        return draft;
    });
}

// The end of a draft that was not approved.
Answer<Draft> Drafts::close(const Draft& before, DraftStatus status, const CodedReason& reason,
                            const program::Actor& person) {
    auto draft = before;
    draft.status = status;
    draft.reason_code = reason.code;
    draft.reason = reason.text;
    if (status == DraftStatus::rejected) draft.rejected_by = person.name;
    schedule::Transaction transaction;
    save(transaction, before, draft);
    auto customer = TRY(accounts_.find(draft.customer_id));
    if (customer) {
        customer->close_draft(draft.type, draft.id);
        accounts_.save(transaction, *customer);
    }
    const bool is_rejected = status == DraftStatus::rejected;
    books_.counters.add(transaction, books_.clock.now(),
                        {is_rejected ? counter::rejected : counter::cancelled});
    books_.audit.add(transaction, person,
                     entry_about(draft, std::string(name_of(status)), reason.text));
    TRY(books_.commit(transaction));
    return draft;
}

Answer<Draft> Drafts::reject(const std::string& draft_id, const Rejection& rejection,
                             const program::Actor& person) {
    const auto& reason = rejection.reason;
    if (reason.empty() || reason.size() > reason_bytes_max) {
        return Refusal::bad_field("reason", "must be 1 to 500 bytes of text");
    }
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Draft> {
        const auto draft = TRY(require_open(draft_id, rejection.version));
        return close(draft, DraftStatus::rejected, {std::string(reason_code::rejected), reason},
                     person);
    });
}

Answer<Draft> Drafts::cancel(const std::string& draft_id, const std::string& reason,
                             const program::Actor& person) {
    if (reason.size() > reason_bytes_max) {
        return Refusal::bad_field("reason", "must be at most 500 bytes of text");
    }
    return settled(books_.store.pauses(race_pauses), [&]() -> Answer<Draft> {
        const auto draft = TRY(require_open(draft_id, std::nullopt));
        return close(draft, DraftStatus::cancelled, {std::string(reason_code::cancelled), reason},
                     person);
    });
}

}  // namespace mailroom::reminders
