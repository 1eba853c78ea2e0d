#include "outbox/callbacks/webhook_call.h"

#include <utility>

namespace mailroom::outbox {

namespace {

using Kind = WebhookAnswer::Kind;
using HttpResult = Result<net::HttpAnswer, net::HttpFailure>;

constexpr int gone_status = 410;

bool is_success(int status) { return status >= 200 && status < 300; }

// Whether they let us wait: a name server, or the server itself.
bool is_silence(net::HttpProblem problem) {
    return problem == net::HttpProblem::timed_out || problem == net::HttpProblem::unresolved;
}

WebhookAnswer understood(const HttpResult& result, Visit& visit) {
    if (result) {
        visit.answered();
        const int status = result->status;
        const auto kind = is_success(status)      ? Kind::taken
                          : status == gone_status ? Kind::gone
                                                  : Kind::not_taken;
        return {kind, status, "HTTP " + std::to_string(status)};
    }
    const auto& [problem, message, may_have_arrived] = result.error();
    if (problem == net::HttpProblem::stopped) return {Kind::interrupted, 0, message};
    is_silence(problem) ? visit.silent() : visit.answered();
    const bool is_refused = problem == net::HttpProblem::refused_by_guard;
    return {is_refused ? Kind::refused : Kind::not_taken, 0, message};
}

}  // namespace

void call_webhook(net::Http& http, net::HttpRequest request,
                  std::shared_ptr<schedule::Crew::Awaited> awaited, std::unique_ptr<Visit> visit,
                  std::function<void(const WebhookAnswer&)> told) {
    // Shared because callbacks must be copyable.
    std::shared_ptr<Visit> visited = std::move(visit);
    http.start(std::move(request), [awaited = std::move(awaited), visited = std::move(visited),
                                    told = std::move(told)](HttpResult result) mutable {
        awaited->post([visited = std::move(visited), told = std::move(told),
                       result = std::make_shared<HttpResult>(std::move(result))] {
            told(understood(*result, *visited));
        });
    });
}

}  // namespace mailroom::outbox
