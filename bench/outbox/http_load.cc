// http_load PORT CONNECTIONS REQUESTS STATUS < REQUEST
//
// Sends the same HTTP request many times over kept connections to 127.0.0.1, one in flight on each,
// from one thread, and prints one line of JSON: what was sent, how long it took, when the first
// request left (seconds of CLOCK_MONOTONIC), and how busy this program was. An answer with another
// status than STATUS is counted and the first one shown.
//
// REQUEST is whole, head and body. A run of bytes 0x01 in it becomes a number that no other place
// has, of as many digits as the run has bytes: so every mail has a recipient of its own.
#include "load.h"
#include "request_template.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace mailroom::bench {

namespace {

constexpr std::uint32_t connections_max = 1024;     // The usual limit of open files.
constexpr std::uint32_t requests_max = 10'000'000;  // Hours, for every server measured here.
constexpr auto time_max = std::chrono::hours(24);   // The requests end a run, not the time.
constexpr std::size_t request_bytes_max = 64 * 1024 * 1024;  // Many times a batch of 100 mails.

[[noreturn]] void fail(std::string_view why) {
    fmt::print(stderr, "http_load: {}\n", why);
    std::exit(1);
}

void print(const LoadResult& result) {
    if (result.errors > 0) {
        fmt::print(stderr, "http_load: {} errors: {}\n", result.errors, result.error_sample);
    }
    const auto started = std::chrono::duration<double>(result.started.time_since_epoch()).count();
    fmt::print(R"({{"requests":{},"errors":{},"seconds":{:.6f},"started":{:.6f},"busy":{:.3f}}})",
               result.requests, result.errors, result.measured_seconds, started,
               result.generator_busy);
    fmt::print("\n");
}

template <class Number>
Number argument(std::string_view name, std::string_view text, Number max) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > max) {
        fail(fmt::format("{} must be a number from 1 to {}", name, max));
    }
    return number;
}

std::string read_request() {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.empty() || text.size() > request_bytes_max) fail("a request must be on stdin");
    return text;
}

}  // namespace

}  // namespace mailroom::bench

int main(int count, char** arguments) {
    using namespace mailroom::bench;
    if (count != 5) fail("usage: http_load PORT CONNECTIONS REQUESTS STATUS < REQUEST");
    const Endpoint endpoint{argument<std::uint16_t>("PORT", arguments[1], 65535)};
    LoadPlan plan;
    plan.measured = time_max;
    plan.connections = argument("CONNECTIONS", arguments[2], connections_max);
    plan.requests_max = argument("REQUESTS", arguments[3], requests_max);
    plan.status = argument("STATUS", arguments[4], 599);
    const RequestTemplate request(read_request());
    std::uint64_t number = 0;
    plan.render = [&](std::string& bytes) {
        request.render(bytes, [&](Field) { return number++; });
    };
    const auto result = run_load(endpoint, plan);
    if (!result) fail(result.error().message);
    print(*result);
    return result->errors == 0 ? 0 : 1;
}
