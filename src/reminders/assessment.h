// The rules, asked about a customer as it is now.
#pragma once

#include "people/suppressions.h"
#include "reminders/addresses.h"
#include "reminders/books.h"
#include "reminders/customer.h"
#include "reminders/opt_outs.h"
#include "reminders/rules.h"

#include <optional>
#include <string_view>

namespace mailroom::reminders {

struct Assessment {
    Decision decision;
    AddressRow address;  // What the decision rests on beside the customer's row.
    Customer customer;   // As with_records() has it. Not to be saved.
};

// Whether it is about a reminder that was approved and is about to leave: that another one is being
// drafted does not keep it back.
enum class Leaving { no, yes };

// Thread-safe.
class Assessor {
public:
    // Both must outlive this object.
    Assessor(const Books& books, people::Suppressions& suppressions)
        : books_(books), opt_outs_(suppressions) {}

    // About that type, or the one that comes next. If anything cannot be read there is no decision:
    // nothing may be sent on one that was guessed. A draft that is being decided about does not
    // stand in its own way: `own_draft_id`.
    Answer<Assessment> assess(const Customer& customer, std::optional<ReminderType> type,
                              std::string_view own_draft_id = {},
                              Leaving leaving = Leaving::no) const;

    // The customer with the records of what was sent to it, whoever wrote them: they are past
    // reminders; and with only the invoices that it may be reminded of. Not to be saved.
    Result<Customer> with_records(const Customer& customer) const;

private:
    void note_overdue(Situation& situation, const Customer& customer, const Customer& seen,
                      Time now) const;

    const Books& books_;
    const OptOuts opt_outs_;
};

}  // namespace mailroom::reminders
