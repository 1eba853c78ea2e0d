#include "app/reminder_service.h"

#include "base/log.h"

namespace mailroom::app {

namespace {

// They wait for commits most of the time.
constexpr std::size_t delivery_threads = 4;

reminders::Policy policy_of(const Config::Reminders& config) {
    reminders::Policy policy;
    const auto days = [](std::uint32_t number) { return static_cast<int>(number); };
    policy.rules[0].window_days = days(config.first_window_days);
    policy.rules[1].window_days = days(config.second_window_days);
    policy.rules[1].spacing_days = days(config.second_after_days);
    policy.rules[2].window_days = days(config.final_window_days);
    policy.rules[2].spacing_days = days(config.final_after_days);
    policy.finals_per_cycle_max = days(config.finals_per_cycle);
    return policy;
}

reminders::TableNames names_of(const Config& config) {
    reminders::TableNames names;
    names.tracking = config.tables.reminders;
    return names;
}

reminders::DraftSettings settings_of(const Config& config) {
    reminders::DraftSettings settings;
    settings.from = config.reminders.from;
    // A mail that nobody gets may come from anywhere.
    if (settings.from.empty() && config.outbox.transport == "capture") {
        settings.from = "reminders@mailroom.example";
    }
    settings.reply_to = config.reminders.reply_to;
    settings.four_eyes = config.reminders.four_eyes;
    settings.usual_writer = config.reminders.writer == "ai" ? reminders::Writer::by_model
                                                            : reminders::Writer::by_template;
    return settings;
}

}  // namespace

ReminderService::ReminderService(const Config& config, table::Store& store, OutboxService& outbox,
                                 const Clock& clock, Random& random)
    : outbox_(outbox),
      books_{store,  outbox.schedule(),           clock,
             random, policy_of(config.reminders), names_of(config)},
      accounts_(books_),
      templates_(books_),
      assessor_(books_, outbox.suppressions()),
      privacy_(accounts_) {}

Result<std::unique_ptr<ReminderService>> ReminderService::open(const Config& config,
                                                               table::Store& store,
                                                               OutboxService& outbox,
                                                               const Clock& clock, Random& random) {
    std::unique_ptr<ReminderService> service(
        new ReminderService(config, store, outbox, clock, random));
    TRY(service->open_parts(config));
    return service;
}

ReminderService::~ReminderService() { stop(std::chrono::milliseconds(0)); }

Result<> ReminderService::open_parts(const Config& config) {
    TRY(books_.open());
    TRY(templates_.add_built_in());
    const auto& wanted = config.reminders;
    if (!wanted.ai_url.empty()) {
        http_.emplace(net::HttpClientOptions{});
        auto url = TRY(net::Url::parse(wanted.ai_url));
        model_.emplace(*http_, reminders::ChatModelOptions{
                                   .url = std::move(url),
                                   .key = wanted.ai_key,
                                   .model = wanted.ai_model,
                                   .timeout = std::chrono::seconds(wanted.ai_timeout_seconds)});
    }
    author_.emplace(templates_, model_ ? &*model_ : nullptr, books_.clock,
                    reminders::Company(wanted.company_name, wanted.payment_details));
    drafts_.emplace(accounts_, outbox_.outbox(), outbox_.suppressions(), *author_,
                    settings_of(config));
    deliveries_.emplace(accounts_, *drafts_, outbox_.outbox(), outbox_.suppressions());
    guard_.emplace(accounts_, outbox_.outbox(), outbox_.suppressions());
    outbox_.guard_with(*guard_);
    crew_.emplace(outbox_.schedule(), books_.clock,
                  schedule::CrewOptions{.queues = {std::string(reminders::delivery_queue)},
                                        .threads = delivery_threads,
                                        .jobs_max = 2 * delivery_threads},
                  [this](schedule::JobInHand job) { deliveries_->run(std::move(job)); });
    return Ok{};
}

void ReminderService::stop(std::chrono::milliseconds grace) {
    if (stopped_ || !crew_) return;
    stopped_ = true;
    const auto left = crew_->stop(grace);
    if (left > 0) log::warn("reminders were left for the next start", {{"count", left}});
}

}  // namespace mailroom::app
