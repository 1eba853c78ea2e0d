#include "table/wire/legacy_members.h"

#include "table/schema.h"
#include "table/wire/legacy_conditions.h"

#include <algorithm>
#include <vector>

namespace mailroom::table::wire {

namespace {

constexpr std::string_view one_or_more = "One or more parameter values were invalid: ";
constexpr std::size_t table_key_conditions_max = 2;  // A hash key and a range key.
constexpr std::size_t index_key_conditions_max = 2 * key_attributes_max;
constexpr LengthRule attributes_to_get_count = {1, 1'000'000};
// What the IN of an expression takes. The older one takes any number: these are then sought in a
// list.
constexpr std::size_t in_values_max = 100;

enum class Action { put, add, erase };
constexpr Choice<Action> actions[] = {
    {"ADD", Action::add}, {"PUT", Action::put}, {"DELETE", Action::erase}};
constexpr Choice<std::string_view> joints[] = {{"OR", " OR "}, {"AND", " AND "}};

std::string_view comparator(Comparison comparison) {
    switch (comparison) {
        case Comparison::equal:
            return " = ";
        case Comparison::not_equal:
            return " <> ";
        case Comparison::less:
            return " < ";
        case Comparison::less_equal:
            return " <= ";
        case Comparison::greater:
            return " > ";
        default:
            return " >= ";
    }
}

void append_joined(std::string& text, std::string_view joint, const std::string& part) {
    if (!text.empty()) text += joint;
    text += part;
}

bool has_duplicates(std::vector<std::string> names, std::string& duplicate) {
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    if (found == names.end()) return false;
    duplicate = *found;
    return true;
}

// Writes expressions, with a stand-in for every name and value.
class Translation {
public:
    Translation(Reader& reader, Bindings& bind) : reader_(reader), bind_(bind) {}

    void attributes_to_get(const Place& place, std::string& projection) {
        const auto names = reader_.texts(place);
        reader_.check_count(place, names.size(), attributes_to_get_count);
        std::string duplicate;
        if (has_duplicates(names, duplicate)) {
            complain("Duplicate value in attribute name: " + duplicate);
        }
        for (const auto& attribute : names) append_joined(projection, ", ", name(attribute));
    }

    void expected(const Place& place, std::string_view joint, std::string& condition) {
        tests_ = read(place, "ExpectedAttributeValue", read_expectation);
        write_tests(joint, condition);
    }

    void filter(const Place& place, std::string_view joint, std::string& text) {
        tests_ = read(place, "Condition", read_condition);
        write_tests(joint, text);
    }

    void key_conditions(const Place& place, std::size_t count_max, std::string& text) {
        auto keys = read(place, "Condition", read_condition);
        if (!complaint && (keys.empty() || keys.size() > count_max)) {
            complaint = "Conditions can be of length 1 or 2 only";
        }
        for (const auto& key : keys) {
            if (!complaint && !is_indexable(key.comparison)) {
                complaint = "Attempted conditional constraint is not an indexable operation";
            }
            append_joined(text, " AND ", test(key));
        }
    }

    void attribute_updates(const Place& place, std::string& text) {
        std::string set, remove, add, erase;
        entries(place, "AttributeValueUpdate", [&](const Place& entry) {
            const Structure in(reader_.problems, entry, "AttributeValueUpdate", Holder::collection);
            const auto action = reader_.choice<Action>(in["Action"], actions).value_or(Action::put);
            const auto attribute = name(entry.name);
            const auto place_of_value = in["Value"];
            if (!place_of_value) {
                if (action != Action::erase) {
                    complain("Only DELETE action is allowed when no attribute value is specified");
                }
                return append_joined(remove, ", ", attribute);
            }
            const auto given = read_value(place_of_value);
            const auto kind = given.view().kind();
            const auto slot = value(given);
            switch (action) {
                case Action::put:
                    return append_joined(set, ", ", attribute + " = " + slot);
                case Action::erase:
                    if (!is_set(kind)) complain_of_type("DELETE action with value", kind);
                    return append_joined(erase, ", ", attribute + " " + slot);
                case Action::add:
                    break;
            }
            if (kind == Kind::list) {
                return append_joined(set, ", ",
                                     attribute + " = list_append(if_not_exists(" + attribute +
                                         ", " + value(Value::list({})) + "), " + slot + ")");
            }
            if (!is_set(kind) && kind != Kind::number) complain_of_type("ADD action", kind);
            append_joined(add, ", ", attribute + " " + slot);
        });
        append_clause(text, "SET ", set);
        append_clause(text, "REMOVE ", remove);
        append_clause(text, "ADD ", add);
        append_clause(text, "DELETE ", erase);
    }

    std::size_t test_count() const { return tests_.size(); }

    Complaint complaint;

private:
    using ReadTest = LegacyTest (*)(Reader&, const Place&, Complaint&);

    void complain(const std::string& message) {
        if (!complaint) complaint = std::string(one_or_more) + message;
    }
    void complain_of_type(const std::string& what, Kind kind) {
        complain(what + " is not supported for the type " + std::string(type_name(kind)));
    }

    template <class Each>
    void entries(const Place& place, std::string_view type, Each each) {
        std::vector<std::string> names;
        const auto full_type = "com.amazonaws.dynamodb.v20120810." + std::string(type);
        reader_.entries(place, full_type, [&](const Place& entry) {
            names.emplace_back(entry.name);
            each(entry);
        });
        std::string duplicate;
        if (has_duplicates(std::move(names), duplicate)) {
            reader_.problems.malformed("Duplicate key in a map: " + duplicate);
        }
    }

    std::vector<LegacyTest> read(const Place& place, std::string_view type, ReadTest read_test) {
        std::vector<LegacyTest> tests;
        entries(place, type,
                [&](const Place& entry) { tests.push_back(read_test(reader_, entry, complaint)); });
        return tests;
    }

    Value read_value(const Place& place) {
        std::string bytes;
        auto found = reader_.attributes.append_value(place.json, bytes);
        if (found && !complaint) complaint = found;
        // Bytes that were refused mean nothing.
        if (found || reader_.problems.is_malformed()) return Value::null();
        return Value::from_encoded(std::move(bytes));
    }

    std::string name(std::string_view attribute) {
        if (auto bad = check_attribute_name(attribute); bad && !complaint) complaint = bad;
        bind_.names.emplace_back(unused("#n", bind_.names), attribute);
        return bind_.names.back().first;
    }
    std::string value(const Value& value) {
        bind_.values.emplace_back(unused(":v", bind_.values), value);
        return bind_.values.back().first;
    }
    // The request may have names and values of its own, for an expression beside KeyConditions.
    template <class Pairs>
    static std::string unused(const char* prefix, const Pairs& pairs) {
        for (auto number = pairs.size();; ++number) {
            auto key = prefix + std::to_string(number);
            const auto has_key = [&](const auto& pair) { return pair.first == key; };
            // Those written here come in the order of their numbers: the last is the first to ask.
            if (std::none_of(pairs.rbegin(), pairs.rend(), has_key)) return key;
        }
    }

    // Tests that the third round will refuse may lack values: nothing is written for them.
    std::string test(const LegacyTest& test) {
        if (complaint || reader_.problems.any()) return {};
        const auto attribute = name(test.attribute);
        std::string values;
        if (test.comparison == Comparison::between) {
            const auto lower = value(test.values[0]);
            return attribute + " BETWEEN " + lower + " AND " + value(test.values[1]);
        }
        if (test.comparison == Comparison::in && test.values.size() > in_values_max) {
            return "contains(" + value(Value::list(test.values)) + ", " + attribute + ")";
        }
        for (const auto& given : test.values) append_joined(values, ", ", value(given));
        switch (test.comparison) {
            case Comparison::exists:
                return "attribute_exists(" + attribute + ")";
            case Comparison::absent:
                return "attribute_not_exists(" + attribute + ")";
            case Comparison::in:
                return attribute + " IN (" + values + ")";
            case Comparison::begins_with:
                return "begins_with(" + attribute + ", " + values + ")";
            case Comparison::contains:
                return "contains(" + attribute + ", " + values + ")";
            case Comparison::not_contains:
                // Of an attribute that is not there, neither is true.
                return "(attribute_exists(" + attribute + ") AND NOT contains(" + attribute + ", " +
                       values + "))";
            default:
                return attribute + std::string(comparator(test.comparison)) + values;
        }
    }

    void write_tests(std::string_view joint, std::string& text) {
        for (const auto& one : tests_) append_joined(text, joint, test(one));
    }

    static void append_clause(std::string& text, std::string_view keyword,
                              const std::string& actions_of_it) {
        if (actions_of_it.empty()) return;
        append_joined(text, " ", std::string(keyword) + actions_of_it);
    }

    Reader& reader_;
    Bindings& bind_;
    std::vector<LegacyTest> tests_;  // Of Expected or of a filter.
};

}  // namespace

Complaint translate_legacy(Reader& reader, const Structure& in,
                           std::span<const LegacyMember> members, Bindings& bind) {
    std::optional<std::string_view> joint;
    for (const auto& member : members) {
        if (member.kind != Legacy::conditional_operator) continue;
        joint = reader.choice<std::string_view>(in[member.name], joints);
    }
    Translation translation(reader, bind);
    for (const auto& member : members) {
        const auto place = in[member.name];
        if (!place) continue;
        switch (member.kind) {
            case Legacy::attributes_to_get:
                translation.attributes_to_get(place, *member.into);
                break;
            case Legacy::attribute_updates:
                translation.attribute_updates(place, *member.into);
                break;
            case Legacy::expected:
                translation.expected(place, joint.value_or(" AND "), *member.into);
                break;
            case Legacy::filter:
                translation.filter(place, joint.value_or(" AND "), *member.into);
                break;
            case Legacy::key_conditions:
                translation.key_conditions(
                    place, in["IndexName"] ? index_key_conditions_max : table_key_conditions_max,
                    *member.into);
                break;
            case Legacy::conditional_operator:
                break;
        }
    }
    if (!joint || translation.complaint) return translation.complaint;
    if (translation.test_count() == 0) {
        return "ConditionalOperator cannot be used without Filter or Expected";
    }
    if (translation.test_count() == 1) {
        return "ConditionalOperator can only be used when Filter or Expected has two or more "
               "elements";
    }
    return std::nullopt;
}

}  // namespace mailroom::table::wire
