// People as a program: their tables, their routes, and the list that all who send ask.
#pragma once

#include "people/books.h"
#include "people/lifecycle/lifecycle.h"
#include "people/others/followed_audience.h"
#include "people/people.h"
#include "people/segments/expansion_parts.h"
#include "people/segments/expansions.h"
#include "people/segments/finder.h"
#include "people/segments/live_crowd.h"
#include "people/segments/segments.h"
#include "people/settings.h"
#include "people/suppressions.h"
#include "program/program.h"

#include <chrono>
#include <optional>
#include <vector>

namespace mailroom::people {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    void add_settings(program::Settings& list) override;
    std::vector<table::OwnTable> tables() const override;
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;
    std::vector<program::Work> jobs() override;
    void add_metrics(program::Metrics& metrics) override;
    void start() override;
    void stop(std::chrono::milliseconds grace) override;

    const Settings& settings() const { return settings_; }
    // From here on: when it is open.
    const Books& books() const { return suppressions_->books(); }
    Suppressions& suppressions() { return *suppressions_; }
    People& people() { return *people_; }
    Lifecycle& lifecycle() { return *lifecycle_; }
    const Preferences& preferences() { return lifecycle_->preferences(); }
    const Segments& segments() { return *segments_; }
    const Finder& finder() { return *finder_; }
    // For filters of segments; before the server serves. Must outlive all requests.
    void ask_deeds_of(const MailDeeds& mail_deeds) { finder_->ask_deeds_of(mail_deeds); }
    const Expansions& expansions() { return *expansions_; }
    // For the table endpoint: hears of what other programs write of people.
    table::WriteWatch& followed_writes() { return *followed_; }

private:
    Settings settings_;
    // Members stand in the order in which they are made, and each uses only those above it.
    std::optional<Suppressions> suppressions_;
    std::optional<People> people_;
    std::optional<Lifecycle> lifecycle_;
    std::optional<FollowedAudience> followed_;
    std::optional<LiveCrowd> crowd_;
    std::optional<Finder> finder_;
    std::optional<Segments> segments_;
    std::optional<Expansions> expansions_;
    std::optional<ExpansionParts> expansion_parts_;
};

}  // namespace mailroom::people
