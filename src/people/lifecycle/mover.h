// Somebody has another address from now on, or turns out to be somebody whom we know already.
#pragma once

#include "base/refusal.h"
#include "people/lifecycle/personal_data.h"
#include "people/people.h"
#include "schedule/crew.h"

#include <string>
#include <string_view>

namespace mailroom::people {

inline constexpr const char* moving_queue = "people.moving";

// Thread-safe.
class Mover {
public:
    // All must outlive this object.
    Mover(People& people, const PersonalParts& parts, schedule::Schedule& schedule);

    // `person_exists` if somebody has that address: then they are to be merged. What the person
    // said of mail goes along; that mail to the old address came back does not. The old address
    // stays on the list of those not to be written to if it was.
    Answer<Profile> change_address(std::string_view email, std::string_view to,
                                   const Evidence& evidence) const;
    // The other person becomes a part of this one. What this one has counts where both have
    // something; tags of both; a no of one of them to any mail counts.
    Answer<Profile> merge(std::string_view email, std::string_view other,
                          const Evidence& evidence) const;

    // Jobs of moving_queue: what is left of a move when it was interrupted.
    void run(schedule::JobInHand job) const;

private:
    Answer<> switch_over(const std::string& from, const std::string& to,
                         const Evidence& evidence) const;
    Answer<> thin_out(const Profile& source, const std::string& to) const;
    Answer<Profile> move(const std::string& from, const std::string& to,
                         const Evidence& evidence) const;

    People& people_;
    const Books& books_;
    const PersonalParts& parts_;
    schedule::Schedule& schedule_;
};

}  // namespace mailroom::people
