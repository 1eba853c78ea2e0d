// The life of a reminder's draft, up to the moment when its mail is in the outbox. Nothing here
// sends mail: approving writes the outbox's rows in the transaction of the decision.
//
//   const auto draft = TRY(drafts.create({.customer_id = "cust_001"}, person));
//   … a person reads it …
//   TRY(drafts.approve(draft.id, draft.version, std::nullopt, other_person));
#pragma once

#include "outbox/accept/outbox.h"
#include "people/suppressions.h"
#include "reminders/accounts.h"
#include "reminders/assessment.h"
#include "reminders/author.h"
#include "reminders/books.h"
#include "reminders/draft.h"
#include "reminders/draft_asks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::reminders {

struct DraftSettings {
    std::string from;        // "Accounts <billing@example.com>"; empty: nothing can be approved.
    std::string reply_to;    // Empty: none.
    bool four_eyes = false;  // Whoever asked for or edited a draft may not approve it.
    Writer usual_writer = Writer::by_template;
};

// Thread-safe.
class Drafts {
public:
    // All must outlive this object.
    Drafts(Accounts& accounts, outbox::Outbox& outbox, people::Suppressions& suppressions,
           Author& author, DraftSettings settings);

    // Whether the customer may get that reminder now; of none, the one that comes next.
    Answer<Decision> check(const CheckCustomer& asked);

    // `conflict` with the decision if a rule forbids it; `provider` if the model does not help, and
    // then there is no draft.
    Answer<Draft> create(const DraftWish& wish, const program::Actor& person);

    // `not_found`; `gone` for one that expired.
    Answer<Draft> find(const std::string& draft_id);
    // The same, and of one that waits, whether it may be sent now.
    Answer<Draft> find_with_check(const std::string& draft_id);
    // Drafts that have expired are left out.
    Result<table::Slice<Draft>> list(const DraftFilter& filter, const table::PageWish& wish);

    // Each of these is a `conflict`, with the status and the version there are, if the draft is not
    // as the caller saw it.
    // A new version, whose figures are those of now.
    Answer<Draft> edit(const std::string& draft_id, const DraftEdit& edit,
                       const program::Actor& person);
    Answer<Draft> reject(const std::string& draft_id, const Rejection& rejection,
                         const program::Actor& person);
    // One that is not approved: for the others see deliveries.h.
    Answer<Draft> cancel(const std::string& draft_id, const std::string& reason,
                         const program::Actor& person);
    // After this the mail will leave, even if we crash, unless its guard stops it (mail_guard.h).
    // Asks the rules again, and the balance and the list of suppressed addresses, in the
    // transaction that queues the mail. `conflict`: nothing_overdue, and the draft is cancelled;
    // stale_draft with the new figures; content_changed if another text is there.
    Answer<Draft> approve(const std::string& draft_id, const Consent& consent,
                          const program::Actor& person);

    // For whoever decides about a draft again (deliveries.h). `draft` keeps a new override.
    Answer<> allow_draft(Assessment& assessment, Draft& draft,
                         const std::optional<std::string>& override_reason,
                         const program::Actor& person) const;
    Answer<> check_eyes(const Draft& draft, const program::Actor& person) const;
    const Assessor& assessor() const { return assessor_; }

    // Replaces the row, if it still has the status, the version and the text of `before`.
    void save(schedule::Transaction& transaction, const Draft& before, const Draft& after) const;

private:
    Answer<> allow(Assessment& assessment, const std::optional<std::string>& override_reason,
                   const program::Actor& person) const;
    Answer<Draft> try_create(const DraftWish& wish, const program::Actor& person,
                             std::optional<Written>& written);
    Answer<Written> written_for(const DraftWish& wish, ReminderType type, const Customer& customer,
                                const program::Actor& person);
    void insert(schedule::Transaction& transaction, const Draft& draft) const;
    void note_warnings(Draft& draft, const Customer& customer, std::string operators_text) const;
    Result<std::string> free_id(Time now, const std::string& customer_id);

    Answer<Draft> require_open(const std::string& draft_id, std::optional<std::int64_t> version);
    Answer<Letter> edited_letter(const Draft& draft, const DraftEdit& edit,
                                 const Customer& customer, Draft& changed);
    Answer<Draft> close(const Draft& draft, DraftStatus status, const CodedReason& reason,
                        const program::Actor& person);

    struct Approval;
    Answer<Approval> decide_approval(const std::string& draft_id, const Consent& consent,
                                     const program::Actor& person);
    Answer<> write_approval(Approval& approval, const program::Actor& person);
    Answer<> check_balance(const Draft& draft, const Customer& customer,
                           const program::Actor& person);
    Answer<> queue_mail(schedule::Transaction& transaction, Draft& draft,
                        std::optional<Time> leaves_at);

    Books& books_;
    Accounts& accounts_;
    outbox::Outbox& outbox_;
    people::Suppressions& suppressions_;
    Author& author_;
    const DraftSettings settings_;
    const Assessor assessor_;
};

}  // namespace mailroom::reminders
