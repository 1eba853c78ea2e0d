// When items expire (time-to-live), and the sweep that deletes those that have.
#pragma once

#include "table/engine/definition.h"
#include "table/failure.h"
#include "table/value.h"

#include <cstdint>
#include <optional>

namespace mailroom::table {

struct Core;
class Writer;

// The Unix second after which the item is expired; none when it does not expire.
std::optional<std::uint64_t> expiry_second(const Definition& table, const ItemView& item);

// Deletes items that are expired now, at most `limit`; returns how many. Reads rows that are due
// and no others.
Outcome<std::size_t> sweep_expired_items(Core& core, Writer& writer, std::size_t limit);

}  // namespace mailroom::table
