// The expressions of a request, with the names and values they refer to.
#pragma once

#include "table/operations.h"
#include "table/wire/legacy_members.h"
#include "table/wire/reader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table::wire {

// Whether an expression can refer to ExpressionAttributeValues.
enum class Takes { names, names_and_values };

// An expression parameter and where its text goes.
struct ExpressionMember {
    std::string_view name;
    std::string* into;
    Takes takes = Takes::names_and_values;
};

// Both lists, in the order in which DynamoDB names them, must outlive this object.
class ExpressionMembers {
public:
    ExpressionMembers(Reader& reader, const Structure& in,
                      std::span<const ExpressionMember> expressions,
                      std::span<const LegacyMember> legacy);

    // Of the third round: whether these parameters may stand together.
    std::optional<Failure> check_presence() const;
    // Of the third round, later: whether names and values are well formed, no expression is empty
    // and older parameters mean something. The expressions themselves are parsed elsewhere.
    std::optional<Failure> check_content() const;

    // Whether an expression, or a parameter of the time before expressions, is given.
    bool given(std::string_view parameter) const;
    Bindings take_bindings() { return std::move(bind_); }

private:
    void read_names(Reader& reader, const Place& place);
    void read_values(Reader& reader, const Place& place);
    std::uint32_t key_conditions_bit() const;
    std::string mixed_legacy() const;
    std::string given_expressions() const;
    bool any_value_expression_given() const;

    std::span<const ExpressionMember> expressions_;
    std::span<const LegacyMember> legacy_;
    std::uint32_t given_ = 0, legacy_given_ = 0;  // A bit per member of the lists.
    // Older parameters that may not stand beside the expressions given. KeyConditions may, unless
    // its own expression is there too.
    std::uint32_t mixed_ = 0;
    bool names_given_ = false, values_given_ = false;
    Bindings bind_;
    Complaint refused_name_, refused_value_, refused_legacy_;
};

}  // namespace mailroom::table::wire
