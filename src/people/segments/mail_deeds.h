// What people did with the mails of one template, sequence or broadcast, for filters that ask for
// it ("opened template "welcome" within 30 days"). Who keeps the account of mails tells it.
#pragma once

#include "base/names.h"
#include "base/result.h"
#include "people/activity.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace mailroom::people {

// The names are in filters.
enum class MailGroup { of_template, of_sequence, of_broadcast };
constexpr auto names_of(MailGroup) {
    using enum MailGroup;
    return std::array{Name{of_template, "template"}, Name{of_sequence, "sequence"},
                      Name{of_broadcast, "broadcast"}};
}

struct Mails {
    MailGroup group = MailGroup::of_template;
    std::string id;
    bool operator==(const Mails&) const = default;
};

// By canonical address.
using DeedsByPerson = std::unordered_map<std::string, Activity::Done>;

// Thread-safe.
class MailDeeds {
public:
    virtual ~MailDeeds() = default;
    // As they are in the tables now. Nothing earlier than `since` is asked for, if that is given.
    // Of what was sent nothing is known by its mails.
    virtual Result<DeedsByPerson> of(const Mails& mails, Deed deed,
                                     std::optional<Time> since) const = 0;
};

struct Did;

// What was found out for one filter.
class FoundDeeds {
public:
    // Asks for what the test asks, once. Without anybody to ask nobody did it.
    Result<> find(const MailDeeds* source, const Did& test, Time now);
    // Of a test that was found, with the same moment.
    const DeedsByPerson& of(const Did& test, Time now) const;

private:
    using Key = std::tuple<Deed, MailGroup, std::string, std::optional<Time>>;
    static Key key_of(const Did& test, Time now);

    std::map<Key, DeedsByPerson> found_;
    const DeedsByPerson nobody_;
};

}  // namespace mailroom::people
