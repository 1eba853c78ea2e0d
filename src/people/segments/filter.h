// Whom somebody means: a filter over people. One filter has two forms, a text for people
// (filter_text.h) and JSON for programs (filter_json.h).
//
// A test is true of a person or it is not: what somebody lacks is not equal to anything, so that
// `not` is always the rest of all people.
#pragma once

#include "people/activity.h"
#include "people/profile.h"
#include "people/segments/mail_deeds.h"
#include "people/segments/moment.h"
#include "table/number.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::people {

// Of one filter, so that nobody makes us walk or keep more than that for each of a million people.
constexpr std::size_t filter_bytes_max = 16 * 1024;  // Of either form.
constexpr std::size_t filter_depth_max = 32;
constexpr std::size_t filter_tests_max = 500;
constexpr std::size_t filter_values_max = 1000;      // Of one list.
constexpr std::size_t filter_word_bytes_max = 1024;  // Of a name, or of a text beside an attribute.

// What an attribute is compared with. A number is also compared with texts that are one (imports
// leave numbers as texts), a moment with texts and numbers that are a time; a text with texts only.
using Scalar = std::variant<std::string, table::Number, bool, Moment>;

// An attribute of the profile, by its name; what follows leads into a map.
using Path = std::vector<std::string>;

enum class Comparison {
    equals,
    above,
    at_least,
    below,
    at_most,
    contains,  // Of texts: somewhere in it. These three do not tell A from a.
    begins_with,
    ends_with,
};
constexpr auto names_of(Comparison) {
    using enum Comparison;
    return std::array{Name{equals, "equals"},           Name{above, "above"},
                      Name{at_least, "at_least"},       Name{below, "below"},
                      Name{at_most, "at_most"},         Name{contains, "contains"},
                      Name{begins_with, "begins_with"}, Name{ends_with, "ends_with"}};
}
// Whether it is about the letters of a text.
constexpr bool is_about_letters(Comparison how) { return how >= Comparison::contains; }

struct Filter;

struct All {  // None in it: everybody.
    std::vector<Filter> parts;
};
struct Any {  // None in it: nobody.
    std::vector<Filter> parts;
};
struct Not {
    std::vector<Filter> part;  // One.
};

// Of a list or a set, that one of its elements is so.
struct Compared {
    Path path;
    Comparison how = Comparison::equals;
    Scalar value;
};
struct OneOf {
    Path path;
    std::vector<Scalar> values;
};
// It is there, and is neither null nor an empty text.
struct Exists {
    Path path;
};
struct Tagged {
    std::vector<std::string> tags;  // With one of them.
};
// What was said of mail about it: in is agreed to, and not taken back; pending is asked for, and
// not confirmed by a link in a mail yet.
struct Subscribed {
    std::string topic;
    TopicState state = TopicState::in;
};
struct InSegment {
    std::string id;
};
// The last time was so, if a time is asked for. At least so often: over all time, or since then; of
// those before some time nobody keeps how often it was.
struct Did {
    static constexpr std::int64_t times_since_max = Activity::times_kept;
    enum class When { ever, since, before };
    Deed deed = Deed::opened;
    std::optional<Mails> mails = {};  // None: whatever mail it was. Never of what was sent.
    When when = When::ever;
    Moment moment;
    std::int64_t times = 1;
};

template <class T, class... Tests>
concept AmongTests = (std::same_as<T, Tests> || ...);

struct Filter {
    std::variant<All, Any, Not, Compared, OneOf, Exists, Tagged, Subscribed, InSegment, Did> test;

    Filter() = default;  // Everybody.
    template <class T>
    requires AmongTests<T, All, Any, Not, Compared, OneOf, Exists, Tagged, Subscribed, InSegment,
                        Did>
    Filter(T its_test) : test(std::move(its_test)) {}
};

bool operator==(const Filter& a, const Filter& b);

// For those who build filters.
Filter operator&&(Filter a, Filter b);
Filter operator||(Filter a, Filter b);
Filter operator!(Filter filter);
Filter is_equal(const std::string& attribute, Scalar value);

// Ids of all segments that it asks for, each as often as it does.
std::vector<std::string> segments_in(const Filter& filter);
// Its tests of what people did with mails; as long as the filter is there.
std::vector<const Did*> deeds_in(const Filter& filter);
// Of groups, those in them.
std::size_t tests_in(const Filter& filter);
std::size_t depth_of(const Filter& filter);

}  // namespace mailroom::people
