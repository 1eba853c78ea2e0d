#include "reminders/addresses.h"

#include "base/text.h"
#include "mime/address.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

// One address for more customers than this is nobody in particular; the oldest are forgotten.
constexpr std::size_t entries_max = 200;

table::Item key_of(std::string_view address) {
    return {{"PK", "ADDRESS#" + std::string(address)}, {"SK", "REMINDERS"}};
}

table::Rows<AddressRow> rows_in(const Books& books) {
    return books.rows<AddressRow>(books.tables.reminders);
}

void save(schedule::Transaction& transaction, const Books& books, AddressRow row) {
    row.expires.reset();
    if (row.opt_out.empty()) {
        row.expires = books.clock.now() + std::chrono::days(books.policy.longest_window_days() + 1);
    }
    rows_in(books).save(transaction, row);
}

}  // namespace

void AddressRow::derive(const AddressRow& address, table::Item& row) {
    const auto key = key_of(address.address);
    for (const auto* part : {"PK", "SK"}) row.set(part, *key.find(part));
}

std::optional<Time> AddressRow::last_for_others(ReminderType type,
                                                std::string_view customer_id) const {
    std::optional<Time> last;
    for (const auto& entry : entries) {
        if (entry.type != type || entry.customer_id == customer_id) continue;
        if (!last || entry.at > *last) last = entry.at;
    }
    return last;
}

Result<AddressRow> read_address(const Books& books, std::string_view address) {
    const auto mailbox = TRY(mime::parse_address(trim(address)));
    const auto canonical = mime::canonical(mailbox);
    auto row = TRY(rows_in(books).find(key_of(canonical))).value_or(AddressRow{});
    row.address = canonical;
    return row;
}

void save_address(schedule::Transaction& transaction, const Books& books, AddressRow row,
                  std::string_view draft_id, std::optional<AddressRow::Entry> entry) {
    const auto needed_since =
        books.clock.now() - std::chrono::days(books.policy.longest_window_days());
    std::erase_if(row.entries, [&](const AddressRow::Entry& one) {
        return one.draft_id == draft_id || one.at < needed_since;
    });
    if (row.entries.size() >= entries_max) row.entries.erase(row.entries.begin());
    if (entry) row.entries.push_back(*std::move(entry));
    save(transaction, books, std::move(row));
}

void save_opt_out(schedule::Transaction& transaction, const Books& books, AddressRow row,
                  std::string_view reason) {
    row.opt_out = reason;
    save(transaction, books, std::move(row));
}

void forget_address(schedule::Transaction& transaction, const Books& books, const AddressRow& row) {
    if (row.version > 0) rows_in(books).erase(transaction, row);
}

void forget_customer(schedule::Transaction& transaction, const Books& books, AddressRow row,
                     std::string_view customer_id) {
    if (row.version == 0 && row.opt_out.empty()) return;
    std::erase_if(row.entries,
                  [&](const AddressRow::Entry& one) { return one.customer_id == customer_id; });
    if (row.entries.empty() && row.opt_out.empty()) {
        rows_in(books).erase(transaction, row);
        return;
    }
    save(transaction, books, std::move(row));
}

}  // namespace mailroom::reminders
