#include "table/wire/expression_members.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_placeholder(std::string_view key, char sign) {
    return key.size() > 1 && key.front() == sign && std::ranges::all_of(key.substr(1), is_word);
}

template <class Pairs>
bool has_duplicate_keys(const Pairs& pairs) {
    if (pairs.size() < 2) return false;
    std::vector<std::string_view> keys;
    keys.reserve(pairs.size());
    for (const auto& pair : pairs) keys.push_back(pair.first);
    std::ranges::sort(keys);
    return std::ranges::adjacent_find(keys) != keys.end();
}

void append_name(std::string& list, std::string_view name) {
    if (!list.empty()) list += ", ";
    list += name;
}

template <class Pairs>
std::optional<Failure> check_keys(const Pairs& pairs, std::string_view parameter, char sign) {
    if (pairs.empty()) return invalid(std::string(parameter) + " must not be empty");
    for (const auto& [key, value] : pairs) {
        if (is_placeholder(key, sign)) continue;
        return invalid(std::string(parameter) + " contains invalid key: Syntax error; key: \"" +
                       key + "\"");
    }
    return std::nullopt;
}

}  // namespace

ExpressionMembers::ExpressionMembers(Reader& reader, const Structure& in,
                                     std::span<const ExpressionMember> expressions,
                                     std::span<const LegacyMember> legacy)
    : expressions_(expressions), legacy_(legacy) {
    for (std::size_t i = 0; i < legacy.size(); ++i) {
        if (in[legacy[i].name]) legacy_given_ |= 1u << i;
    }
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const auto text = reader.text(in[expressions[i].name]);
        if (!text) continue;
        given_ |= 1u << i;
        expressions[i].into->assign(*text);
    }
    read_values(reader, in["ExpressionAttributeValues"]);
    read_names(reader, in["ExpressionAttributeNames"]);
    mixed_ = given_ ? legacy_given_ : 0;
    if (!given("KeyConditionExpression")) mixed_ &= ~key_conditions_bit();
    if (legacy_given_ && !mixed_) refused_legacy_ = translate_legacy(reader, in, legacy, bind_);
}

std::uint32_t ExpressionMembers::key_conditions_bit() const {
    for (std::size_t i = 0; i < legacy_.size(); ++i) {
        if (legacy_[i].kind == Legacy::key_conditions) return 1u << i;
    }
    return 0;
}

void ExpressionMembers::read_names(Reader& reader, const Place& place) {
    names_given_ = place.present;
    reader.entries(place, "java.lang.String", [&](const Place& entry) {
        const auto name = reader.text(entry);
        if (const auto bad = check_attribute_name(name.value_or("")); bad && !refused_name_) {
            refused_name_ = "ExpressionAttributeNames contains invalid value: " + *bad +
                            " for key " + std::string(entry.name);
        }
        bind_.names.emplace_back(entry.name, name.value_or(""));
    });
    if (has_duplicate_keys(bind_.names)) {
        reader.problems.malformed("Duplicate key in ExpressionAttributeNames");
    }
}

void ExpressionMembers::read_values(Reader& reader, const Place& place) {
    values_given_ = place.present;
    reader.entries(
        place, "com.amazonaws.dynamodb.v20120810.AttributeValue", [&](const Place& entry) {
            std::string bytes;
            const auto complaint = reader.attributes.append_value(entry.json, bytes);
            if (complaint && !refused_value_) {
                refused_value_ = "ExpressionAttributeValues contains invalid value: " + *complaint +
                                 " for key " + std::string(entry.name);
            }
            bind_.values.emplace_back(entry.name, Value::from_encoded(std::move(bytes)));
        });
    if (has_duplicate_keys(bind_.values)) {
        reader.problems.malformed("Duplicate key in ExpressionAttributeValues");
    }
}

std::string ExpressionMembers::mixed_legacy() const {
    std::string names;
    for (std::size_t i = 0; i < legacy_.size(); ++i) {
        if (mixed_ >> i & 1) append_name(names, legacy_[i].name);
    }
    return names;
}

std::string ExpressionMembers::given_expressions() const {
    std::string names;
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
        if (given_ >> i & 1) append_name(names, expressions_[i].name);
    }
    return names;
}

bool ExpressionMembers::any_value_expression_given() const {
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
        if (expressions_[i].takes == Takes::names_and_values && (given_ >> i & 1)) return true;
    }
    return false;
}

bool ExpressionMembers::given(std::string_view parameter) const {
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
        if (expressions_[i].name == parameter) return given_ >> i & 1;
    }
    for (std::size_t i = 0; i < legacy_.size(); ++i) {
        if (legacy_[i].name == parameter) return legacy_given_ >> i & 1;
    }
    return false;
}

std::optional<Failure> ExpressionMembers::check_presence() const {
    if (mixed_) {
        return invalid(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {" +
            mixed_legacy() + "} Expression parameters: {" + given_expressions() + "}");
    }
    if (names_given_ && !given_) {
        return invalid("ExpressionAttributeNames can only be specified when using expressions");
    }
    if (values_given_ && !any_value_expression_given()) {
        std::string absent;
        std::size_t count = 0;
        for (const auto& expression : expressions_) {
            if (expression.takes == Takes::names) continue;
            absent.append(count++ > 0 ? " and " : "").append(expression.name);
        }
        if (count > 0) {
            return invalid(
                "ExpressionAttributeValues can only be specified when using expressions: " +
                absent + (count > 1 ? " are null" : " is null"));
        }
    }
    return std::nullopt;
}

std::optional<Failure> ExpressionMembers::check_content() const {
    if (refused_legacy_) return invalid(*refused_legacy_);
    if (names_given_) {
        if (auto bad = check_keys(bind_.names, "ExpressionAttributeNames", '#')) return bad;
        if (refused_name_) return invalid(*refused_name_);
    }
    if (values_given_) {
        if (auto bad = check_keys(bind_.values, "ExpressionAttributeValues", ':')) return bad;
        if (refused_value_) return invalid(*refused_value_);
    }
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
        if ((given_ >> i & 1) && expressions_[i].into->empty()) {
            return invalid("Invalid " + std::string(expressions_[i].name) +
                           ": The expression can not be empty;");
        }
    }
    return std::nullopt;
}

}  // namespace mailroom::table::wire
