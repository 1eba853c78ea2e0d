// The rules, asked about a customer as it is now.
#pragma once

#include "outbox/suppressions.h"
#include "reminders/addresses.h"
#include "reminders/books.h"
#include "reminders/customer.h"
#include "reminders/rules.h"

#include <string_view>

namespace mailroom::reminders {

struct Assessment {
    Decision decision;
    AddressRow address;  // What the decision rests on beside the customer's row.
};

// Thread-safe.
class Assessor {
public:
    // Both must outlive this object.
    Assessor(const Books& books, outbox::Suppressions& suppressions)
        : books_(books), suppressions_(suppressions) {}

    // If anything cannot be read there is no decision: nothing may be sent on one that was guessed.
    // A draft that is being decided about does not stand in its own way: `own_draft_id`.
    Answer<Assessment> assess(const Customer& customer, ReminderType type,
                              std::string_view own_draft_id = {}) const;

private:
    const Books& books_;
    outbox::Suppressions& suppressions_;
};

}  // namespace mailroom::reminders
