// Fair shares of our attention for those outside whom we wait for: servers that are called back,
// those that attachments are fetched from, and domains that mail goes to.
#pragma once

#include "base/clock.h"
#include "schedule/crew.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

namespace mailroom::outbox {

struct DestinationLimits {
    std::size_t visits_max = 4096;  // In all, each a connection.
    std::size_t visits_per_destination = 16;
    // Of one that has not answered yet.
    std::size_t first_visits = 2;
    // Of those that wait here for their turn at one that has; further ones come again later.
    std::size_t waiting_per_destination = 64;
    // About what a visit takes that ends for lack of an answer.
    std::chrono::milliseconds patience = std::chrono::seconds(15);
};

// There is no place now.
struct ComeAgain {
    Time at;
    bool is_silent = false;  // The destination did not answer when it was last asked.
};

// What those who wait need of the crew that runs them: Crew::await().
using AwaitAnswer = std::function<std::shared_ptr<schedule::Crew::Awaited>()>;

class Destinations;

// A place at a destination, given back when it goes. Destinations must outlive it.
class Visit {
public:
    Visit(Destinations& destinations, std::string name, Time since)
        : destinations_(destinations), name_(std::move(name)), since_(since) {}
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    // What came of it, if it was begun at all. Being turned away is an answer.
    void answered() { end_ = End::answered; }
    void silent() { end_ = End::silent; }  // Nobody said anything in all the time there was.

private:
    friend class Destinations;
    enum class End { unknown, answered, silent };

    Destinations& destinations_;
    const std::string name_;
    const Time since_;
    End end_ = End::unknown;
};

// A destination that did not answer is visited by one at a time, after a pause that grows, until it
// answers; the others come again later, so that they are in nobody's way. A quarter of all visits
// is for destinations that answered the last time: thousands of new ones that hang do not hold them
// up. Keeps what it knows in memory, and forgets what is long ago. Thread-safe.
class Destinations {
public:
    using Enter = std::function<void(std::unique_ptr<Visit>)>;
    using Post = std::function<void(std::function<void()>)>;

    // Whoever waited is called through `post`. The clock must outlive this object, and all visits
    // must have ended before it goes.
    Destinations(DestinationLimits limits, const Clock& clock, Post post);

    // A visit, or when to come again.
    std::variant<std::unique_ptr<Visit>, ComeAgain> enter(const std::string& name);
    // The same for who can wait: none if `enter` is called with a visit, before this returns or
    // later; without one if it must come again all the same.
    std::optional<ComeAgain> enter(const std::string& name, Enter enter);

    // None if a visit would be given now.
    std::optional<ComeAgain> busy(const std::string& name);

    // Those who wait are dropped, now and from now on.
    void close();

    std::size_t visits() const;

private:
    friend class Visit;
    struct Destination {
        std::size_t visits = 0;
        std::deque<Enter> waiting;
        bool has_answered = false;
        int silences = 0;  // In a row.
        Time silent_since{}, silent_until{};
        // For those that are to come again: each takes the next turn.
        Time next_turn{};
        std::chrono::milliseconds visit_time{100};  // A moving average.
        Time last_end{};
    };

    // With mutex_ held. A clock that was set back takes the pauses along: nobody is left alone for
    // longer because it is another day.
    Time time();
    std::size_t allowed(const Destination& destination) const;
    bool has_place(const Destination& destination, Time now) const;
    ComeAgain turn_of(Destination& destination, Time now);
    void note(Destination& destination, const Visit& visit, Time now);
    void forget_old(Time now);

    void leave(const Visit& visit);

    const DestinationLimits limits_;
    const Clock& clock_;
    const Post post_;
    mutable std::mutex mutex_;
    Time latest_{};
    std::unordered_map<std::string, Destination> destinations_;
    std::size_t visits_ = 0;
    Time next_turn_of_all_{};
    std::size_t forget_at_;
    bool closed_ = false;
};

}  // namespace mailroom::outbox
