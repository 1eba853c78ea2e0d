// The web outside: servers that are called back, and that attachments come from. They answer, fail,
// refuse, answer late, or not at all.
#pragma once

#include "net/http_client.h"
#include "sim/events.h"
#include "sim/judge.h"

#include <functional>
#include <list>
#include <memory>
#include <string>

namespace mailroom::sim {

// In thousandths of the requests.
struct WebManners {
    int unreachable = 60, hangs = 40, fails = 100, gone = 5, loses_answer = 40, late = 50;
};

// The requests of one life of a node.
class Hooks final : public net::Http {
public:
    // All must outlive this object, and what it scheduled.
    // Whoever asks hears nothing before it is awake.
    Hooks(Events& events, Judge& judge, const WebManners& manners, std::function<Time()> awake_at)
        : events_(events), judge_(judge), manners_(manners), awake_at_(std::move(awake_at)) {}

    void start(net::HttpRequest request, Done done) override;

    // The process was killed: nobody is told anything any more.
    void forget_all();

private:
    struct Visit {
        bool is_callback;
        std::string body;
        std::chrono::milliseconds patience;
        Done done;
    };
    using Open = std::shared_ptr<Visit>;

    void answer(const Open& visit);
    using Answer = std::shared_ptr<Result<net::HttpAnswer, net::HttpFailure>>;
    void finish_after(std::chrono::milliseconds pause, const Open& visit, const Answer& answer);

    Events& events_;
    Judge& judge_;
    const WebManners& manners_;
    const std::function<Time()> awake_at_;
    std::list<Open> visits_;
};

}  // namespace mailroom::sim
