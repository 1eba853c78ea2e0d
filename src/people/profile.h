// One person, as the table Audience has them. Other programs write these rows, too, so whatever
// there is can be read, and every change leaves alone what it does not know.
//
//   SUB#{canonical address} / PROFILE
//     email S (as given), firstName S, unsubscribed BOOL, suppressed BOOL, tags L of S,
//     createdAt S, updatedAt S (RFC 3339), and of ours
//     mailroomVersion N (grows with each change of ours), mailroomTopics M (id: in, out or
//     pending), mailroomTagsToCome L of S, mailroomTracking BOOL (false: does not want it),
//     mailroomSource S, mailroomZone S, mailroomLanguage S, mailroomNo S (of the no to bulk mail
//     that stands there: its Mark on the list), mailroomHeard S (what was heard that stands
//     under another spelling of the address)
//     every other column is an attribute of the person, of any type
// The columns are on disk: never change one.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "base/result.h"
#include "table/value.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// How somebody stands to a topic. Who never said anything of it gets what the topic's own default
// says.
enum class TopicState { in, out, pending };
constexpr auto names_of(TopicState) {
    return std::array{Name{TopicState::in, "in"}, Name{TopicState::out, "out"},
                      Name{TopicState::pending, "pending"}};
}
using Topics = std::map<std::string, TopicState>;  // By id.

inline constexpr std::string_view mark_column = "mailroomNo", heard_column = "mailroomHeard";

struct Profile {
    std::string canonical;  // Of its address: names its rows.
    std::string email;  // As given. Of a row without one, which other programs leave: canonical.
    std::string first_name;
    bool unsubscribed = false;      // No bulk mail.
    bool suppressed = false;        // No mail at all.
    std::vector<std::string> tags;  // Each once, in the order in which they were given.
    // What they will be, while more change than fit at once.
    std::optional<std::vector<std::string>> tags_to_come;
    Topics topics;
    bool may_track = true;
    std::string source;  // Where we have the person from: "api", "import"; empty: not known.
    std::string zone, language;  // Empty: not known.
    std::optional<Time> created, updated;
    std::int64_t version = 0;  // 0: nothing of ours has changed it yet.
    table::Item attributes;    // Those of the operator's own.
    table::Item row;           // All of it, as it was read.

    bool has_tag(std::string_view tag) const;
};

// Columns that no attribute may touch: the keys, those above, and all that begin with "mailroom".
bool is_system_column(std::string_view name);

// `corrupt` if the row is no profile, by its key.
Result<Profile> read_profile(const table::ItemView& row);

// A flag as any program may have written it: what is there and does not say no says yes, because
// who asked for no mail must not get it for a spelling.
bool is_set(const table::ItemView& row, std::string_view flag);
// Whether it says no to a topic, or not yes yet.
bool refuses_topic(const table::ItemView& row, std::string_view id);
bool refuses_any_topic(const table::ItemView& row);

}  // namespace mailroom::people
