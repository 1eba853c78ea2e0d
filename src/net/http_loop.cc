#include "net/http_loop.h"

#include "base/thread_name.h"

#include <curl/curl.h>

#include <cassert>
#include <unordered_map>
#include <utility>

namespace mailroom::net {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int tick_ms = 500;
constexpr int idle_ms = 60'000;  // Whoever brings something wakes the loop.
// Of open connections that nobody uses, and of handles without one.
constexpr long kept_connections_max = 256;
constexpr std::size_t kept_handles_max = 64;

HttpFailure stopped() { return {HttpProblem::stopped, "we are stopping"}; }

}  // namespace

class HttpLoop::Impl {
public:
    Impl(HttpClientOptions options, std::function<bool()> tick)
        : options_(std::move(options)), tick_(std::move(tick)) {
        curl_global_init(CURL_GLOBAL_DEFAULT);  // Counts its calls.
        multi_ = curl_multi_init();
        assert(multi_);
        curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kept_connections_max);
        thread_ = std::thread([this] { run(); });
    }
    ~Impl() {
        stop();
        kept_.clear();
        curl_multi_cleanup(multi_);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void add(std::unique_ptr<LoopTask> task) {
        {
            const std::lock_guard lock(mutex_);
            if (!stopping_) coming_.push_back(std::move(task));
        }
        if (task) return task->done(stopped());
        wake();
    }
    void wake() { curl_multi_wakeup(multi_); }

    void stop() {
        std::vector<std::unique_ptr<LoopTask>> left;
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            left.swap(coming_);
        }
        wake();
        if (thread_.joinable()) thread_.join();
        for (auto& task : left) task->done(stopped());
    }

private:
    struct Running {
        std::unique_ptr<LoopTask> task;
        std::unique_ptr<HttpConnection> connection;
        std::unique_ptr<Transfer> transfer;
    };

    void run() {
        name_thread("http client");
        for (;;) {
            std::vector<std::unique_ptr<LoopTask>> tasks;
            {
                const std::lock_guard lock(mutex_);
                if (stopping_) break;
                tasks.swap(coming_);
            }
            for (auto& task : tasks) begin(std::move(task));
            int running = 0;
            curl_multi_perform(multi_, &running);
            end_those_done();
            const bool ticks = tick_();
            curl_multi_poll(multi_, nullptr, 0, ticks ? tick_ms : idle_ms, nullptr);
        }
        for (auto& [handle, one] : std::exchange(running_, {})) {
            curl_multi_remove_handle(multi_, handle);
            one.task->done(stopped());
        }
    }

    void begin(std::unique_ptr<LoopTask> task) {
        const auto left = std::chrono::ceil<milliseconds>(task->deadline - steady_clock::now());
        if (left <= milliseconds(0)) {
            return task->done(HttpFailure{HttpProblem::timed_out, "out of time"});
        }
        Running one;
        if (kept_.empty()) {
            one.connection = std::make_unique<HttpConnection>(options_);
        } else {
            one.connection = std::move(kept_.back());
            kept_.pop_back();
        }
        const auto& request = task->request;
        one.transfer = std::make_unique<Transfer>(
            Transfer{request.method, request.url, request.headers, request.body,
                     task->addresses ? &*task->addresses : nullptr, request.limits, left});
        // Addresses are given with each transfer anew: what older ones left would only add up.
        auto* const handle = one.connection->begin(*one.transfer, std::exchange(past_hosts_, {}));
        one.task = std::move(task);
        running_.emplace(handle, std::move(one));
        [[maybe_unused]] const auto added = curl_multi_add_handle(multi_, handle);
        assert(added == CURLM_OK);
    }

    void end_those_done() {
        int left = 0;
        while (const auto* message = curl_multi_info_read(multi_, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            const auto code = message->data.result;
            auto found = running_.extract(message->easy_handle);
            assert(found);
            curl_multi_remove_handle(multi_, found.key());
            end(std::move(found.mapped()), code);
        }
    }

    void end(Running one, CURLcode code) {
        auto answer = one.connection->end(code);
        const auto& url = one.task->request.url;
        if (one.task->addresses && !url.address()) {
            past_hosts_.push_back(url.host() + ":" + std::to_string(url.port()));
        }
        if (kept_.size() < kept_handles_max) kept_.push_back(std::move(one.connection));
        one.task->done(std::move(answer));
    }

    const HttpClientOptions options_;
    const std::function<bool()> tick_;
    CURLM* multi_ = nullptr;
    std::mutex mutex_;
    bool stopping_ = false;
    std::vector<std::unique_ptr<LoopTask>> coming_;
    // The rest belongs to the thread.
    std::unordered_map<CURL*, Running> running_;
    std::vector<std::unique_ptr<HttpConnection>> kept_;
    std::vector<std::string> past_hosts_;
    std::thread thread_;
};

HttpLoop::HttpLoop(HttpClientOptions options, std::function<bool()> tick)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(tick))) {}
HttpLoop::~HttpLoop() = default;

void HttpLoop::add(std::unique_ptr<LoopTask> task) { impl_->add(std::move(task)); }
void HttpLoop::wake() { impl_->wake(); }
void HttpLoop::stop() { impl_->stop(); }

}  // namespace mailroom::net
