#include "table/engine/changes.h"

#include "table/engine/expiry.h"
#include "table/engine/keys.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

constexpr std::size_t write_unit_bytes = 1024;

std::size_t write_units(std::size_t bytes) {
    return std::max<std::size_t>(1, (bytes + write_unit_bytes - 1) / write_unit_bytes);
}

struct Entry {
    std::optional<std::string> row;
    std::string value;
    std::size_t size = 0;  // As DynamoDB counts it.
};

Entry make_entry(const Definition& table, const IndexDefinition& index,
                 const std::optional<ItemView>& item) {
    Entry entry;
    if (!item) return entry;
    entry.row = entry_row(table, index, *item);
    if (!entry.row) return entry;
    entry.value = entry_value(table, index, *item);
    entry.size = ItemView(entry.value).size_in_item();
    return entry;
}

// DynamoDB charges an index for the entry it writes, and once more for one it erases elsewhere.
std::size_t change_entry(const IndexDefinition& index, const Entry& before, const Entry& after,
                         kv::Batch& batch) {
    if (before.row == after.row && before.value == after.value) return 0;
    std::size_t units = 0;
    if (before.row && before.row != after.row) {
        batch.erase(*before.row);
        units += write_units(before.size);
    }
    if (after.row) {
        batch.put(*after.row, after.value);
        units += write_units(after.size);
    }
    const auto items = static_cast<std::int64_t>(after.row.has_value()) -
                       static_cast<std::int64_t>(before.row.has_value());
    index.counter->add(
        items, static_cast<std::int64_t>(after.size) - static_cast<std::int64_t>(before.size));
    return units;
}

void change_expiry(const Definition& table, std::string_view row,
                   const std::optional<ItemView>& before, const std::optional<ItemView>& after,
                   kv::Batch& batch) {
    if (table.ttl_attribute.empty()) return;
    const auto old_second = before ? expiry_second(table, *before) : std::nullopt;
    const auto new_second = after ? expiry_second(table, *after) : std::nullopt;
    if (old_second == new_second) return;
    if (old_second) batch.erase(expiry_key(table.id, *old_second, item_key_of(row)));
    if (new_second) batch.put(expiry_key(table.id, *new_second, item_key_of(row)), {});
}

}  // namespace

Written add_changes(const Definition& table, std::string_view row,
                    const std::optional<ItemView>& before, const std::optional<ItemView>& after,
                    kv::Batch& batch) {
    const auto before_bytes = before ? before->size_in_item() : 0;
    const auto after_bytes = after ? after->size_in_item() : 0;
    Written written;
    written.item_bytes = std::max(before_bytes, after_bytes);
    if (after) {
        batch.put(row, after->bytes());
    } else {
        batch.erase(row);
    }
    for (const auto& index : table.indexes) {
        if (index.status == IndexStatus::deleting) continue;
        const auto units = change_entry(index, make_entry(table, index, before),
                                        make_entry(table, index, after), batch);
        if (units > 0) written.entries.push_back({&index, units});
    }
    change_expiry(table, row, before, after, batch);
    table.counter->add(
        static_cast<std::int64_t>(after.has_value()) -
            static_cast<std::int64_t>(before.has_value()),
        static_cast<std::int64_t>(after_bytes) - static_cast<std::int64_t>(before_bytes));
    return written;
}

void add_missing_rows(const Definition& table, std::string_view row, const ItemView& item,
                      kv::Batch& batch) {
    for (const auto& index : table.indexes) {
        if (!index.backfilling) continue;
        const auto entry = make_entry(table, index, item);
        if (entry.row) batch.put(*entry.row, entry.value);
    }
    if (!table.ttl_backfilling) return;
    if (const auto second = expiry_second(table, item)) {
        batch.put(expiry_key(table.id, *second, item_key_of(row)), {});
    }
}

}  // namespace mailroom::table
