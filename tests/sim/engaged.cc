#include "sim/engaged.h"

#include "engagement/events/rows.h"
#include "engagement/notifications/notification_routes.h"
#include "people/others/audience_follower.h"
#include "table/records/ensure_table.h"

#include <array>
#include <utility>

namespace mailroom::sim {

namespace {

const people::TableNames& tables_of(const people::People& people) { return people.books().tables; }

engagement::notifications::NotificationSettings of_provider() {
    engagement::notifications::NotificationSettings settings;
    settings.postmark_user = provider_user;
    settings.postmark_password = provider_password;
    return settings;
}

Result<std::string> fetch_nothing(const net::Url&) {
    return Error{Errc::unavailable, "there is no network"};
}

}  // namespace

Engaged::Engaged(const EngagedGround& on)
    : notification_settings_(of_provider()),
      is_shared_(on.ownership == schedule::Ownership::shared),
      people_(on.people),
      lifecycle_(on.people, on.schedule, 0),
      followed_(on.people.suppressions()),
      activities_(on.ground.store, tables_of(on.people).people),
      streaks_(on.ground.store, on.ground.clock, settings_.tables.own, settings_.soft_bounces_max),
      faults_(on.ground.store, on.schedule, on.ground.clock, on.pauses, settings_.tables.own,
              settings_.policy_faults_max),
      consequences_(on.people, streaks_, faults_),
      account_({on.ground.store, on.schedule, on.ownership, on.ground.clock, on.ground.random,
                on.ledger, activities_, on.people.suppressions(), tables_of(on.people).audience,
                settings_}),
      fates_(account_, streaks_, on.ledger, on.schedule),
      personal_(on.ground.store, settings_.tables, tables_of(on.people).audience),
      notifications_(notification_settings_, account_, on.ground.store, on.ground.clock,
                     settings_.tables.own, fetch_nothing) {
    account_.tell(consequences_);
    people_.keep(personal_);
}

Result<std::unique_ptr<Engaged>> Engaged::open(const EngagedGround& on) {
    const engagement::TableNames names;
    const std::array tables{engagement::rows::declared_events(names.events),
                            engagement::rows::declared_own(names.own)};
    TRY(table::ensure_tables(on.ground.store, tables));
    std::unique_ptr<Engaged> engaged(new Engaged(on));
    TRY(engaged->followed_.open());
    TRY(engaged->streaks_.refresh());
    TRY(engaged->account_.sequences().fold());
    return engaged;
}

void Engaged::add_routes(program::Api& api) {
    lifecycle_.add_routes(api);
    engagement::notifications::add_notification_routes(api, notifications_);
}

std::vector<program::Work> Engaged::jobs() {
    auto all = lifecycle_.jobs();
    all.push_back({{.queues = {std::string(outbox::fates_queue)}},
                   [this](schedule::JobInHand job) { fates_.run(std::move(job)); }});
    all.push_back({{.queues = {std::string(engagement::bounces::faults_queue)}},
                   [this](schedule::JobInHand job) { faults_.run(std::move(job)); }});
    return all;
}

void Engaged::look() {
    if (!is_shared_) return;
    static_cast<void>(streaks_.refresh());
    static_cast<void>(account_.sequences().fold());
}

void Engaged::follow_all_people() {
    const people::AudienceFollower follower(people_.suppressions());
    static_cast<void>(follower.look([] { return false; }));
}

}  // namespace mailroom::sim
