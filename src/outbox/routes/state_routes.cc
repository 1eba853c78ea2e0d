#include "base/time_format.h"
#include "outbox/routes/forms.h"
#include "outbox/routes/pause_record.h"
#include "outbox/routes/routes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

namespace mailroom::outbox {

namespace {

std::array<std::string_view, 4> queues() {
    return {callback_queue, fetching_queue, send_queue(Stream::transactional),
            send_queue(Stream::bulk)};
}

}  // namespace

// One of queues().
struct QueueName {
    std::string text;
};

}  // namespace mailroom::outbox

namespace mailroom::table {

template <>
struct Form<outbox::QueueName> {
    static std::string wanted() {
        std::string names;
        for (const auto queue : outbox::queues()) {
            names += (names.empty() ? "" : ", ") + std::string(queue);
        }
        return "must be one of " + names;
    }
    static std::optional<outbox::QueueName> parse(std::string_view text) {
        const auto all = outbox::queues();
        if (std::ranges::find(all, text) == all.end()) return std::nullopt;
        return outbox::QueueName{std::string(text)};
    }
    static void read(const json::View& view, outbox::QueueName& to, Reading& reading) {
        const bool is_text = view.type() == json::View::Type::text;
        auto name = is_text ? parse(view.text()) : std::nullopt;
        if (name) to = *std::move(name);
        if (!name) reading.wrong(wanted());
    }
    static void describe(json::Writer& writer, Schemas&) {
        const auto all = outbox::queues();
        outbox::describe_names(writer, {all.begin(), all.end()});
    }
};

}  // namespace mailroom::table

namespace mailroom::outbox {

namespace {

using program::Actor;
using table::asked;
using table::PageWish;
using table::required;
using table::shown;
using table::Slice;

struct DeadFilter {
    QueueName queue{std::string(callback_queue)};

    static constexpr auto fields =
        std::tuple{asked("queue", &DeadFilter::queue, "That of callbacks unless given.")};
};
struct RetryDead {
    QueueName queue;
    std::string place;

    static constexpr auto fields = std::tuple{
        required("queue", &RetryDead::queue),
        required("place", &RetryDead::place, "As the list of what was given up has it.")};
};
struct Retried {
    std::string status = "due";

    static constexpr std::string_view record_name = "RetriedJob";
    static constexpr auto fields = std::tuple{shown("status", &Retried::status)};
};
struct CallbackSecret {
    std::string secret;

    static constexpr std::string_view record_name = "CallbackSecret";
    static constexpr auto fields =
        std::tuple{shown("secret", &CallbackSecret::secret, "whsec_…, for Standard Webhooks.")};
};

// How long the oldest has been in a state.
struct Oldest {
    Time since;
    double age_seconds = 0;

    static constexpr std::string_view record_name = "OldestMail";
    static constexpr auto fields =
        std::tuple{shown("since", &Oldest::since), shown("age_seconds", &Oldest::age_seconds)};
};
struct ShownRates {
    OutboxWatch::Rates rates;

    static constexpr std::string_view record_name = "OutboxRates";
    static constexpr auto fields = std::tuple{
        shown("accepted_per_second",
              [](const ShownRates& r) { return r.rates.accepted_per_second; }),
        shown("sent_per_second", [](const ShownRates& r) { return r.rates.sent_per_second; }),
        shown("failed_per_second", [](const ShownRates& r) { return r.rates.failed_per_second; })};
};
struct ShownStats {
    std::map<std::string, std::int64_t> states;
    std::int64_t waiting = 0, held = 0;
    std::map<std::string, Oldest> oldest;
    std::vector<Pause> pauses;
    ShownRates rates;

    static constexpr std::string_view record_name = "OutboxStats";
    static constexpr auto fields =
        std::tuple{shown("states", &ShownStats::states, "How many mails are in each."),
                   shown("waiting", &ShownStats::waiting, "Mails that are not settled."),
                   shown("held", &ShownStats::held),
                   shown("oldest", &ShownStats::oldest, "By state that is not settled."),
                   shown("pauses", &ShownStats::pauses),
                   shown("rates", &ShownStats::rates, "Of the last minute.")};
};

Result<ShownStats> stats(const Desk& desk) {
    const auto found = TRY(desk.outbox.stats());
    const auto now = desk.clock.now();
    ShownStats shown;
    for (std::size_t i = 0; i < all_states.size(); ++i) {
        shown.states.emplace(name_of(all_states[i]), found.counts.by_state[i]);
    }
    shown.waiting = found.counts.waiting();
    shown.held = found.counts.held;
    for (const auto& [state, since] : found.oldest) {
        const auto age = std::chrono::duration<double>(now - since).count();
        shown.oldest.emplace(name_of(state), Oldest{since, std::max(0.0, age)});
    }
    shown.pauses = desk.pauses.now();
    shown.rates = {desk.watch.rates()};
    return shown;
}

Result<Slice<schedule::DeadJob>> list_dead(const DeadFilter& in, const PageWish& page,
                                           schedule::Schedule& schedule) {
    auto found = TRY(schedule.dead(in.queue.text, page.limit, page.after));
    return Slice<schedule::DeadJob>{std::move(found.jobs), std::move(found.next)};
}

Result<Retried> retry_dead(const RetryDead& in, schedule::Schedule& schedule) {
    TRY(schedule.revive(in.queue.text, in.place));
    return Retried{};
}

}  // namespace
}  // namespace mailroom::outbox

namespace mailroom::table {

template <>
struct Record<schedule::DeadJob> {
    using Job = schedule::DeadJob;
    static constexpr std::string_view record_name = "DeadJob";
    static constexpr auto fields =
        std::tuple{shown("queue", &Job::queue),   shown("place", &Job::place),
                   shown("email", &Job::key),     shown("attempts", &Job::attempts),
                   shown("reason", &Job::reason), shown("buried_at", &Job::buried)};
};

}  // namespace mailroom::table

namespace mailroom::outbox {

void add_state_routes(program::Api& api, const Desk& desk) {
    using program::Nothing;
    using program::scope::admin;
    api.get("/v1/outbox/stats",
            {.name = "outbox_stats",
             .scope = program::scope::read,
             .summary = "Counts by state, oldest mails, rates",
             .agents = program::Agents::may},
            [desk](const Nothing&, const Actor&) { return stats(desk); });
    api.list("/v1/outbox/dead",
             {.name = "list_dead_jobs",
              .scope = admin,
              .summary = "List work that was given up, the longest given up first"},
             [desk](const DeadFilter& in, const PageWish& page, const Actor&) {
                 return list_dead(in, page, desk.schedule);
             });
    api.post("/v1/outbox/dead/retry",
             {.name = "retry_dead_job",
              .scope = admin,
              .summary = "Take up work that was given up",
              .refuses = {mailroom::Refusal::Kind::not_found}},
             [desk](const RetryDead& in, const Actor&) { return retry_dead(in, desk.schedule); });
    api.get("/v1/outbox/callback-secret",
            {.name = "show_callback_secret",
             .scope = admin,
             .summary = "Show the secret that signs callbacks"},
            [desk](const Nothing&, const Actor&) -> Result<program::Shown<CallbackSecret>> {
                return program::Shown<CallbackSecret>{{desk.callback_secret}};
            });
}

}  // namespace mailroom::outbox
