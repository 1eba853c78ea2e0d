// Where a list goes on: the last key of a page as opaque text, which is checked when it comes back.
#pragma once

#include "base/result.h"
#include "table/schema.h"
#include "table/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// What a client may ask of a list.
struct PageWish {
    static constexpr std::size_t limit_usual = 50, limit_max = 1000;
    std::size_t limit = limit_usual;
    std::optional<std::string> after;
};

// One page of a list.
template <class T>
struct Slice {
    std::vector<T> items;
    std::optional<std::string> next;  // None on the last page.
};

// The attributes of a table's key, or of an index and the table: what a last key consists of.
using KeyShape = std::vector<AttributeDefinition>;
// `table` says all attributes that are keys; an index must be one of its global ones.
KeyShape key_shape(const CreateTable& table, const std::string& index = "");

// `key` has all attributes of `shape`.
std::string cursor_of(const ItemView& key, const KeyShape& shape);
// `invalid` for what cursor_of() did not make for that shape. It may still be of another list of
// the same shape: the store refuses a key that is outside of the query.
Result<Item> parse_cursor(std::string_view cursor, const KeyShape& shape);
Error wrong_cursor();

}  // namespace mailroom::table
