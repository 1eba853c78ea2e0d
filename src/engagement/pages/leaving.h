// Somebody does not want our mails any more, or wants them again, by a link that they got.
//
// What is acknowledged is durable, and no mail is sent to them from then on: the profile and the
// list that sending asks change in one transaction, with a job that tells the account of it.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/refusal.h"
#include "engagement/events/account.h"
#include "engagement/tracking/tokens.h"
#include "people/people.h"
#include "schedule/job.h"
#include "schedule/schedule.h"

#include <string>
#include <string_view>

namespace mailroom::engagement {

inline constexpr std::string_view left_queue = "engagement.left";

// Thread-safe.
class Leaving {
public:
    // All must outlive this object.
    Leaving(people::People& people, schedule::Schedule& schedule, const Clock& clock,
            Random& random, Account& account);

    // No mails about the topic of the token, or if it has none no bulk mail at all. Whether that
    // was new. `invalid` if the token's address is none.
    Answer<bool> leave(const PersonToken& person, const people::Evidence& evidence);
    // The same by a mail to the unsubscribe address, with that subject. `not_found` if it has no
    // token of ours.
    Answer<bool> leave_by_mail(const Tokens& tokens, std::string_view subject);
    // As it was before, or if nothing was: as if they had asked for it.
    Answer<bool> come_back(const PersonToken& person, const people::Evidence& evidence);

    // A job of left_queue.
    void run(schedule::JobInHand job);

private:
    enum class Way { out, in };
    Answer<bool> change(const PersonToken& person, const people::Evidence& evidence, Way way);
    Answer<bool> change_once(const PersonToken& person, const std::string& canonical,
                             const people::Evidence& evidence, Way way);
    void add_job(schedule::Transaction& transaction, const PersonToken& person,
                 const std::string& canonical, const std::string& how);
    Answer<> tell(schedule::Job& job);

    people::People& people_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    Account& account_;
};

}  // namespace mailroom::engagement
