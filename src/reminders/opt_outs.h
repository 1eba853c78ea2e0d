// Who wants no reminders: a topic of people, so it is one truth wherever it is said: here, with the
// person, on their page of preferences, or by another program.
//
// A customer's row may have a no of its own: one that was noted before topics were, and a
// complaint, which only an administrator takes back. The row of an address (addresses.h) may have
// one, too.
#pragma once

#include "people/consent/topics.h"
#include "people/suppressions.h"
#include "reminders/addresses.h"
#include "reminders/customer.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::reminders {

inline constexpr std::string_view topic_id = "reminders";

// Who does not want the topic gets none, though they are no bulk mail.
people::MailKind mail_kind();

// Makes the topic if there is none: not on the page of preferences before the operator says so.
Answer<> add_topic(const people::TopicCatalog& topics);

// Thread-safe.
class OptOuts {
public:
    // Must outlive this object.
    explicit OptOuts(people::Suppressions& suppressions) : suppressions_(suppressions) {}

    // Why the customer may not be reminded, whatever the rules say; none: it may.
    Result<std::optional<std::string>> refusal(const Customer& customer,
                                               const AddressRow& address) const;
    // Why whoever reads there wants no reminders; none: they said nothing, or yes.
    Result<std::optional<std::string>> of(const std::string& email) const;
    // Says it in what is shown of these.
    Result<> note_in(std::span<Customer> customers) const;

    // In the caller's transaction, with the entry in the person's trail. `reason` as in Change.
    Result<> begin(schedule::Transaction& transaction, const std::string& email,
                   const std::string& reason, const program::Actor& person) const;
    Result<> end(schedule::Transaction& transaction, const std::string& email,
                 const program::Actor& person) const;
    // A complaint: no mail at all any more, and none about this.
    Result<> complain(schedule::Transaction& transaction, const std::string& email) const;
    // The transaction is a `conflict` if it has begun by then.
    Result<> require_none(schedule::Transaction& transaction, const std::string& email) const {
        return suppressions_.require_topic(transaction, std::string(topic_id), email);
    }

private:
    Result<bool> said_yes(const std::string& email) const;
    Result<bool> is_noted(const Customer& customer) const;

    people::Suppressions& suppressions_;
};

}  // namespace mailroom::reminders
