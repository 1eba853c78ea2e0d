// One line of time for everything that happens in a simulated world: what comes next, chance from
// the seed, and the trace of it all.
#pragma once

#include "base/clock.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::sim {

// The same for the same seed, on every machine.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t below(std::uint64_t end) { return engine_() % end; }
    bool one_in(std::uint64_t number) { return below(number) == 0; }
    // So many thousandths of the times.
    bool of_thousand(int times) { return below(1000) < static_cast<std::uint64_t>(times); }
    std::chrono::milliseconds between(std::chrono::milliseconds least,
                                      std::chrono::milliseconds most) {
        const auto span = static_cast<std::uint64_t>((most - least).count()) + 1;
        return least + std::chrono::milliseconds(below(span));
    }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }

private:
    std::mt19937_64 engine_;
};

class Events {
public:
    Events(std::uint64_t seed, Time start) : clock(start), chance(seed), start_(start) {}

    Time now() const { return clock.now(); }
    std::chrono::milliseconds since_start() const { return now() - start_; }

    // Not before now.
    void at(Time time, std::function<void()> event);
    void after(std::chrono::milliseconds pause, std::function<void()> event) {
        at(now() + pause, std::move(event));
    }
    std::optional<Time> next() const;
    // Moves the clock to the next event, if there is one by `latest`, and runs it; to `latest`
    // otherwise, and returns false.
    bool run_next(Time latest);

    // How many things happened: orders what happens at the same millisecond.
    std::uint64_t count() const { return count_; }

    void note(std::string_view text);
    const std::string& trace() const { return trace_; }

    ManualClock clock;
    Chance chance;

private:
    const Time start_;
    std::multimap<Time, std::function<void()>> waiting_;
    std::uint64_t count_ = 0;
    std::string trace_;
};

// A node's own clock, which goes before or after.
class SkewedClock final : public Clock {
public:
    SkewedClock(const Clock& clock, std::chrono::milliseconds skew) : clock_(clock), skew_(skew) {}
    Time now() const override { return clock_.now() + skew_; }
    // Somebody sets it.
    void set(std::chrono::milliseconds skew) { skew_ = skew; }

private:
    const Clock& clock_;
    std::chrono::milliseconds skew_;
};

}  // namespace mailroom::sim
