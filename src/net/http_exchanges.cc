#include "net/http_exchanges.h"

#include "net/http_rules.h"

#include <utility>
#include <vector>

namespace mailroom::net {

namespace {

using std::chrono::steady_clock;

HttpFailure stopped() { return {HttpProblem::stopped, "we are stopping"}; }

}  // namespace

struct HttpExchanges::Exchange {
    HttpRequest request;
    std::string method, body;  // What the request's views see.
    HttpClient::Done done;
    steady_clock::time_point deadline;
    int redirects = 0;
};

HttpExchanges::HttpExchanges(HttpClientOptions options, const Guard* guard)
    : options_(std::move(options)), guard_(guard) {}
HttpExchanges::~HttpExchanges() = default;

void HttpExchanges::start(HttpRequest request, HttpClient::Done done) {
    if (auto refused = refuse(request)) return done(*std::move(refused));
    auto exchange = std::make_shared<Exchange>(Exchange{.request = std::move(request),
                                                        .method = {},
                                                        .body = {},
                                                        .done = std::move(done),
                                                        .deadline = {}});
    exchange->method = exchange->request.method;
    exchange->body = exchange->request.body;
    exchange->request.method = exchange->method;
    exchange->request.body = exchange->body;
    exchange->deadline = steady_clock::now() + exchange->request.limits.total_timeout;
    send(exchange);
}

void HttpExchanges::send(const Shared& exchange) {
    if (exchange->request.reach == Reach::trusted) return run(exchange, std::nullopt);
    if (guard_ == nullptr) {
        return exchange->done(HttpFailure{HttpProblem::refused_by_guard, "there is no guard"});
    }
    look_up(exchange);
}

void HttpExchanges::look_up(const Shared& exchange) {
    bool is_stopped = false;
    {
        const std::lock_guard lock(mutex_);
        is_stopped = stopped_;
        if (!is_stopped) looked_up_.insert(exchange);
    }
    if (is_stopped) return exchange->done(stopped());
    guard_->check(exchange->request.url, [self = shared_from_this(), exchange](auto checked) {
        if (!self->found(exchange)) return;  // It was ended meanwhile.
        if (checked) {
            self->run(exchange, *std::move(checked));
        } else {
            self->take(exchange, refusal_of(checked.error()));
        }
        self->told();
    });
    // The loop watches how long it takes.
    if (auto* const watching = loop(Reach::guarded)) watching->wake();
}

bool HttpExchanges::found(const Shared& exchange) {
    const std::lock_guard lock(mutex_);
    if (looked_up_.erase(exchange) == 0) return false;
    ++being_told_;
    return true;
}

void HttpExchanges::told() {
    const std::lock_guard lock(mutex_);
    --being_told_;
    all_told_.notify_all();
}

void HttpExchanges::run(const Shared& exchange, std::optional<std::vector<IpAddress>> addresses) {
    auto* const there = loop(exchange->request.reach);
    if (there == nullptr) return exchange->done(stopped());
    there->add(std::make_unique<LoopTask>(LoopTask{
        .request = exchange->request,
        .addresses = std::move(addresses),
        .deadline = exchange->deadline,
        .done = [self = shared_from_this(), exchange](Result<HttpAnswer, HttpFailure> answer) {
            self->take(exchange, std::move(answer));
        }}));
}

void HttpExchanges::take(const Shared& exchange, Result<HttpAnswer, HttpFailure> answer) {
    auto& request = exchange->request;
    if (!answer) {
        // The server that redirected has seen the request, whatever happened to this one.
        if (exchange->redirects > 0) answer.error().may_have_arrived = true;
        return exchange->done(std::move(answer));
    }
    const auto location = find_header(answer->headers, "Location");
    const bool is_followed = request.limits.redirects_max > 0 && is_redirect(answer->status);
    if (!is_followed || !location) return exchange->done(std::move(answer));
    if (exchange->redirects++ == request.limits.redirects_max) {
        return exchange->done(
            HttpFailure{HttpProblem::too_many_redirects, "too many redirects", true});
    }
    if (auto failure = redirect(request, answer->status, *location)) {
        return exchange->done(*std::move(failure));
    }
    send(exchange);
}

HttpLoop* HttpExchanges::loop(Reach reach) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return nullptr;
    auto& slot = reach == Reach::guarded ? guarded_ : trusted_;
    if (!slot) {
        slot = std::make_unique<HttpLoop>(
            options_, [this, reach] { return reach == Reach::guarded && end_late_lookups(); });
    }
    return slot.get();
}

bool HttpExchanges::end_late_lookups() {
    std::vector<Shared> late;
    bool any_left = false;
    {
        const std::lock_guard lock(mutex_);
        const auto now = steady_clock::now();
        std::erase_if(looked_up_, [&](const Shared& exchange) {
            if (exchange->deadline > now) return false;
            late.push_back(exchange);
            return true;
        });
        any_left = !looked_up_.empty();
    }
    for (const auto& exchange : late) {
        exchange->done(HttpFailure{HttpProblem::timed_out, "the name servers take too long"});
    }
    return any_left;
}

void HttpExchanges::stop() {
    std::set<Shared> waiting;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        waiting.swap(looked_up_);
    }
    for (const auto& exchange : waiting) exchange->done(stopped());
    if (guarded_) guarded_->stop();
    if (trusted_) trusted_->stop();
    std::unique_lock lock(mutex_);
    all_told_.wait(lock, [this] { return being_told_ == 0; });
}

}  // namespace mailroom::net
