#include "table/wire/legacy_conditions.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";

constexpr Choice<Comparison> comparisons[] = {
    {"IN", Comparison::in},
    {"NULL", Comparison::absent},
    {"BETWEEN", Comparison::between},
    {"LT", Comparison::less},
    {"NOT_CONTAINS", Comparison::not_contains},
    {"EQ", Comparison::equal},
    {"GT", Comparison::greater},
    {"NOT_NULL", Comparison::exists},
    {"NE", Comparison::not_equal},
    {"LE", Comparison::less_equal},
    {"BEGINS_WITH", Comparison::begins_with},
    {"GE", Comparison::greater_equal},
    {"CONTAINS", Comparison::contains},
};

std::string comparison_name(Comparison comparison) {
    for (const auto& choice : comparisons) {
        if (choice.value == comparison) return std::string(choice.text);
    }
    return "";
}

void complain(Complaint& complaint, const std::string& message) {
    if (!complaint) complaint = std::string(one_or_more) + message;
}

bool count_fits(Comparison comparison, std::size_t count) {
    switch (comparison) {
        case Comparison::exists:
        case Comparison::absent:
            return count == 0;
        case Comparison::between:
            return count == 2;
        case Comparison::in:
            return count >= 1;
        default:
            return count == 1;
    }
}

bool type_fits(Comparison comparison, Kind kind) {
    const bool is_text = kind == Kind::string || kind == Kind::binary;
    switch (comparison) {
        case Comparison::equal:
        case Comparison::not_equal:
            return true;
        case Comparison::begins_with:
            return is_text;
        case Comparison::contains:
        case Comparison::not_contains:
            return !is_set(kind) && kind != Kind::list && kind != Kind::map;
        default:
            return is_text || kind == Kind::number;
    }
}

void check_values(const LegacyTest& test, Complaint& complaint) {
    const auto name = comparison_name(test.comparison);
    if (!count_fits(test.comparison, test.values.size())) {
        return complain(complaint,
                        "Invalid number of argument(s) for the " + name + " ComparisonOperator");
    }
    for (const auto& value : test.values) {
        const auto kind = value.view().kind();
        if (!type_fits(test.comparison, kind)) {
            return complain(complaint, "ComparisonOperator " + name + " is not valid for " +
                                           std::string(type_name(kind)) + " AttributeValue type");
        }
        if (kind != test.values.front().view().kind()) {
            return complain(
                complaint,
                "AttributeValues inside AttributeValueList must all be of the same type");
        }
    }
    if (test.comparison != Comparison::between || complaint) return;
    if (test.values[0].view().payload() > test.values[1].view().payload()) {
        complaint =
            "The BETWEEN condition was provided a range where the lower bound is greater than the "
            "upper bound";
    }
}

void read_value(Reader& reader, const Place& place, LegacyTest& test, Complaint& complaint) {
    std::string bytes;
    auto found = reader.attributes.append_value(place.json, bytes);
    // Bytes that were refused mean nothing: an empty value stands in, and the request is refused.
    if (found || reader.problems.is_malformed()) bytes = Value::null().encoded();
    if (found && !complaint) complaint = std::move(found);
    test.values.push_back(Value::from_encoded(std::move(bytes)));
}

void read_values(Reader& reader, const Place& list, LegacyTest& test, Complaint& complaint) {
    reader.elements(list,
                    [&](const Place& element) { read_value(reader, element, test, complaint); });
}

// What the members of an entry of Expected say about each other.
void check_together(const std::string& attribute, std::optional<Comparison> comparison,
                    const Place& list, const Place& value, std::optional<bool> exists,
                    Complaint& complaint) {
    const auto at = " for Attribute: " + attribute;
    if (list && value) {
        return complain(complaint, "Value and AttributeValueList cannot be used together" + at);
    }
    if (comparison) {
        if (exists) {
            return complain(complaint,
                            "Exists and ComparisonOperator cannot be used together" + at);
        }
        const bool needs_none =
            *comparison == Comparison::exists || *comparison == Comparison::absent;
        if (!needs_none && !list && !value) {
            complain(complaint,
                     "Value or AttributeValueList must be used with "
                     "ComparisonOperator: " +
                         comparison_name(*comparison) + at);
        }
        return;
    }
    if (list) {
        return complain(complaint,
                        "AttributeValueList can only be used with a ComparisonOperator" + at);
    }
    if (exists == false && value) {
        return complain(complaint, "Value cannot be used when Exists is false" + at);
    }
    if (exists != false && !value) {
        complain(complaint, std::string("Value must be provided when Exists is ") +
                                (exists ? "true" : "null") + at);
    }
}

}  // namespace

bool is_indexable(Comparison comparison) {
    switch (comparison) {
        case Comparison::equal:
        case Comparison::less:
        case Comparison::less_equal:
        case Comparison::greater:
        case Comparison::greater_equal:
        case Comparison::between:
        case Comparison::begins_with:
            return true;
        default:
            return false;
    }
}

LegacyTest read_condition(Reader& reader, const Place& entry, Complaint& complaint) {
    const Structure in(reader.problems, entry, "Condition", Holder::collection);
    LegacyTest test;
    test.attribute = entry.name;
    const auto comparison = in["ComparisonOperator"];
    reader.require(comparison);
    const auto given = reader.choice<Comparison>(comparison, comparisons);
    read_values(reader, in["AttributeValueList"], test, complaint);
    if (!given) return test;
    test.comparison = *given;
    if (!complaint) check_values(test, complaint);
    return test;
}

LegacyTest read_expectation(Reader& reader, const Place& entry, Complaint& complaint) {
    const Structure in(reader.problems, entry, "ExpectedAttributeValue", Holder::collection);
    LegacyTest test;
    test.attribute = entry.name;
    const auto comparison = reader.choice<Comparison>(in["ComparisonOperator"], comparisons);
    const auto exists = reader.flag(in["Exists"]);
    const auto list = in["AttributeValueList"], value = in["Value"];
    read_values(reader, list, test, complaint);
    if (value) read_value(reader, value, test, complaint);
    if (!complaint) check_together(test.attribute, comparison, list, value, exists, complaint);
    test.comparison = comparison.value_or(exists == false ? Comparison::absent : Comparison::equal);
    if (!complaint && !reader.problems.any()) check_values(test, complaint);
    return test;
}

}  // namespace mailroom::table::wire
