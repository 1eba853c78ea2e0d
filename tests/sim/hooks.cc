#include "sim/hooks.h"

#include "json/json.h"

#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;
using Answer = std::shared_ptr<Result<net::HttpAnswer, net::HttpFailure>>;

// The mail that a callback speaks of; empty if it is none.
std::string mail_of(const std::string& body) {
    json::Parser parser;
    const auto view = parser.parse(body);
    if (!view || view->type() != json::View::Type::object) return "";
    const auto id = view->find("id");
    return id && id->type() == json::View::Type::text ? std::string(id->text()) : "";
}

Answer status(int code, std::string body = {}) {
    net::HttpAnswer answer;
    answer.status = code;
    answer.body = std::move(body);
    return std::make_shared<Answer::element_type>(std::move(answer));
}

Answer failure(net::HttpProblem problem, const char* why, bool may_have_arrived = false) {
    return std::make_shared<Answer::element_type>(net::HttpFailure{problem, why, may_have_arrived});
}

}  // namespace

void Hooks::start(net::HttpRequest request, Done done) {
    auto visit = std::make_shared<Visit>(Visit{request.method == "POST", std::string(request.body),
                                               request.limits.total_timeout, std::move(done)});
    visits_.push_back(visit);
    events_.after(events_.chance.between(1ms, 100ms), [this, watch = std::weak_ptr(visit)] {
        if (const auto open = watch.lock()) answer(open);
    });
}

void Hooks::answer(const Open& visit) {
    auto& chance = events_.chance;
    if (chance.of_thousand(manners_.unreachable)) {
        return finish_after(10ms, visit, failure(net::HttpProblem::unreachable, "no connection"));
    }
    if (chance.of_thousand(manners_.hangs)) {
        return finish_after(visit->patience, visit,
                            failure(net::HttpProblem::timed_out, "nothing came", true));
    }
    const auto mail = visit->is_callback ? mail_of(visit->body) : std::string();
    int code = 200;
    if (chance.of_thousand(manners_.fails)) code = chance.one_in(2) ? 500 : 503;
    if (chance.of_thousand(manners_.gone)) code = visit->is_callback ? 410 : 404;
    if (visit->is_callback) {
        events_.note("called back about " + mail + ": " + std::to_string(code));
        judge_.called_back(mail, code == 200);
    }
    if (chance.of_thousand(manners_.loses_answer)) {
        return finish_after(20ms, visit, failure(net::HttpProblem::lost, "it ended early", true));
    }
    auto pause = chance.between(1ms, 200ms);
    if (chance.of_thousand(manners_.late)) pause = chance.between(1s, visit->patience - 1s);
    finish_after(pause, visit, status(code, visit->is_callback ? "" : "an attachment"));
}

void Hooks::finish_after(std::chrono::milliseconds pause, const Open& visit, const Answer& answer) {
    events_.after(pause, [this, watch = std::weak_ptr(visit), answer] {
        auto open = watch.lock();
        if (!open) return;
        const auto awake = awake_at_();
        if (awake > events_.now()) return finish_after(awake - events_.now(), open, answer);
        visits_.remove(open);
        auto done = std::exchange(open->done, nullptr);
        open.reset();
        done(std::move(*answer));
    });
}

void Hooks::forget_all() {
    std::list<Open> dropped;
    dropped.swap(visits_);
}

}  // namespace mailroom::sim
