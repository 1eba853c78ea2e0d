// http_load PORT CONNECTIONS AMOUNT STATUS < REQUESTS
//
// Sends HTTP requests over kept connections to 127.0.0.1, one in flight on each, from one thread,
// and prints one line of JSON: what was sent, how long it took, when the first request left
// (seconds of CLOCK_MONOTONIC), answers a second and how long they took, and how busy this program
// was. An answer with another status than STATUS is counted and the first one shown.
//
// AMOUNT is how many requests, or for how long: "10s" after two seconds that do not count.
//
// REQUESTS are whole, head and body: one, or several with a byte 0x00 between them, which are sent
// in turns. A run of bytes 0x01 in one becomes a number that no other place has, of as many digits
// as the run has bytes: so every mail has a recipient of its own.
#include "load.h"
#include "request_template.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

namespace {

constexpr std::uint32_t connections_max = 4096;     // As many as a Mailroom server takes.
constexpr std::uint32_t requests_max = 10'000'000;  // Hours, for every server measured here.
constexpr std::uint32_t seconds_max = 24 * 60 * 60;
constexpr auto warm_up = std::chrono::seconds(2);
constexpr std::size_t input_bytes_max = 64 * 1024 * 1024;  // Many times a batch of 100 mails.

[[noreturn]] void fail(std::string_view why) {
    fmt::print(stderr, "http_load: {}\n", why);
    std::exit(1);
}

void print(const LoadResult& result) {
    if (result.errors > 0) {
        fmt::print(stderr, "http_load: {} errors: {}\n", result.errors, result.error_sample);
    }
    const auto started = std::chrono::duration<double>(result.started.time_since_epoch()).count();
    const auto ms = [&](double percent) {
        return std::chrono::duration<double, std::milli>(result.latency.percentile(percent))
            .count();
    };
    fmt::print(R"({{"requests":{},"errors":{},"seconds":{:.6f},"started":{:.6f},"rate":{:.1f},)"
               R"("p50_ms":{:.3f},"p99_ms":{:.3f},"busy":{:.3f}}})",
               result.requests, result.errors, result.measured_seconds, started, result.rate(),
               ms(50), ms(99), result.generator_busy);
    fmt::print("\n");
}

std::uint32_t argument(std::string_view name, std::string_view text, std::uint32_t max) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > max) {
        fail(fmt::format("{} must be a number from 1 to {}", name, max));
    }
    return number;
}

void set_amount(LoadPlan& plan, std::string_view text) {
    if (text.ends_with('s')) {
        text.remove_suffix(1);
        plan.warm_up = warm_up;
        plan.measured = std::chrono::seconds(argument("AMOUNT", text, seconds_max));
    } else {
        plan.measured = std::chrono::seconds(seconds_max);
        plan.requests_max = argument("AMOUNT", text, requests_max);
    }
}

std::vector<RequestTemplate> read_requests() {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.empty() || text.size() > input_bytes_max) fail("requests must be on stdin");
    std::vector<RequestTemplate> requests;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find('\0', at), text.size());
        requests.emplace_back(text.substr(at, end - at));
        if (requests.back().size() == 0) fail("a request is empty");
        at = end + 1;
    }
    return requests;
}

}  // namespace

}  // namespace mailroom::bench

int main(int count, char** arguments) {
    using namespace mailroom::bench;
    if (count != 5) fail("usage: http_load PORT CONNECTIONS AMOUNT STATUS < REQUESTS");
    const Endpoint endpoint{static_cast<std::uint16_t>(argument("PORT", arguments[1], 65535))};
    LoadPlan plan;
    plan.connections = argument("CONNECTIONS", arguments[2], connections_max);
    set_amount(plan, arguments[3]);
    plan.status = static_cast<int>(argument("STATUS", arguments[4], 599));
    const auto requests = read_requests();
    std::size_t next = 0;
    std::uint64_t number = 0;
    plan.render = [&](std::string& bytes) {
        requests[next].render(bytes, [&](Field) { return number++; });
        next = next + 1 == requests.size() ? 0 : next + 1;
    };
    const auto result = run_load(endpoint, plan);
    if (!result) fail(result.error().message);
    print(*result);
    return result->errors == 0 ? 0 : 1;
}
