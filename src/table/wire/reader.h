// The members of a request's structures, read with DynamoDB's own checks on them.
//
// Reading never stops at a problem: it notes it (problems.h) and gives an empty value, so that one
// pass finds everything that belongs into the answer. Nothing read may be used before
// Problems::failure() said none.
#pragma once

#include "table/wire/attributes.h"
#include "table/wire/problems.h"
#include "table/wire/requests.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::wire {

// A body beyond this leaves buffers behind in its Reader that are not worth keeping.
constexpr std::size_t large_body_bytes = 1024 * 1024;

enum class Presence { optional, required };

// How a structure arrives, which decides what DynamoDB says about anything else in its place.
enum class Holder { member, collection };

// One JSON object with known members; others are passed over. An absent place is an empty
// structure.
class Structure {
public:
    // `at` must outlive this object. `type` is the API's name for it: "ProvisionedThroughput".
    Structure(Problems& problems, const Place& at, std::string_view type,
              Holder holder = Holder::member);

    // The member, absent also when it is null.
    Place operator[](std::string_view name) const;
    const Place& place() const { return at_; }

private:
    // More than any request has; a bound for those that invent members.
    static constexpr std::size_t members_max = 64;
    struct Found {
        std::string_view name;
        json::View json;
    };

    void find_members(Problems& problems);

    const Place& at_;
    std::size_t count_ = 0;
    std::array<Found, members_max> found_;
};

// One value of an enumeration in the API.
template <class T>
struct Choice {
    std::string_view text;
    T value;
};

struct LengthRule {
    std::size_t min, max;
};

// The attributes at one place, and what the third round will say about them.
struct Fields {
    Item item;
    Complaint complaint;
    bool present = false;
};

// The NAME of arn:aws:dynamodb:REGION:ACCOUNT:table/NAME; none if it is not of that form.
std::optional<std::string_view> table_of_arn(std::string_view arn);

class Reader {
public:
    Problems problems;
    Attributes attributes{problems};
    TableArns arns;  // That table_name() and named_table() came across.

    // Notes its absence.
    void require(const Place& place);

    std::optional<std::string_view> text(const Place& place);
    std::optional<bool> flag(const Place& place);
    // `type` is Integer or Long.
    std::optional<std::int64_t> integer(const Place& place, std::string_view type = "Integer");
    // Either kind of JSON number.
    std::optional<double> decimal(const Place& place);
    // Notes it when the number is less than `min`.
    std::optional<std::int64_t> integer_from(std::int64_t min, const Place& place,
                                             std::string_view type = "Integer");
    // A text of so many bytes.
    std::optional<std::string_view> sized_text(const Place& place, LengthRule rule);
    // The name of an index, or the name of a table where an ARN is none.
    std::string name(const Place& place, Presence presence);
    // The name of a table, which may be given as its ARN: whose account and region are named there
    // does not matter.
    std::string table_name(const Place& place, Presence presence, std::size_t length_min = 1);
    // The same for a name that needs no checks.
    std::string named_table(std::string_view name_or_arn);
    Fields fields(const Place& place);
    std::vector<std::string> texts(const Place& place);
    // Notes it when a list that is there has too few or too many elements.
    void check_count(const Place& place, std::size_t count, LengthRule rule);

    // Calls `each(Place)` for every element of a list or entry of a map, and returns how many there
    // were.
    template <class Each>
    std::size_t elements(const Place& place, Each each);
    template <class Each>
    std::size_t entries(const Place& place, std::string_view type, Each each);

    template <class T>
    std::optional<T> choice(const Place& place, std::span<const Choice<T>> choices);

private:
    void check_length(const Place& place, std::string_view shown, std::size_t length,
                      LengthRule rule);
    bool is_list(const Place& place);
    bool is_map(const Place& place, std::string_view type);
    void not_a_choice(const Place& place, std::string_view text, const std::string& choices);
};

template <class Each>
std::size_t Reader::elements(const Place& place, Each each) {
    if (!is_list(place)) return 0;
    std::size_t count = 0;
    json::Elements elements(place.json);
    for (json::View json; elements.next(json) && !problems.is_malformed();) {
        each(Place{.parent = &place, .index = ++count, .json = json, .present = !json.is_null()});
    }
    return count;
}

template <class Each>
std::size_t Reader::entries(const Place& place, std::string_view type, Each each) {
    if (!is_map(place, type)) return 0;
    std::size_t count = 0;
    json::Members members(place.json);
    std::string_view key;
    for (json::View json; members.next(key, json) && !problems.is_malformed(); ++count) {
        each(Place{.parent = &place,
                   .name = key,
                   .entry = true,
                   .json = json,
                   .present = !json.is_null()});
    }
    return count;
}

template <class T>
std::optional<T> Reader::choice(const Place& place, std::span<const Choice<T>> choices) {
    const auto given = text(place);
    if (!given) return std::nullopt;
    for (const auto& choice : choices) {
        if (choice.text == *given) return choice.value;
    }
    std::string all;
    for (const auto& choice : choices) all.append(all.empty() ? "" : ", ").append(choice.text);
    not_a_choice(place, *given, all);
    return std::nullopt;
}

}  // namespace mailroom::table::wire
