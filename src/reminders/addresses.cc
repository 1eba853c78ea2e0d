#include "reminders/addresses.h"

#include "base/text.h"
#include "mime/address.h"
#include "reminders/row_fields.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

// One address for more customers than this is nobody in particular; the oldest are forgotten.
constexpr std::size_t entries_max = 200;

table::Item key_of(std::string_view address) {
    return {{"PK", "ADDRESS#" + std::string(address)}, {"SK", "REMINDERS"}};
}

void read_entries(const RowFields& item, AddressRow& row) {
    for (const auto& map : item.maps("reminders")) {
        const auto type = reminder_type_named(map.text("type"));
        if (!type) continue;
        row.entries.push_back(
            {*type, from_unix_ms(map.number("at")), map.text("customer"), map.text("draft")});
    }
}

void put(schedule::Transaction& transaction, const Books& books, const AddressRow& row) {
    std::vector<table::Value> list;
    for (const auto& entry : row.entries) {
        const table::Item map{{"type", name_of(entry.type)},
                              {"at", to_unix_ms(entry.at)},
                              {"customer", entry.customer_id},
                              {"draft", entry.draft_id}};
        list.push_back(table::Value::map(map));
    }
    auto item = key_of(row.address);
    const auto until =
        books.clock.now() + std::chrono::days(books.policy.longest_window_days() + 1);
    item.set("version", table::Value(row.version + 1));
    item.set("reminders", table::Value::list(list));
    if (row.opt_out.empty()) item.set("expires_at", table::Value(to_unix_seconds(until)));
    if (!row.opt_out.empty()) item.set("opt_out", table::Value(row.opt_out));
    auto& write = transaction.put(books.tables.reminders, std::move(item));
    if (row.version == 0) write.if_absent("PK");
    if (row.version != 0) write.when("version", row.version);
}

}  // namespace

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
    AddressRow row;
    row.address = mime::canonical(mailbox);
    const auto item = TRY(books.get(books.tables.reminders, key_of(row.address)));
    if (!item) return row;
    row.version = item->integer("version").value_or(0);
    row.opt_out = item->text("opt_out").value_or("");
    read_entries(*item, row);
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
    put(transaction, books, row);
}

void save_opt_out(schedule::Transaction& transaction, const Books& books, AddressRow row,
                  std::string_view reason) {
    row.opt_out = reason;
    put(transaction, books, row);
}

void forget_customer(schedule::Transaction& transaction, const Books& books, AddressRow row,
                     std::string_view customer_id) {
    if (row.version == 0 && row.opt_out.empty()) return;
    std::erase_if(row.entries,
                  [&](const AddressRow::Entry& one) { return one.customer_id == customer_id; });
    if (row.entries.empty() && row.opt_out.empty()) {
        transaction.erase(books.tables.reminders, key_of(row.address)).when("version", row.version);
        return;
    }
    put(transaction, books, row);
}

}  // namespace mailroom::reminders
