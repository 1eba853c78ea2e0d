// What was sent to an address lately, whichever customer it was for: a customer that was entered
// twice is still one person.
//
//   ADDRESS#{address in canonical form}   REMINDERS
//     version N   reminders L of { type S, at N (ms), customer S, draft S }   expires_at N
//     opt_out S (a reason): whoever reads there wants no reminders, for whichever customer; such a
//     row does not expire
#pragma once

#include "reminders/books.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

struct AddressRow {
    struct Entry {
        ReminderType type;
        Time at;
        std::string customer_id, draft_id;
    };
    std::string address;  // Canonical.
    std::int64_t version = 0;
    std::vector<Entry> entries;
    std::string opt_out;  // Why; empty: there is none.

    // Of another customer than this one.
    std::optional<Time> last_for_others(ReminderType type, std::string_view customer_id) const;
};

// `invalid` if it is no address.
Result<AddressRow> read_address(const Books& books, std::string_view address);
// Adds the entry, or replaces the one of the same draft; without one takes that of the draft out.
// What no window reaches is dropped. The transaction is refused if somebody changed the row since.
void save_address(schedule::Transaction& transaction, const Books& books, AddressRow row,
                  std::string_view draft_id, std::optional<AddressRow::Entry> entry);
// Begins an opt-out, or ends it with an empty reason.
void save_opt_out(schedule::Transaction& transaction, const Books& books, AddressRow row,
                  std::string_view reason);
// Takes out all that is about a customer, but keeps an opt-out of the address.
void forget_customer(schedule::Transaction& transaction, const Books& books, AddressRow row,
                     std::string_view customer_id);

}  // namespace mailroom::reminders
