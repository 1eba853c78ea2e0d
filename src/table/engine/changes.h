// The rows that one change of an item touches: the item, its index entries, its expiry.
#pragma once

#include "kv/batch.h"
#include "table/engine/definition.h"
#include "table/engine/expiry_group.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// An item with its size, as DynamoDB counts it.
struct SizedItem {
    ItemView item;
    std::size_t bytes;
};

// What was written, for the capacity units and the counts.
struct Written {
    std::size_t item_bytes = 0;  // The larger of before and after.
    std::int64_t more_items = 0, more_bytes = 0;
    struct Entry {
        const IndexDefinition* index;
        std::size_t units = 0;  // Write units of the entries written and erased.
        std::int64_t more_items = 0, more_bytes = 0;
    };
    std::vector<Entry> entries;  // Those that changed.
};

// Adds to `batch` all that turns `before` into `after`; but the expiry row of a new item goes to
// `groups`, if there are any, which borrow `row`.
Written add_changes(const Definition& table, std::string_view row,
                    const std::optional<SizedItem>& before, const std::optional<SizedItem>& after,
                    kv::Batch& batch, ExpiryGroups* groups = nullptr);

// Adds the entries in indexes that are being built and, while time-to-live is being turned on, the
// expiry row of an item that was there before. Harmless when they are there already.
void add_missing_rows(const Definition& table, std::string_view row, const ItemView& item,
                      kv::Batch& batch);

}  // namespace mailroom::table
