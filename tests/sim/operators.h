// People who watch over the outbox: they keep people, suppress addresses, decide about held mails,
// try again what failed, and pause.
#pragma once

#include "sim/front.h"
#include "sim/judge.h"

#include <string>

namespace mailroom::sim {

class Operators {
public:
    // All must outlive this object, and what it scheduled.
    Operators(Events& events, Front& front, Judge& judge)
        : events_(events), front_(front), judge_(judge) {}

    // One of them does something.
    void act();
    void suppress(const std::string& address);
    // Mail may go to them again; they want bulk mail again.
    void lift(const std::string& address);
    void want_again(const std::string& address);
    // One person is tagged, says no or yes to mail, or is forgotten.
    void keep_people();
    // The one who was kept last.
    void keep_the_same();
    // Every held mail is decided about, and every pause ended.
    void clear_up();

private:
    void suppress();
    void unsubscribe(const std::string& address);
    void erase(const std::string& address);
    void tag(const std::string& address);
    void allow(http::Request request, const std::string& address);
    void lift();
    void decide_held();
    void retry_failed();
    void retry_dead();
    void pause();
    void resume(const std::string& scope);
    void resume_all();

    Events& events_;
    Front& front_;
    Judge& judge_;
    std::string kept_ = "p0@peer.example";  // Last.
};

}  // namespace mailroom::sim
