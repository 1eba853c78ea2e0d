#include "engagement/program.h"

#include "base/log.h"
#include "engagement/bounces/consequences.h"
#include "engagement/bounces/faults.h"
#include "engagement/events/event_routes.h"
#include "engagement/events/fates.h"
#include "engagement/events/kept_account.h"
#include "engagement/events/peoples_deeds.h"
#include "engagement/events/personal_events.h"
#include "engagement/events/rows.h"
#include "engagement/events/streaks.h"
#include "engagement/events/timeline.h"
#include "engagement/notifications/fetch.h"
#include "engagement/notifications/notification_routes.h"
#include "engagement/numbers/number_routes.h"
#include "engagement/pages/front_desk.h"
#include "engagement/tracking/tracking.h"
#include "engagement/webhooks/hooks.h"
#include "people/activity.h"
#include "table/records/ensure_table.h"

#include <chrono>
#include <optional>
#include <string>

namespace mailroom::engagement {

namespace {

using namespace std::chrono_literals;

// They wait for commits most of the time.
constexpr std::size_t fates_threads = 16;

// A person of whom nothing can be told does not want it.
Result<bool> may_track(const people::People& people, const std::string& email) {
    const auto person = people.find(email);
    if (person) return !*person || (*person)->may_track;
    const auto code = person.error().code;
    if (code == Errc::corrupt || code == Errc::invalid) return false;
    return person.error();
}

void add_event_metrics(program::Metrics& metrics, const KeptAccount& account) {
    const auto add = [&](EventType type, std::string_view name, bool is_machine) {
        metrics.counter("mailroom_events_total", "Events of mails that were added, by their type.",
                        {{"type", std::string(name)}, {"machine", is_machine ? "yes" : "no"}},
                        [&account, type, is_machine] {
                            return static_cast<double>(account.added(type, is_machine));
                        });
    };
    for (const auto& [type, name] : names_of(EventType())) {
        add(type, name, false);
        if (type == EventType::open || type == EventType::click) add(type, name, true);
    }
}

}  // namespace

// Members stand in the order in which they are made, and each uses only those above it.
struct Program::Parts {
    Parts(const program::Ground& ground, people::Program& people, outbox::Program& outbox,
          const Settings& settings,
          const notifications::NotificationSettings& notification_settings)
        : activities(ground.store, people.settings().tables.people),
          streaks(ground.store, ground.clock, settings.tables.own, settings.soft_bounces_max),
          faults(ground.store, ground.schedule, ground.clock, outbox.pauses(), settings.tables.own,
                 settings.policy_faults_max),
          consequences(people.people(), streaks, faults),
          account({ground.store, ground.schedule, ground.ownership, ground.clock, ground.random,
                   outbox.ledger(), activities, people.suppressions(),
                   people.settings().tables.audience, settings}),
          fates(account, streaks, outbox.ledger(), ground.schedule),
          timeline(ground.store, {people.settings().tables.audience, settings.tables.events,
                                  people.settings().tables.people}),
          mail_deeds(ground.store, settings.tables.events),
          personal(ground.store, settings.tables, people.settings().tables.audience),
          http({}, outbox.network_guard()),
          notifications(notification_settings, account, ground.store, ground.clock,
                        settings.tables.own, notifications::fetch_through(http)),
          hooks(ground, outbox.network_guard(),
                {settings.tables.own, settings.tables.events, people.settings().tables.audience}),
          store(ground.store),
          clock(ground.clock) {
        account.tell(consequences);
        account.tell(hooks.witness());
    }

    people::Activities activities;
    Streaks streaks;
    bounces::Faults faults;
    bounces::Consequences consequences;
    KeptAccount account;
    Fates fates;
    Timeline timeline;
    PeoplesDeeds mail_deeds;
    PersonalEvents personal;
    net::HttpClient http;
    notifications::Notifications notifications;
    webhooks::Hooks hooks;
    table::Store& store;
    const Clock& clock;
    std::unique_ptr<Tracking> tracking;  // From open() on, as what follows.
    std::optional<FrontDesk> front_desk;
};

Program::Program(people::Program& people, outbox::Program& outbox)
    : people_(people), outbox_(outbox) {}
Program::~Program() = default;

void Program::add_settings(program::Settings& list) {
    engagement::add_settings(list, settings_);
    engagement::add_settings(list, tracking_settings_);
    engagement::add_settings(list, page_settings_);
    notifications::add_settings(list, notification_settings_);
}

Result<> Program::check_settings() const { return notification_settings_.check(); }

std::vector<table::OwnTable> Program::tables() const {
    return {rows::declared_events(settings_.tables.events),
            rows::declared_own(settings_.tables.own)};
}

Result<> Program::open(const program::Ground& ground) {
    TRY(table::ensure_tables(ground.store, tables()));
    parts_ = std::make_unique<Parts>(ground, people_, outbox_, settings_, notification_settings_);
    TRY(parts_->streaks.refresh());
    outbox_.account_with(parts_->fates);
    // What was told of events is found by them, so it is kept later and goes first.
    people_.people().keep(parts_->personal);
    people_.people().keep(parts_->hooks.personal());
    people_.ask_deeds_of(parts_->mail_deeds);
    parts_->tracking = TRY(Tracking::open(
        ground, tracking_settings_, settings_, parts_->account,
        [&people = people_.people()](const auto& email) { return may_track(people, email); }));
    outbox_.tailor_with(parts_->tracking->tailor());
    is_shared_ = ground.ownership == schedule::Ownership::shared;
    // What was counted while the tables were shared.
    TRY(parts_->account.sequences().fold());
    parts_->front_desk.emplace(ground, people_.people(), people_.lifecycle().preferences(),
                               outbox_.outbox(), parts_->account, *parts_->tracking,
                               tracking_settings_, page_settings_);
    return Ok{};
}

void Program::add_routes(program::Api& api) {
    auto& parts = *parts_;
    add_number_routes(api, parts.account.numbers(), parts.account.facts(), parts.clock);
    add_event_routes(api, parts.store, settings_.tables.events, parts.timeline);
    parts.tracking->add_routes(api,
                               [&reception = parts.front_desk->reception()](const auto& asked) {
                                   return reception.no_such_link(asked);
                               });
    parts.front_desk->add_routes(api);
    notifications::add_notification_routes(api, parts.notifications);
    parts.hooks.add_routes(api);
}

void Program::add_metrics(program::Metrics& metrics) {
    parts_->tracking->add_metrics(metrics);
    add_event_metrics(metrics, parts_->account);
    metrics.counter("mailroom_streams_paused_total",
                    "Streams paused because servers refused mails because of us.", {},
                    [this] { return static_cast<double>(parts_->faults.pauses_made()); });
    constexpr const char* name = "mailroom_notifications_total";
    constexpr const char* help = "Notifications of mail providers, by whether they were believed.";
    metrics.counter(name, help, {{"was", "taken"}},
                    [this] { return static_cast<double>(parts_->notifications.taken()); });
    metrics.counter(name, help, {{"was", "refused"}},
                    [this] { return static_cast<double>(parts_->notifications.refused()); });
    parts_->hooks.add_metrics(metrics);
}

std::vector<program::Work> Program::jobs() {
    return {{{.queues = {std::string(outbox::fates_queue)},
              .threads = fates_threads,
              .jobs_max = 2 * fates_threads},
             [this](schedule::JobInHand job) { parts_->fates.run(std::move(job)); }},
            {{.queues = {std::string(bounces::faults_queue)}, .threads = 1},
             [this](schedule::JobInHand job) { parts_->faults.run(std::move(job)); }},
            parts_->tracking->job(),
            parts_->front_desk->job(),
            parts_->hooks.job()};
}

void Program::start() {
    parts_->hooks.start();
    if (!is_shared_) return;
    constexpr auto refresh_pause = 1min;
    constexpr auto fold_pause = 1s;
    const auto warn = [](const Result<>& done) {
        if (!done) log::warn("not done in the background", {{"why", done.error().message}});
    };
    refreshing_.emplace(refresh_pause, [this, warn] { warn(parts_->streaks.refresh()); });
    folding_.emplace(fold_pause, [this, warn] { warn(parts_->account.sequences().fold()); });
}

void Program::stop(std::chrono::milliseconds grace) {
    if (refreshing_) refreshing_->stop();
    if (folding_) folding_->stop();
    if (parts_) parts_->hooks.stop(grace);
}

Account& Program::account() { return parts_->account; }
outbox::Tailor& Program::tailor() { return parts_->tracking->tailor(); }
const Links& Program::links() const { return parts_->tracking->links(); }

}  // namespace mailroom::engagement
