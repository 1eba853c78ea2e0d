// Stands before every reminder that leaves, however it leaves: asks once more what its approval
// rested on.
#pragma once

#include "outbox/accept/outbox.h"
#include "outbox/sending/guard.h"
#include "reminders/accounts.h"
#include "reminders/assessment.h"
#include "reminders/draft.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

// Of the reason of a mail that was not let go: its draft is then cancelled, not failed.
inline constexpr std::string_view stopped_mark = "stopped: ";

// Thread-safe.
class MailGuard final : public outbox::Guard {
public:
    // All must outlive this object.
    MailGuard(Accounts& accounts, outbox::Outbox& outbox, people::Suppressions& suppressions)
        : books_(accounts.books()),
          accounts_(accounts),
          outbox_(outbox),
          assessor_(books_, suppressions) {}

    // The draft must still be approved and say what was approved, the customer must still owe what
    // it says at the address that it goes to, and the rules must still allow it; the customer's row
    // is a condition of leaving.
    Result<std::optional<std::string>> refusal(const outbox::Mail& mail,
                                               schedule::Transaction& leaving) override;
    // By the customer's hours and days.
    Result<std::optional<Time>> not_before(const outbox::Mail& mail) override;
    Result<std::optional<std::string>> decided_at(const outbox::Mail& mail,
                                                  Decision decision) override;

private:
    struct Reference {
        std::string customer_id, draft_id;
    };
    Result<std::optional<Reference>> reference_of(const outbox::Mail& mail);
    Result<std::optional<std::string>> refusal_of(const outbox::Mail& mail, const Reference& of,
                                                  schedule::Transaction& leaving);
    Result<std::optional<std::string>> ask_rules(const Draft& draft, const Customer& stored);

    Books& books_;
    Accounts& accounts_;
    outbox::Outbox& outbox_;
    const Assessor assessor_;
};

// Whether the customer still owes what a letter with these figures says: the same invoices, for the
// same sum. That others became overdue meanwhile makes no letter wrong.
bool is_still_owed(const Customer& customer, const Figures& figures, Time now);

// The drafts' jobs of delivery_queue tell what became of their mails.
outbox::Follow follow_of(const Draft& draft);

// "reminder:{draft}:{version}": of the mail of a draft that was approved in this version.
outbox::SendKey send_key_of(const Draft& draft);

}  // namespace mailroom::reminders
