// get_load PORT CONNECTIONS SECONDS PATHS
//
// GETs the paths of the file PATHS, a line each, one after the other and again, over kept
// connections to 127.0.0.1, one in flight on each, as a browser asks for the picture in a mail; and
// prints one line of JSON: answers a second, how long they took, and how busy this program was. An
// answer with another status than 200 is counted and the first one shown.
#include "load.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

namespace {

constexpr auto warm_up = std::chrono::seconds(2);

[[noreturn]] void fail(std::string_view why) {
    fmt::print(stderr, "get_load: {}\n", why);
    std::exit(1);
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

std::vector<std::string> read_requests(const char* path) {
    std::ifstream file(path);
    std::vector<std::string> requests;
    for (std::string line; std::getline(file, line);) {
        requests.push_back(fmt::format(
            "GET {} HTTP/1.1\r\nHost: mail.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux "
            "x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\nAccept: image/avif,image/webp,*/*"
            "\r\nAccept-Language: en\r\n\r\n",
            line));
    }
    if (requests.empty()) fail("PATHS has no lines");
    return requests;
}

void print(const LoadResult& result) {
    if (result.errors > 0) {
        fmt::print(stderr, "get_load: {} errors: {}\n", result.errors, result.error_sample);
    }
    const auto ms = [&](double percent) {
        return std::chrono::duration<double, std::milli>(result.latency.percentile(percent))
            .count();
    };
    fmt::print(R"({{"requests":{},"errors":{},"rate":{:.1f},"p50_ms":{:.3f},"p99_ms":{:.3f},)"
               R"("busy":{:.3f}}})",
               result.requests, result.errors, result.rate(), ms(50), ms(99),
               result.generator_busy);
    fmt::print("\n");
}

}  // namespace

}  // namespace mailroom::bench

int main(int count, char** arguments) {
    using namespace mailroom::bench;
    if (count != 5) fail("usage: get_load PORT CONNECTIONS SECONDS PATHS");
    const Endpoint endpoint{argument<std::uint16_t>("PORT", arguments[1], 65535)};
    LoadPlan plan;
    plan.connections = argument<std::uint32_t>("CONNECTIONS", arguments[2], 1024);
    plan.warm_up = warm_up;
    plan.measured = std::chrono::seconds(argument<std::uint32_t>("SECONDS", arguments[3], 3600));
    const auto requests = read_requests(arguments[4]);
    std::size_t next = 0;
    plan.render = [&](std::string& bytes) {
        bytes.assign(requests[next]);
        next = next + 1 == requests.size() ? 0 : next + 1;
    };
    const auto result = run_load(endpoint, plan);
    if (!result) fail(result.error().message);
    print(*result);
    return result->errors == 0 ? 0 : 1;
}
