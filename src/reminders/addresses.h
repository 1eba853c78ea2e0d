// What was sent to an address lately, whichever customer it was for: a customer that was entered
// twice is still one person.
//
// MailroomReminders, ADDRESS#{address in canonical form} / REMINDERS. One with an opt-out does not
// expire: whoever reads there wants no reminders, for whichever customer.
#pragma once

#include "reminders/books.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

using namespace table::fields;

struct AddressRow {
    struct Entry {
        ReminderType type = ReminderType::first;
        Time at;
        std::string customer_id, draft_id;

        static constexpr std::string_view record_name = "AddressEntry";
        static constexpr auto fields =
            std::tuple{must_have("type", "", &Entry::type), stored("at", &Entry::at),
                       stored("customer", &Entry::customer_id), stored("draft", &Entry::draft_id)};
    };
    std::string address;  // Canonical.
    std::int64_t version = 0;
    std::vector<Entry> entries;
    std::string opt_out;          // Why; empty: there is none.
    std::optional<Time> expires;  // None: it does not.

    static constexpr std::string_view record_name = "AddressRow";
    static constexpr auto fields = std::tuple{
        stored("version", &AddressRow::version), stored("reminders", &AddressRow::entries),
        stored_if_any("opt_out", &AddressRow::opt_out),
        spelled<table::InSeconds>(stored("expires_at", &AddressRow::expires))};
    static void derive(const AddressRow& address, table::Item& row);
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
// All of it goes.
void forget_address(schedule::Transaction& transaction, const Books& books, const AddressRow& row);
// Takes out all that is about a customer, but keeps an opt-out of the address.
void forget_customer(schedule::Transaction& transaction, const Books& books, AddressRow row,
                     std::string_view customer_id);

}  // namespace mailroom::reminders
