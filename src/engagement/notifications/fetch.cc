#include "engagement/notifications/fetch.h"

#include <chrono>
#include <string>

namespace mailroom::engagement::notifications {

namespace {

constexpr int ok_status = 200;
constexpr auto timeout = std::chrono::seconds(10);
constexpr std::size_t answer_bytes_max = 64 * 1024;

}  // namespace

Fetch fetch_through(net::HttpClient& http) {
    return [&http](const net::Url& url) -> Result<std::string> {
        net::HttpLimits limits;
        limits.total_timeout = timeout;
        limits.answer_bytes_max = answer_bytes_max;
        auto answer = TRY(http.send(
            {.method = "GET", .url = url, .reach = net::Reach::guarded, .limits = limits}));
        if (answer.status == ok_status) return std::move(answer.body);
        return Error{Errc::unavailable, "HTTP " + std::to_string(answer.status)};
    };
}

}  // namespace mailroom::engagement::notifications
