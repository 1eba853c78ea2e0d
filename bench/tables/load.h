// The load generator: raw keep-alive HTTP from one thread.
//
// Every connection has exactly one request in flight; the next one leaves as soon as the answer is
// in. The caller makes each request's bytes, so nothing is formatted or parsed here that the
// measured server does not need, and one core drives more requests than any of the servers answers
// (the run reports how busy that core was).
#pragma once

#include "base/result.h"
#include "histogram.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace mailroom::bench {

// A port on 127.0.0.1.
struct Endpoint {
    std::uint16_t port;
};

// Replaces the content of `request` by the bytes of the next request.
using Render = std::function<void(std::string& request)>;
// Whether the body of an answer with the right status is what was asked for.
using Accept = std::function<bool(std::string_view body)>;

struct LoadPlan {
    std::size_t connections = 1;
    std::chrono::nanoseconds warm_up{};   // Sent and answered, but not counted.
    std::chrono::nanoseconds measured{};  // Starts when the warm-up ends.
    // No more requests than this leave, however much time is left.
    std::uint64_t requests_max = std::numeric_limits<std::uint64_t>::max();
    int status = 200;  // Of good answers.
    Render render;
    // Asked about the first answer of a connection and some of the later ones: looking at every
    // body would cost the generator more than receiving it.
    Accept accept = [](std::string_view) { return true; };
};

struct LoadResult {
    std::uint64_t requests = 0;  // All that were sent, warm-up included; each was answered.
    // Answers with another status, or refused by `accept`; warm-up included.
    std::uint64_t errors = 0;
    std::string error_sample;                       // Status and body of the first of them.
    Histogram latency;                              // Of the measured time only.
    std::chrono::steady_clock::time_point started;  // When the first request left.
    double measured_seconds = 0;
    double generator_busy = 0;  // Share of one core that the generator used, 0 to 1.

    double rate() const {
        return measured_seconds > 0 ? static_cast<double>(latency.count()) / measured_seconds : 0;
    }
};

// Runs the plan to its end and waits for the last answers. `unavailable` when a connection cannot
// be made, is closed by the server, brings something other than HTTP, or stays silent for 30 s.
Result<LoadResult> run_load(Endpoint endpoint, const LoadPlan& plan);

// One request on a connection of its own, the body of its answer. `invalid` with status and body
// when the answer is not 200; otherwise fails as run_load does.
Result<std::string> call(Endpoint endpoint, std::string request);

}  // namespace mailroom::bench
