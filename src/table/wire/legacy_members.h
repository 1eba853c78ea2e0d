// Parameters of the time before expressions, turned into the expressions that replaced them: below
// this folder there are expressions only.
#pragma once

#include "table/operations.h"
#include "table/wire/reader.h"

#include <span>
#include <string>
#include <string_view>

namespace mailroom::table::wire {

enum class Legacy {
    attributes_to_get,
    attribute_updates,
    expected,
    filter,  // QueryFilter, ScanFilter.
    key_conditions,
    conditional_operator,  // Joins the tests of Expected or of the filter.
};

struct LegacyMember {
    std::string_view name;
    Legacy kind;
    std::string* into = nullptr;  // The expression; ConditionalOperator has none.
};

// Reads those of the members that are given, writes what they mean into their expressions, and adds
// the names and values these refer to to `bind`. Returns what the third round says about them.
Complaint translate_legacy(Reader& reader, const Structure& in,
                           std::span<const LegacyMember> members, Bindings& bind);

}  // namespace mailroom::table::wire
