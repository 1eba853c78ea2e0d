// What reminders have of one person, by the address of their customers: for those who ask for it
// and for those who want to be forgotten.
//
// Invoices and payments have times of their own by law, so they stay, with a customer that has no
// name and no address any more; drafts, letters that were sent and the audit go. Privacy erases the
// rest when its time has come. A customer to whom a mail is under way waits until that is settled.
//   job of the queue   key: the hash of both   person S (canonical)   until N (ms)
#pragma once

#include "people/lifecycle/personal_data.h"
#include "reminders/accounts.h"
#include "reminders/privacy.h"
#include "schedule/crew.h"

#include <string>
#include <string_view>

namespace mailroom::reminders {

inline constexpr std::string_view forgetting_queue = "reminders.forgetting";

// Thread-safe.
class PersonalAccounts final : public people::PersonalData {
public:
    // Both must outlive this object.
    PersonalAccounts(Accounts& accounts, Privacy& privacy)
        : accounts_(accounts), privacy_(privacy), books_(accounts.books()) {}

    std::string_view name() const override { return "reminders"; }
    // Of each customer all that is known. Looks at all customers.
    Result<> show(const std::string& person, json::Writer& writer) override;
    // Where bills go is for the books to say: they stay.
    Result<> move(const std::string&, const std::string&) override { return Ok{}; }
    // It is certain when this returns, and done a little later.
    Result<> erase(const std::string& person) override;
    Result<> erase_until(const std::string& person, Time until) override;

    // Jobs of forgetting_queue.
    void run(schedule::JobInHand job);

private:
    Result<std::vector<Customer>> customers_of(const std::string& person) const;
    Result<> settle(schedule::Job& job);
    // Whether nothing of it is left to be done.
    Answer<bool> forget(const Customer& customer);

    Accounts& accounts_;
    Privacy& privacy_;
    Books& books_;
};

}  // namespace mailroom::reminders
