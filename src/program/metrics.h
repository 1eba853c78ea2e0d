// What the process counts, in Prometheus's text form.
//
//   mailroom_http_requests_total{listener,route,status}       status is 1xx to 5xx
//   mailroom_http_request_duration_seconds{listener,route}    from the handler's call to its answer
//   and whatever is registered with counter(), gauge() and histogram()
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::program {

// Reads the monotonic clock: for measuring only, nothing is decided by it.
class Stopwatch {
public:
    Stopwatch() : start_(std::chrono::steady_clock::now()) {}
    std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - start_; }

private:
    std::chrono::steady_clock::time_point start_;
};

// Thread-safe.
class Metrics {
public:
    using Labels = std::vector<std::pair<std::string, std::string>>;

    // The counters of one route. Recording takes no lock.
    class Route {
    public:
        static constexpr std::size_t buckets = 16;
        void record(int status, std::chrono::nanoseconds took);

    private:
        friend class Metrics;
        std::atomic<std::uint64_t> by_class_[5] = {};
        std::atomic<std::uint64_t> by_duration_[buckets + 1] = {};  // The last: longer than all.
        std::atomic<std::uint64_t> total_ns_{0};
    };

    // How long things took that may take days. Recording takes no lock.
    class Histogram {
    public:
        static constexpr std::size_t buckets = 16;
        void record(std::chrono::milliseconds took);

    private:
        friend class Metrics;
        std::atomic<std::uint64_t> by_duration_[buckets + 1] = {};  // The last: longer than all.
        std::atomic<std::uint64_t> total_ms_{0};
    };

    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    // The same Route for the same names. It lives as long as this object.
    Route& route(const std::string& listener, const std::string& name);

    // `read` is called by every text(), from any thread, and must be quick. Several with one name
    // and different labels are one family; `help` is the first one's.
    void counter(std::string name, std::string help, Labels labels, std::function<double()> read);
    void gauge(std::string name, std::string help, Labels labels, std::function<double()> read);

    // The same one for the same name. It lives as long as this object.
    Histogram& histogram(const std::string& name, const std::string& help);

    std::string text() const;
    static constexpr const char* content_type = "text/plain; version=0.0.4; charset=utf-8";

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::program
