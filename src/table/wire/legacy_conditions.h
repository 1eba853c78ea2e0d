// The tests of Expected, KeyConditions, QueryFilter and ScanFilter. Private to this folder.
#pragma once

#include "table/wire/reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::wire {

enum class Comparison {
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    between,
    in,
    begins_with,
    contains,
    not_contains,
    exists,  // NOT_NULL
    absent,  // NULL
};

// One attribute and what it is held against.
struct LegacyTest {
    std::string attribute;
    Comparison comparison = Comparison::equal;
    std::vector<Value> values;
};

// An entry of KeyConditions, QueryFilter or ScanFilter. `complaint` takes the first thing that the
// third round finds.
LegacyTest read_condition(Reader& reader, const Place& entry, Complaint& complaint);
// An entry of Expected.
LegacyTest read_expectation(Reader& reader, const Place& entry, Complaint& complaint);

// Whether a Query can look it up by key.
bool is_indexable(Comparison comparison);

}  // namespace mailroom::table::wire
