// Who may be on their way, and who waits for that.
#pragma once

#include "base/clock.h"
#include "outbox/sending/upkeep.h"
#include "outbox/sending/window.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace mailroom::outbox {

class Gate;

// A mail's place among those on their way, given back when it goes. The gate must outlive it.
class Place {
public:
    explicit Place(Gate& gate) : gate_(gate) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // It waits for the transport's answer from now on.
    void sent();

private:
    Gate& gate_;
    bool sent_ = false;
};

// Gives the places of a Window to mails that are due, which wait as long as it takes, and to mails
// that are just being accepted, which wait a moment at most. While both wait they take turns: who
// comes now is answered soon, and who came before gets on. Thread-safe.
class Gate {
public:
    using Post = std::function<void(std::function<void()>)>;
    using Enter = std::function<void(std::unique_ptr<Place>)>;

    // How long a mail that is being accepted waits for a place, at most and about: its sender waits
    // for the answer.
    static constexpr std::chrono::milliseconds moment = std::chrono::milliseconds(50);

    // See Window. Whoever waited is called through `post`. The clock must outlive the gate.
    Gate(std::size_t connections, std::size_t places_max, const Clock& clock, Post post,
         Upkeep upkeep = Upkeep::by_threads);
    ~Gate();  // As close(). All places were given back.
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    // Those that wait a moment are told that there is no place, now and from now on.
    void close();

    // `enter` is called with a place, before this returns or later.
    void enter(Enter enter);
    // `enter` is called before this returns or within a moment; without a place if none is free or
    // likely to become so.
    void enter_soon(Enter enter);
    // For Upkeep::by_calls: several times in a moment.
    void send_away_late();

private:
    friend class Place;
    struct Waiting {
        Enter enter;
        Time since;
    };

    void leave(bool was_sent);
    // With mutex_ held.
    void note_time(Time now);
    Enter next();
    bool anybody_waits() const { return !due_.empty() || !soon_.empty(); }

    void watch();
    std::deque<Waiting> take_late(Time now);
    void call(Enter enter, std::unique_ptr<Place> place);

    const Clock& clock_;
    const Post post_;
    Window window_;
    std::mutex mutex_;
    std::deque<Enter> due_;
    std::deque<Waiting> soon_;
    bool turn_of_soon_ = false;
    // Places given back in this moment and the one before: as many may be waited for.
    std::int64_t moment_ = 0;
    std::size_t leaves_now_ = 0, leaves_before_ = 0;
    std::condition_variable changed_;
    bool is_watching_ = false;  // The thread looks at the clock.
    bool closing_ = false;
    std::thread late_;  // Last: it uses the others.
};

}  // namespace mailroom::outbox
