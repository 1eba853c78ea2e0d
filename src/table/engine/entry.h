// The entry of an item in an index.
#pragma once

#include "table/engine/definition.h"
#include "table/expression/inline_array.h"
#include "table/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table {

// Finds the attributes that the entry is made of in one pass over the item, and makes of them only
// what is asked for. Borrows the index and the item.
class Entry {
public:
    // None when the item has no place in the index.
    static std::optional<Entry> of(const IndexDefinition& index, const ItemView& item);

    std::string row() const;
    // What the row holds: the attributes that the index projects.
    std::string value() const;
    // The size of the value, as DynamoDB counts it; `item_bytes` is that of the item.
    std::size_t size(std::size_t item_bytes) const;

    // These two ask about entries in the same index.
    bool has_row_of(const Entry& other) const;
    bool has_value_of(const Entry& other) const;

private:
    static constexpr std::size_t inline_attributes = 8;
    Entry(const IndexDefinition& index, const ItemView& item);
    bool fits() const;
    bool projects_all() const { return index_->spec.projection.kind == ProjectionKind::all; }

    const IndexDefinition* index_;
    ItemView item_;
    // In the order of EntryShape; what the item lacks is empty.
    InlineArray<ValueView, inline_attributes> values_;
};

// The row of the item's entry in the index; none when the item has no place in it.
std::optional<std::string> entry_row(const IndexDefinition& index, const ItemView& item);

}  // namespace mailroom::table
