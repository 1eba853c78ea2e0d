#include "table/wire/reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mailroom::table::wire {

namespace {

constexpr LengthRule name_length = {3, 255};  // Tables and indexes.
constexpr std::string_view name_pattern = "[a-zA-Z0-9_.-]+";
// Room for most items at once, so that reading one does not allocate again and again.
constexpr std::size_t usual_item_bytes = 256;
constexpr std::string_view package = "com.amazonaws.dynamodb.v20120810.";

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

}  // namespace

std::optional<std::string_view> table_of_arn(std::string_view arn) {
    for (const std::string_view part : {"arn", "", "dynamodb", "", ""}) {
        const auto colon = arn.find(':');
        if (colon == arn.npos || colon == 0) return std::nullopt;
        if (!part.empty() && arn.substr(0, colon) != part) return std::nullopt;
        arn.remove_prefix(colon + 1);
    }
    constexpr std::string_view kind = "table/";
    if (!arn.starts_with(kind)) return std::nullopt;
    arn.remove_prefix(kind.size());
    const bool fits = arn.size() >= name_length.min && arn.size() <= name_length.max &&
                      std::ranges::all_of(arn, is_name_character);
    return fits ? std::optional(arn) : std::nullopt;
}

Structure::Structure(Problems& problems, const Place& at, std::string_view type, Holder holder)
    : at_(at) {
    if (!at) return;
    if (at.json.type() == json::View::Type::object) {
        find_members(problems);
    } else if (at.json.type() == json::View::Type::list) {
        problems.malformed(
            std::string("Unrecognized collection type class ").append(package).append(type));
    } else {
        problems.malformed(holder == Holder::member ? "Unexpected field type"
                                                    : "Unexpected value type in payload");
    }
}

void Structure::find_members(Problems& problems) {
    json::Members members(at_.json);
    std::string_view name;
    for (json::View json; members.next(name, json);) {
        const std::span<const Found> found(found_.data(), count_);
        if (std::ranges::find(found, name, &Found::name) != found.end()) {
            return problems.malformed("Duplicate member: " + std::string(name));
        }
        if (count_ == members_max) return problems.malformed("Too many members in a structure");
        found_[count_++] = {name, json};
    }
}

Place Structure::operator[](std::string_view name) const {
    Place place{.parent = &at_, .name = name};
    for (std::size_t i = 0; i < count_; ++i) {
        if (found_[i].name != name) continue;
        place.json = found_[i].json;
        place.present = !place.json.is_null();
        break;
    }
    return place;
}

void Reader::require(const Place& place) {
    if (!place) problems.missing(place);
}

std::optional<std::string_view> Reader::text(const Place& place) {
    if (!place) return std::nullopt;
    if (place.json.type() == json::View::Type::text) return place.json.text();
    wrong_type(problems, place.json, "String");
    return std::nullopt;
}

std::optional<bool> Reader::flag(const Place& place) {
    if (!place) return std::nullopt;
    return read_boolean(problems, place.json);
}

std::optional<std::int64_t> Reader::integer(const Place& place, std::string_view type) {
    if (!place) return std::nullopt;
    if (place.json.type() == json::View::Type::integer) {
        // Beyond 64 bits DynamoDB takes the greatest number there is.
        return place.json.integer().value_or(std::numeric_limits<std::int64_t>::max());
    }
    if (place.json.type() == json::View::Type::decimal) {
        constexpr double limit = 9e18;
        return static_cast<std::int64_t>(
            std::floor(std::clamp(place.json.decimal(), -limit, limit)));
    }
    wrong_type(problems, place.json, type);
    return std::nullopt;
}

std::optional<double> Reader::decimal(const Place& place) {
    if (!place) return std::nullopt;
    const auto type = place.json.type();
    if (type == json::View::Type::integer || type == json::View::Type::decimal)
        return place.json.decimal();
    wrong_type(problems, place.json, "Double");
    return std::nullopt;
}

std::optional<std::int64_t> Reader::integer_from(std::int64_t min, const Place& place,
                                                 std::string_view type) {
    const auto number = integer(place, type);
    if (number && *number < min) {
        problems.constraint(
            place, std::to_string(*number),
            "Member must have value greater than or equal to " + std::to_string(min));
    }
    return number;
}

void Reader::check_length(const Place& place, std::string_view shown, std::size_t length,
                          LengthRule rule) {
    std::string text = "Member must have length ";
    if (length < rule.min) {
        text.append("greater than or equal to ").append(std::to_string(rule.min));
    } else if (length > rule.max) {
        text.append("less than or equal to ").append(std::to_string(rule.max));
    } else {
        return;
    }
    problems.constraint(place, shown, text);
}

std::optional<std::string_view> Reader::sized_text(const Place& place, LengthRule rule) {
    const auto given = text(place);
    if (given) check_length(place, *given, given->size(), rule);
    return given;
}

// DynamoDB shows the whole list, however long; the number of its elements says the same.
void Reader::check_count(const Place& place, std::size_t count, LengthRule rule) {
    if (!place) return;
    std::string shown = "[";
    if (count > 0) shown.append(std::to_string(count)).append(" elements");
    check_length(place, shown.append("]"), count, rule);
}

std::string Reader::name(const Place& place, Presence presence) {
    if (presence == Presence::required) require(place);
    const auto given = text(place);
    if (!given) return {};
    if (given->empty() || !std::ranges::all_of(*given, is_name_character)) {
        problems.constraint(
            place, *given,
            std::string("Member must satisfy regular expression pattern: ").append(name_pattern));
    }
    sized_text(place, name_length);
    return std::string(*given);
}

std::string Reader::named_table(std::string_view name_or_arn) {
    const auto table = table_of_arn(name_or_arn);
    if (!table) return std::string(name_or_arn);
    arns.emplace_back(*table, name_or_arn);
    return arns.back().first;
}

std::string Reader::table_name(const Place& place, Presence presence, std::size_t length_min) {
    if (presence == Presence::required) require(place);
    const auto given = text(place);
    if (!given) return {};
    if (table_of_arn(*given)) return named_table(*given);
    std::string rule;
    if (given->size() < length_min) {
        rule = "Member must have length greater than or equal to " + std::to_string(length_min);
    } else if (given->size() > name_length.max) {
        rule = "Member must have length less than or equal to " + std::to_string(name_length.max);
    } else if (!std::ranges::all_of(*given, is_name_character)) {
        rule = std::string("Member must satisfy regular expression pattern: ").append(name_pattern);
    }
    if (!rule.empty()) problems.bad_table_name(place, *given, rule);
    return std::string(*given);
}

Fields Reader::fields(const Place& place) {
    if (!place) return {};
    std::string bytes;
    bytes.reserve(usual_item_bytes);
    auto complaint = attributes.append_fields(place.json, bytes);
    if (complaint || problems.is_malformed()) return {{}, std::move(complaint), true};
    return {Item::from_encoded(std::move(bytes)), std::nullopt, true};
}

std::vector<std::string> Reader::texts(const Place& place) {
    std::vector<std::string> out;
    elements(place, [&](const Place& element) {
        if (const auto given = text(element)) out.emplace_back(*given);
    });
    return out;
}

bool Reader::is_list(const Place& place) {
    if (!place) return false;
    if (place.json.type() == json::View::Type::list) return true;
    problems.malformed(place.json.type() == json::View::Type::object
                           ? "Start of structure or map found where not expected."
                           : "Unexpected field type");
    return false;
}

bool Reader::is_map(const Place& place, std::string_view type) {
    if (!place) return false;
    if (place.json.type() == json::View::Type::object) return true;
    if (place.json.type() == json::View::Type::list) {
        problems.malformed(
            std::string("Unrecognized collection type java.util.Map<java.lang.String, ")
                .append(type)
                .append(">"));
    } else {
        problems.malformed("Unexpected field type");
    }
    return false;
}

void Reader::not_a_choice(const Place& place, std::string_view text, const std::string& choices) {
    problems.constraint(place, text, "Member must satisfy enum value set: [" + choices + "]");
}

}  // namespace mailroom::table::wire
