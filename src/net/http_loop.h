// Runs many transfers at once, on one thread. Only for http_exchanges.cc.
#pragma once

#include "net/http_transfer.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::net {

// One request whose addresses are known.
struct LoopTask {
    HttpRequest request;  // Its views stay until `done` was called.
    // The only addresses that may be connected to. None: any that the system resolves.
    std::optional<std::vector<IpAddress>> addresses;
    std::chrono::steady_clock::time_point deadline;
    HttpClient::Done done;  // On the thread of the loop, or of who calls stop().
};

// Connections are kept for later tasks to the same origin, so guarded and trusted requests never
// share a loop. Thread-safe.
class HttpLoop {
public:
    // `tick` is called on the loop's thread at least twice a second while it returns true.
    HttpLoop(HttpClientOptions options, std::function<bool()> tick);
    ~HttpLoop();  // As stop().
    HttpLoop(const HttpLoop&) = delete;
    HttpLoop& operator=(const HttpLoop&) = delete;

    void add(std::unique_ptr<LoopTask> task);
    // Looks at `tick` again.
    void wake();
    // All tasks have ended when this returns, as `stopped` if they were under way.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::net
