// Attributes of any type as JSON has them, and the other way round.
#pragma once

#include "base/result.h"
#include "json/json.h"
#include "json/writer.h"
#include "table/value.h"

#include <string_view>

namespace mailroom::people {

// Lists and objects as lists and maps, whatever is in them; more than 30 levels are `invalid`, as
// they are to the tables.
Result<table::Value> value_of(const json::View& view);

// Numbers in all their digits, sets as lists, bytes as base64.
void write_value(json::Writer& writer, const table::ValueView& value);
// The members of an item, into an object that is open.
void write_values(json::Writer& writer, const table::ItemView& item);

}  // namespace mailroom::people
