// What a node knows of people's lives, and of what became of its mails: files of people, other
// addresses, what other programs write of people, and the account of events.
#pragma once

#include "engagement/bounces/consequences.h"
#include "engagement/bounces/faults.h"
#include "engagement/events/fates.h"
#include "engagement/events/kept_account.h"
#include "engagement/events/personal_events.h"
#include "engagement/events/streaks.h"
#include "engagement/notifications/notifications.h"
#include "outbox/sending/pauses.h"
#include "people/activity.h"
#include "people/lifecycle/lifecycle.h"
#include "people/others/followed_audience.h"
#include "people/people.h"
#include "program/api.h"
#include "program/program.h"
#include "sim/node.h"

#include <memory>
#include <vector>

namespace mailroom::sim {

inline constexpr const char* provider_user = "postmark";
inline constexpr const char* provider_password = "the password of the provider";

// What is there before it; all must outlive it.
struct EngagedGround {
    const Ground& ground;
    schedule::Ownership ownership;
    schedule::Schedule& schedule;
    outbox::Ledger& ledger;
    outbox::Pauses& pauses;
    people::People& people;
};

class Engaged {
public:
    static Result<std::unique_ptr<Engaged>> open(const EngagedGround& on);

    void add_routes(program::Api& api);
    std::vector<program::Work> jobs();
    // As timers do.
    void look();
    // What other programs wrote of people, as far as this node was told; and all of it.
    void follow_people() { static_cast<void>(followed_.follow_all()); }
    void follow_all_people();

    outbox::Accounting& accounting() { return fates_; }
    table::WriteWatch& watch() { return followed_; }

private:
    explicit Engaged(const EngagedGround& on);

    // Members stand in the order in which they are made, and each uses only those above it.
    engagement::Settings settings_;
    engagement::notifications::NotificationSettings notification_settings_;
    const bool is_shared_;
    people::People& people_;
    people::Lifecycle lifecycle_;
    people::FollowedAudience followed_;
    people::Activities activities_;
    engagement::Streaks streaks_;
    engagement::bounces::Faults faults_;
    engagement::bounces::Consequences consequences_;
    engagement::KeptAccount account_;
    engagement::Fates fates_;
    engagement::PersonalEvents personal_;
    engagement::notifications::Notifications notifications_;
};

}  // namespace mailroom::sim
