// The mail servers outside: rude ones. Each mail is taken, refused for now or for good, held up,
// dropped before or after its final dot, or answered late or never.
#pragma once

#include "outbox/transports/transport.h"
#include "sim/events.h"
#include "sim/judge.h"

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace mailroom::sim {

// In thousandths of the mails.
struct Manners {
    int unreachable = 30, silent = 15, turns_away = 30, greylists = 60, drops_before_dot = 25;
    int refuses_message = 20, defers_message = 30, drops_after_dot = 30, never_answers = 15;
    int slow = 60;
};

// The transport of one life of a node. What its process had on its way when it was killed may
// arrive or not.
class Peer final : public outbox::Transport {
public:
    // All must outlive this object, and what it scheduled.
    // Whoever sends does nothing before it is awake.
    Peer(Events& events, Judge& judge, const Manners& manners, std::function<Time()> awake_at)
        : events_(events), judge_(judge), manners_(manners), awake_at_(std::move(awake_at)) {}

    void send(outbox::Outgoing mail, Done done) override;
    void stop(std::chrono::milliseconds) override {}

    // The process was killed: nobody is told anything any more.
    void forget_all();
    std::size_t sessions() const { return sessions_.size(); }

private:
    struct Session {
        outbox::Outgoing mail;
        Done done;
        std::vector<smtp::Verdict> verdicts;  // By recipient.
        std::vector<std::size_t> offered;     // Those that were taken before the message.
        smtp::Leave leave = {};               // To be asked before the end.
        bool has_ended = false;               // Its final dot left.
    };
    using Open = std::shared_ptr<Session>;
    using Watch = std::weak_ptr<Session>;
    enum class Answer { taken, refused, deferred, lost, none };

    void after(std::chrono::milliseconds pause, const Open& session, void (Peer::*step)(Open));
    bool ends_early(const Open& session);
    void hear_recipients(Open session);
    void offer(Open session);
    void ask_to_leave(Open session);
    void end_message(Open session);
    void arrive(const Open& session, Answer answer);
    void settle(const Open& session, const std::vector<std::size_t>& of,
                const smtp::Verdict& verdict);
    void finish(Open session);
    void refuse_all(const Open& session, smtp::Stage stage, int code, const std::string& text);

    Events& events_;
    Judge& judge_;
    const Manners& manners_;
    const std::function<Time()> awake_at_;
    std::list<Open> sessions_;
};

}  // namespace mailroom::sim
