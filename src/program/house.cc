#include "program/house.h"

#include "base/log.h"
#include "program/periodic.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <deque>
#include <iterator>
#include <optional>
#include <thread>

namespace mailroom::program {

namespace {

using namespace std::chrono_literals;

constexpr auto sample_pause = 5s;

}  // namespace

struct House::Running {
    struct Queue {
        std::string name;
        std::atomic<double> late_seconds = 0;  // The job that waits longest, after it was due.
    };
    // The crews of one program.
    using Crews = std::vector<std::unique_ptr<schedule::Crew>>;

    schedule::Schedule& schedule;
    const Clock& clock;
    std::vector<Crews> crews;  // As many as there are programs.
    std::deque<Queue> queues;
    std::optional<Periodic> sampling;

    void hire(std::vector<Work> jobs) {
        auto& hired = crews.emplace_back();
        for (auto& work : jobs) {
            for (const auto& queue : work.crew.queues) queues.emplace_back().name = queue;
            hired.push_back(std::make_unique<schedule::Crew>(schedule, clock, std::move(work.crew),
                                                             std::move(work.run)));
        }
    }
    void look_at_queues() {
        for (auto& queue : queues) {
            const auto due = schedule.first_due(queue.name);
            if (!due) continue;
            const auto late =
                *due ? std::chrono::duration<double>(clock.now() - **due).count() : 0.0;
            queue.late_seconds = std::max(0.0, late);
        }
    }
};

House::House() = default;
House::House(House&&) noexcept = default;

House::~House() {
    stop(0ms);
    running_.reset();
    while (!programs_.empty()) programs_.pop_back();
}

void House::add_settings(Settings& settings) {
    for (const auto& program : programs_) program->add_settings(settings);
}

Result<> House::check_settings() const {
    for (const auto& program : programs_) TRY(program->check_settings());
    return Ok{};
}

Result<> House::check_files() const {
    for (const auto& program : programs_) TRY(program->check_files());
    return Ok{};
}

std::vector<table::OwnTable> House::tables() const {
    std::vector<table::OwnTable> all;
    for (const auto& program : programs_) {
        auto tables = program->tables();
        std::ranges::move(tables, std::back_inserter(all));
    }
    return all;
}

Result<> House::open(const Ground& ground) {
    assert(!running_);
    running_.reset(new Running{ground.schedule, ground.clock, {}, {}, {}});
    for (const auto& program : programs_) {
        TRY(program->open(ground));
        running_->hire(program->jobs());
    }
    return Ok{};
}

void House::add_routes(Api& api) {
    for (const auto& program : programs_) program->add_routes(api);
}

void House::add_metrics(Metrics& metrics) {
    for (const auto& program : programs_) program->add_metrics(metrics);
    for (auto& queue : running_->queues) {
        metrics.gauge("mailroom_jobs_oldest_due_seconds",
                      "How long the job of a program waits that is due longest; 0 if none is.",
                      {{"queue", queue.name}}, [&queue] { return queue.late_seconds.load(); });
    }
}

void House::start() {
    for (std::size_t i = 0; i < programs_.size(); ++i) {
        for (const auto& crew : running_->crews[i]) crew->start();
        programs_[i]->start();
    }
    running_->sampling.emplace(sample_pause,
                               [running = running_.get()] { running->look_at_queues(); });
}

void House::stop(std::chrono::milliseconds grace) {
    if (!running_) return;
    if (running_->sampling) running_->sampling->stop();
    std::vector<std::thread> stopping;
    for (const auto& crews : running_->crews) {
        for (const auto& crew : crews) {
            stopping.emplace_back([&crew = *crew, grace] {
                const auto left = crew.stop(grace);
                if (left > 0) log::warn("jobs were left for the next start", {{"count", left}});
            });
        }
    }
    for (const auto& program : programs_) {
        stopping.emplace_back([&program = *program, grace] { program.stop(grace); });
    }
    for (auto& thread : stopping) thread.join();
}

Result<> House::ready() const {
    for (const auto& program : programs_) TRY(program->ready());
    return Ok{};
}

void House::reload() {
    for (const auto& program : programs_) {
        const auto read = program->reload();
        if (!read) log::error("not reloaded", {{"why", read.error().message}});
    }
}

}  // namespace mailroom::program
