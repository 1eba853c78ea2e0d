#include "people/program.h"

#include "people/people_routes.h"
#include "people/segments/segment_routes.h"
#include "people/suppression_routes.h"

namespace mailroom::people {

namespace {

constexpr auto look_pause = std::chrono::hours(1);

}  // namespace

void Program::add_settings(program::Settings& list) { people::add_settings(list, settings_); }

std::vector<table::OwnTable> Program::tables() const { return Books::declared(settings_.tables); }

Result<> Program::open(const program::Ground& ground) {
    // The table is hidden from those who come by the DynamoDB endpoint.
    using Writers = Suppressions::Writers;
    const auto writers =
        ground.ownership == schedule::Ownership::shared ? Writers::others_too : Writers::only_this;
    suppressions_.emplace(TRY(
        Suppressions::open(ground.store, ground.clock, ground.random, writers, settings_.tables)));
    people_.emplace(*suppressions_, ground.schedule);
    lifecycle_.emplace(*people_, ground.schedule);
    FollowedAudienceOptions options;
    // Nobody tells what is written past us.
    if (writers == Writers::others_too) options.look_every = look_pause;
    followed_.emplace(*suppressions_, options);
    TRY(followed_->open());
    constexpr std::size_t bytes_of_mb = 1024UL * 1024;
    CrowdLimits limits;
    limits.bytes_max = settings_.memory_mb * bytes_of_mb;
    crowd_.emplace(ground.store, settings_.tables, limits);
    finder_.emplace(books(), *crowd_);
    segments_.emplace(books());
    expansions_.emplace(books(), *finder_, *segments_);
    expansion_parts_.emplace(*expansions_);
    suppressions_->keep(*expansion_parts_);
    return Ok{};
}

void Program::add_routes(program::Api& api) {
    add_people_routes(api, *people_);
    add_segment_routes(api, {*segments_, *finder_, books().clock});
    add_suppression_routes(api, *suppressions_);
    lifecycle_->add_routes(api);
}

std::vector<program::Work> Program::jobs() {
    auto all = lifecycle_->jobs();
    all.push_back({{.queues = {std::string(people_queue)}, .threads = 1},
                   [this](schedule::JobInHand job) { people_->run(*job); }});
    return all;
}

void Program::add_metrics(program::Metrics& metrics) {
    metrics.gauge("mailroom_people_in_memory", "People who are found without reading tables.", {},
                  [this] { return static_cast<double>(crowd_->figures().people); });
    metrics.gauge("mailroom_people_memory_bytes", "Memory that they take.", {},
                  [this] { return static_cast<double>(crowd_->figures().bytes); });
}

void Program::start() {
    followed_->start();
    crowd_->start();
}

void Program::stop(std::chrono::milliseconds) {
    if (followed_) followed_->stop();
    if (crowd_) crowd_->stop();
}

}  // namespace mailroom::people
