#include "engagement/pages/front_desk.h"

#include "engagement/pages/preference_routes.h"
#include "engagement/pages/unsubscribe_routes.h"

#include <string>
#include <utility>

namespace mailroom::engagement {

FrontDesk::FrontDesk(const program::Ground& ground, people::People& people,
                     people::Preferences& preferences, outbox::Outbox& outbox, Account& account,
                     const Tracking& tracking, const TrackingSettings& tracking_settings,
                     const PageSettings& page_settings)
    : preferences_(preferences),
      tracking_(tracking),
      pages_(page_settings),
      topics_(ground.store, ground.clock,
              people::Books::people_table(people.books().tables.people)),
      reception_(people, topics_, tracking.tokens(), tracking_settings, pages_, ground.clock),
      leaving_(people, ground.schedule, ground.clock, ground.random, account),
      mails_(outbox, tracking.links(), page_settings) {
    if (!page_settings.from.empty() && tracking.links().has_base()) preferences.mail_by(mails_);
}

void FrontDesk::add_routes(program::Api& api) {
    add_unsubscribe_routes(api, reception_, leaving_, tracking_.links());
    add_preference_routes(api, reception_, preferences_, leaving_);
    add_confirmation_routes(api, reception_, preferences_);
}

program::Work FrontDesk::job() {
    return {{.queues = {std::string(left_queue)}, .threads = 2},
            [this](schedule::JobInHand job) { leaving_.run(std::move(job)); }};
}

}  // namespace mailroom::engagement
