// Brings what we know of a person in step with what another program wrote into Audience.
//
// Other programs say no by a flag of the profile or by a SUPPRESSION row, and yes again by taking
// them back. What they say is put on the list that sending asks. What they cannot mean is put
// right: a profile that they made anew, or wrote as it once was, does not make anybody agree.
#pragma once

#include "base/result.h"
#include "people/books.h"
#include "people/change.h"
#include "people/profile.h"
#include "people/suppressions.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Thread-safe; several nodes may follow the same person, and one of them does.
class AudienceFollower {
public:
    // It must outlive this object.
    explicit AudienceFollower(Suppressions& suppressions)
        : suppressions_(suppressions), books_(suppressions.books()) {}

    // What another program may have done with the rows of this address, as it spells it. Whether
    // there was something to do about.
    Result<bool> follow(std::string_view address) const;
    // The same for everybody who is, or should be, refused; how many there was something to do
    // about. Ends early when `stopping` says so.
    Result<std::size_t> look(const std::function<bool()>& stopping) const;
    // Notes all whom a row of Audience refuses.
    Result<> note_refused() const;

private:
    struct Seen;
    Result<Seen> see(const std::string& canonical, const std::string& address) const;
    Result<Seen> look_once(const std::string& canonical, const std::string& address) const;
    Result<> look_elsewhere(Seen& seen, const std::string& address) const;
    static bool decide(const Seen& seen, Change& change);
    static void decide_topics(const Seen& seen, Change& change);
    template <class Visit>
    Result<> each_row(const std::string& table, const Visit& visit) const;
    // By the rows of Audience that refuse them.
    template <class Visit>
    Result<> each_refused(const Visit& visit) const;

    Suppressions& suppressions_;
    const Books& books_;
};

}  // namespace mailroom::people
