#include "net/http_client.h"

#include "net/connection_pool.h"
#include "net/http_exchanges.h"
#include "net/http_rules.h"

namespace mailroom::net {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

}  // namespace

HttpFailure::operator Error() const {
    switch (problem) {
        case HttpProblem::bad_request:
        case HttpProblem::refused_by_guard:
            return {Errc::invalid, message};
        default:
            return {Errc::unavailable, message};
    }
}

class HttpClient::Impl {
public:
    Impl(HttpClientOptions options, const Guard* guard)
        : guard_(guard),
          pool_(options),
          exchanges_(std::make_shared<HttpExchanges>(std::move(options), guard)) {}
    ~Impl() { exchanges_->stop(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void start(HttpRequest request, Done done) {
        exchanges_->start(std::move(request), std::move(done));
    }
    void stop() { exchanges_->stop(); }

    Result<HttpAnswer, HttpFailure> send(const HttpRequest& request) {
        if (auto refused = refuse(request)) return *std::move(refused);
        const auto deadline = steady_clock::now() + request.limits.total_timeout;
        auto answer = send_once(request, deadline);
        if (request.limits.redirects_max == 0) return answer;
        return follow(request, std::move(answer), deadline);
    }

private:
    Result<HttpAnswer, HttpFailure> follow(HttpRequest request,
                                           Result<HttpAnswer, HttpFailure> answer,
                                           steady_clock::time_point deadline) {
        for (int redirects = 0;; ++redirects) {
            if (!answer) break;
            const auto location = find_header(answer->headers, "Location");
            if (!is_redirect(answer->status) || !location) return answer;
            if (redirects == request.limits.redirects_max) {
                return HttpFailure{HttpProblem::too_many_redirects, "too many redirects", true};
            }
            if (auto failure = redirect(request, answer->status, *location)) {
                return *std::move(failure);
            }
            answer = send_once(request, deadline);
            // The server that redirected has seen the request, whatever happened to this one.
            if (!answer) answer.error().may_have_arrived = true;
        }
        return answer;
    }

    Result<HttpAnswer, HttpFailure> send_once(const HttpRequest& request,
                                              steady_clock::time_point deadline) {
        std::vector<IpAddress> addresses;
        if (request.reach == Reach::guarded) {
            if (!guard_) return HttpFailure{HttpProblem::refused_by_guard, "there is no guard"};
            auto checked = guard_->check(request.url);
            if (!checked) return refusal_of(checked.error());
            addresses = *std::move(checked);
        }
        auto connection =
            pool_.take({request.reach, std::string(request.url.origin())}, left(deadline));
        if (!connection) return HttpFailure{HttpProblem::busy, "all connections are in use"};
        const auto rest = left(deadline);
        if (rest <= milliseconds(0)) return HttpFailure{HttpProblem::timed_out, "out of time"};
        return (*connection)
            ->run({request.method, request.url, request.headers, request.body,
                   request.reach == Reach::guarded ? &addresses : nullptr, request.limits, rest});
    }

    static milliseconds left(steady_clock::time_point deadline) {
        return std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    }

    const Guard* guard_;
    ConnectionPool pool_;
    // Shared with questions to name servers, whose answers may come when the client is gone.
    const std::shared_ptr<HttpExchanges> exchanges_;
};

HttpClient::HttpClient(HttpClientOptions options)
    : impl_(std::make_unique<Impl>(std::move(options), nullptr)) {}
HttpClient::HttpClient(HttpClientOptions options, const Guard& guard)
    : impl_(std::make_unique<Impl>(std::move(options), &guard)) {}
HttpClient::~HttpClient() = default;

Result<HttpAnswer, HttpFailure> HttpClient::send(const HttpRequest& request) {
    return impl_->send(request);
}
void HttpClient::start(HttpRequest request, Done done) {
    impl_->start(std::move(request), std::move(done));
}
void HttpClient::stop() { impl_->stop(); }

}  // namespace mailroom::net
