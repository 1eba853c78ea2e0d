// All programs of a server, opened, started and stopped together.
#pragma once

#include "program/program.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::program {

// Not thread-safe, but for ready() and reload().
class House {
public:
    House();
    ~House();  // As stop(0). Programs go in the reverse order.
    House(House&&) noexcept;
    House& operator=(House&&) = delete;

    // In the order in which they need each other.
    template <class P, class... Args>
    P& add(Args&&... args) {
        auto program = std::make_unique<P>(std::forward<Args>(args)...);
        auto& added = *program;
        programs_.push_back(std::move(program));
        return added;
    }

    void add_settings(Settings& settings);
    Result<> check_settings() const;
    Result<> check_files() const;
    std::vector<table::OwnTable> tables() const;

    Result<> open(const Ground& ground);
    void add_routes(Api& api);
    // With how long the job waits that is due longest, for each queue.
    void add_metrics(Metrics& metrics);
    void start();
    // All at the same time. Later calls do nothing.
    void stop(std::chrono::milliseconds grace);

    Result<> ready() const;
    // Says in the log what could not be read.
    void reload();

private:
    struct Running;

    std::vector<std::unique_ptr<Program>> programs_;
    std::unique_ptr<Running> running_;  // From open() on.
};

}  // namespace mailroom::program
