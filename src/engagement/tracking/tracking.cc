#include "engagement/tracking/tracking.h"

#include "base/base64.h"
#include "engagement/tracking/link_routes.h"
#include "engagement/tracking/tracking_routes.h"
#include "program/kept_settings.h"

#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t secret_bytes = 32;
constexpr const char* secret_name = "tracking_secret";
// Each row is many hits, whose events are written one after the other.
constexpr std::size_t digest_threads = 2, rows_in_hand_max = 8;

}  // namespace

Result<std::unique_ptr<Tracking>> Tracking::open(const program::Ground& ground,
                                                 const TrackingSettings& settings,
                                                 const Settings& of_engagement, Account& account,
                                                 MayTrack may_track) {
    auto secrets = TRY(settings.parsed_secrets());
    auto kept = TRY(program::KeptSettings::open(ground.store));
    secrets.push_back({0, TRY(kept.get_or_keep(secret_name, [&] {
                           return base64url_encode(random_bytes(ground.random, secret_bytes));
                       }))});
    auto keys = TokenKeys::make(std::move(secrets));
    if (!keys) return Error{Errc::invalid, "tracking.secrets: " + keys.error().message};
    return std::unique_ptr<Tracking>(new Tracking(ground, settings, of_engagement, account,
                                                  std::move(may_track), *std::move(keys)));
}

Tracking::Tracking(const program::Ground& ground, const TrackingSettings& settings,
                   const Settings& of_engagement, Account& account, MayTrack may_track,
                   TokenKeys keys)
    : settings_(settings),
      clock_(ground.clock),
      tokens_(std::move(keys)),
      links_(settings.url, tokens_),
      tailor_(links_, settings_, may_track),
      link_counts_(ground.store, ground.clock, of_engagement),
      digest_(ground.store, ground.schedule, ground.clock, account, recent_,
              of_engagement.tables.own, std::move(may_track)),
      journal_(ground.schedule, recent_, ground.clock, ground.random,
               {.table = of_engagement.tables.own}) {
    account.tell(link_counts_);
}

void Tracking::add_routes(program::Api& api, BadLink bad_link) {
    add_link_routes(api, link_counts_);
    add_tracking_routes(api, {tokens_, settings_, journal_, clock_, std::move(bad_link)});
}

void Tracking::add_metrics(program::Metrics& metrics) {
    constexpr const char* name = "mailroom_tracking_hits_total";
    constexpr const char* help = "Opens and clicks that came, by what became of them.";
    const auto add = [&](const char* label, auto read) {
        metrics.counter(name, help, {{"became", label}},
                        [read] { return static_cast<double>(read()); });
    };
    add("kept", [this] { return journal_.counts().kept; });
    add("lost", [this] { return journal_.counts().lost; });
    add("too_many", [this] { return journal_.counts().too_many; });
    add("noted", [this] { return digest_.counts().noted; });
    add("of_unknown_mail", [this] { return digest_.counts().of_unknown_mails; });
    add("unwanted", [this] { return digest_.counts().unwanted; });
    add("digested", [this] { return digest_.counts().ended; });
    metrics.gauge("mailroom_tracking_delay_seconds",
                  "How old the opens and clicks were that became events last.", {},
                  [this] { return std::chrono::duration<double>(digest_.delay()).count(); });
}

program::Work Tracking::job() {
    return {{.queues = {std::string(hits_queue)},
             .threads = digest_threads,
             .jobs_max = rows_in_hand_max},
            [this](schedule::JobInHand job) { digest_.run(std::move(job)); }};
}

}  // namespace mailroom::engagement
