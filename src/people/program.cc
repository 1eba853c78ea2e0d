#include "people/program.h"

#include "people/suppression_routes.h"

namespace mailroom::people {

void Program::add_settings(program::Settings& list) { people::add_settings(list, settings_); }

std::vector<table::OwnTable> Program::tables() const { return Books::declared(settings_.tables); }

Result<> Program::open(const program::Ground& ground) {
    books_.emplace(ground.store, ground.clock, ground.random, settings_.tables);
    TRY(books_->open());
    // The table is hidden from those who come by the DynamoDB endpoint.
    using Writers = Suppressions::Writers;
    const auto writers =
        ground.ownership == schedule::Ownership::shared ? Writers::others_too : Writers::only_this;
    suppressions_.emplace(TRY(
        Suppressions::open(ground.store, ground.clock, writers, settings_.tables.suppressions)));
    people_.emplace(*books_, *suppressions_, ground.schedule);
    constexpr std::size_t bytes_of_mb = 1024UL * 1024;
    CrowdLimits limits;
    limits.bytes_max = settings_.memory_mb * bytes_of_mb;
    crowd_.emplace(ground.store, settings_.tables, limits);
    finder_.emplace(*books_, *crowd_);
    segments_.emplace(*books_);
    expansions_.emplace(*books_, *finder_, *segments_);
    return Ok{};
}

void Program::add_routes(program::Api& api) {
    add_suppression_routes(api, *suppressions_);
}

void Program::add_metrics(program::Metrics& metrics) {
    metrics.gauge("mailroom_people_in_memory", "People who are found without reading tables.", {},
                  [this] { return static_cast<double>(crowd_->figures().people); });
    metrics.gauge("mailroom_people_memory_bytes", "Memory that they take.", {},
                  [this] { return static_cast<double>(crowd_->figures().bytes); });
}

void Program::start() { crowd_->start(); }

void Program::stop(std::chrono::milliseconds) {
    if (crowd_) crowd_->stop();
}

}  // namespace mailroom::people
