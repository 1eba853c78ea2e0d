// Requests that nobody waits for: from the question for the name to the last redirect. Only for
// http_client.cc.
#pragma once

#include "net/guard.h"
#include "net/http_client.h"
#include "net/http_loop.h"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>

namespace mailroom::net {

// Always held by a shared pointer. Thread-safe.
class HttpExchanges : public std::enable_shared_from_this<HttpExchanges> {
public:
    // `guard`, if any, must be there as long as something is started.
    HttpExchanges(HttpClientOptions options, const Guard* guard);
    ~HttpExchanges();

    void start(HttpRequest request, HttpClient::Done done);
    void stop();  // See HttpClient.

private:
    struct Exchange;
    using Shared = std::shared_ptr<Exchange>;

    void send(const Shared& exchange);
    void look_up(const Shared& exchange);
    void run(const Shared& exchange, std::optional<std::vector<IpAddress>> addresses);
    void take(const Shared& exchange, Result<HttpAnswer, HttpFailure> answer);
    HttpLoop* loop(Reach reach);
    // Whether the exchange still waited for its name; it does not any more, and told() must follow.
    bool found(const Shared& exchange);
    void told();
    // Ends those that wait too long for a name; whether any still wait.
    bool end_late_lookups();

    const HttpClientOptions options_;
    const Guard* const guard_;
    std::mutex mutex_;
    bool stopped_ = false;
    std::set<Shared> looked_up_;  // Those whose name is being looked up.
    std::size_t being_told_ = 0;  // Those whose name was found in this moment.
    std::condition_variable all_told_;
    std::unique_ptr<HttpLoop> guarded_, trusted_;  // Made when they are needed.
};

}  // namespace mailroom::net
