// Whether a filter is true of somebody.
#pragma once

#include "people/activity.h"
#include "people/segments/filter.h"
#include "table/value.h"

#include <optional>
#include <string_view>

namespace mailroom::people {

inline constexpr std::string_view topics_column = "mailroomTopics";

// What is known of somebody. Borrows.
struct PersonSeen {
    table::ItemView profile;
    const Activity* activity = nullptr;  // None: nothing happened yet.
    // With some mails only: of everybody, of this address; as long as nothing of it is asked, none.
    const FoundDeeds* found = nullptr;
    std::string address = {};
};

// A filter that asks for a segment must have been resolved before (segments.h): that test is false.
bool holds(const Filter& filter, const PersonSeen& person, Time now);

// The parts of that, for those who keep people in columns. `value` is the attribute that the path
// begins with.
bool holds(const Compared& test, const table::ValueView& value, Time now);
bool holds_of_nothing(const Compared& test);  // They have no such attribute.
bool holds(const OneOf& test, const table::ValueView& value, Time now);
bool holds(const Exists& test, const table::ValueView& value);
bool has_tag(const Tagged& test, const table::ValueView& tags);
bool has_topic(const Subscribed& test, const table::ValueView& topics);
bool holds(const Did& test, const std::optional<Activity::Done>& done, Time now);

}  // namespace mailroom::people
