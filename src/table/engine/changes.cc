#include "table/engine/changes.h"

#include "table/engine/entry.h"
#include "table/engine/expiry.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

constexpr std::size_t write_unit_bytes = 1024;

std::size_t write_units(std::size_t bytes) {
    return std::max<std::size_t>(1, (bytes + write_unit_bytes - 1) / write_unit_bytes);
}

std::int64_t difference(std::size_t before, std::size_t after) {
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

// DynamoDB charges an index for the entry it writes, and once more for one it erases elsewhere.
// None: the entry stays as it is.
std::optional<Written::Entry> change_entry(const IndexDefinition& index,
                                           const std::optional<SizedItem>& before,
                                           const std::optional<SizedItem>& after,
                                           kv::Batch& batch) {
    const auto old_entry = before ? Entry::of(index, before->item) : std::nullopt;
    const auto new_entry = after ? Entry::of(index, after->item) : std::nullopt;
    if (!old_entry && !new_entry) return std::nullopt;
    const bool same_row = old_entry && new_entry && old_entry->has_row_of(*new_entry);
    if (same_row && old_entry->has_value_of(*new_entry)) return std::nullopt;

    const auto old_size = old_entry ? old_entry->size(before->bytes) : 0;
    const auto new_size = new_entry ? new_entry->size(after->bytes) : 0;
    Written::Entry written{&index, 0, difference(old_entry.has_value(), new_entry.has_value()),
                           difference(old_size, new_size)};
    if (old_entry && !same_row) {
        batch.erase(old_entry->row());
        written.units += write_units(old_size);
    }
    if (new_entry) {
        batch.put(new_entry->row(), new_entry->value());
        written.units += write_units(new_size);
    }
    return written;
}

void change_expiry(const Definition& table, std::string_view row,
                   const std::optional<SizedItem>& before, const std::optional<SizedItem>& after,
                   kv::Batch& batch, ExpiryGroups* groups) {
    if (table.ttl_attribute.empty()) return;
    const auto old_second = before ? expiry_second(table, before->item) : std::nullopt;
    const auto new_second = after ? expiry_second(table, after->item) : std::nullopt;
    if (old_second == new_second) return;
    if (groups != nullptr && !before) return groups->add(row, *new_second);
    if (old_second) batch.erase(expiry_key(table.id, *old_second, item_key_of(row)));
    if (new_second) batch.put(expiry_key(table.id, *new_second, item_key_of(row)), {});
}

}  // namespace

Written add_changes(const Definition& table, std::string_view row,
                    const std::optional<SizedItem>& before, const std::optional<SizedItem>& after,
                    kv::Batch& batch, ExpiryGroups* groups) {
    const auto before_bytes = before ? before->bytes : 0;
    const auto after_bytes = after ? after->bytes : 0;
    Written written;
    written.item_bytes = std::max(before_bytes, after_bytes);
    written.more_items = difference(before.has_value(), after.has_value());
    written.more_bytes = difference(before_bytes, after_bytes);
    if (after) {
        batch.put(row, after->item.bytes());
    } else {
        batch.erase(row);
    }
    for (const auto& index : table.indexes) {
        if (index.status == IndexStatus::deleting) continue;
        const auto entry = change_entry(index, before, after, batch);
        if (entry) written.entries.push_back(*entry);
    }
    change_expiry(table, row, before, after, batch, groups);
    return written;
}

void add_missing_rows(const Definition& table, std::string_view row, const ItemView& item,
                      kv::Batch& batch) {
    for (const auto& index : table.indexes) {
        if (!index.backfilling) continue;
        if (const auto entry = Entry::of(index, item)) batch.put(entry->row(), entry->value());
    }
    if (!table.ttl_backfilling) return;
    if (const auto second = expiry_second(table, item)) {
        batch.put(expiry_key(table.id, *second, item_key_of(row)), {});
    }
}

}  // namespace mailroom::table
