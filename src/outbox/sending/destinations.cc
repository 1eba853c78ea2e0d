#include "outbox/sending/destinations.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::outbox {

namespace {

using std::chrono::milliseconds;

// After the first silence; doubled with each one that follows.
constexpr milliseconds silence_pause_first = std::chrono::seconds(5);
constexpr milliseconds silence_pause_max = std::chrono::minutes(5);
constexpr int silences_counted_max = 16;  // Far beyond where the pause stops growing.
// Who is to come again does so within this, and not before that: each time costs a write.
constexpr milliseconds turn_max = std::chrono::minutes(10);
constexpr milliseconds turn_min = milliseconds(50);
constexpr milliseconds remembered = std::chrono::hours(1);
// Looking for what can be forgotten is worth while from so many on.
constexpr std::size_t forget_from = 4096;

}  // namespace

Visit::~Visit() { destinations_.leave(*this); }

Destinations::Destinations(DestinationLimits limits, const Clock& clock, Post post)
    : limits_(limits), clock_(clock), post_(std::move(post)), forget_at_(forget_from) {}

Time Destinations::time() {
    const auto now = clock_.now();
    if (const auto back = latest_ - now; back > milliseconds(0)) {
        next_turn_of_all_ -= back;
        for (auto& [name, destination] : destinations_) {
            destination.silent_since -= back;
            destination.silent_until -= back;
            destination.next_turn -= back;
            destination.last_end -= back;
        }
    }
    return latest_ = now;
}

std::size_t Destinations::allowed(const Destination& destination) const {
    // Of a silent one somebody must find out whether it answers again.
    if (destination.silences > 0) return 1;
    return destination.has_answered ? limits_.visits_per_destination : limits_.first_visits;
}

bool Destinations::has_place(const Destination& destination, Time now) const {
    const auto& d = destination;
    const auto most =
        d.has_answered ? limits_.visits_max : limits_.visits_max - limits_.visits_max / 4;
    return visits_ < most && d.visits < allowed(d) && now >= d.silent_until;
}

ComeAgain Destinations::turn_of(Destination& destination, Time now) {
    auto& d = destination;
    if (d.visits < allowed(d) && now >= d.silent_until) {
        // All places are taken by others, most of whom will be silent to the end.
        const auto spacing = std::max(
            milliseconds(1),
            limits_.patience / static_cast<int>(std::max<std::size_t>(limits_.visits_max, 1)));
        next_turn_of_all_ = std::max(next_turn_of_all_ + spacing, now + turn_min);
        return {std::min(next_turn_of_all_, now + turn_max)};
    }
    const auto at_once = static_cast<int>(allowed(d));
    const auto first = std::max(d.silent_until, now + turn_min);
    d.next_turn = std::max(d.next_turn + d.visit_time / at_once, first);
    return {std::min(d.next_turn, now + turn_max), d.silences > 0};
}

std::variant<std::unique_ptr<Visit>, ComeAgain> Destinations::enter(const std::string& name) {
    Time now;
    {
        const std::lock_guard lock(mutex_);
        now = time();
        forget_old(now);
        auto& destination = destinations_[name];
        if (!has_place(destination, now)) return turn_of(destination, now);
        ++destination.visits;
        ++visits_;
    }
    return std::make_unique<Visit>(*this, name, now);
}

std::optional<ComeAgain> Destinations::busy(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto now = time();
    const auto found = destinations_.find(name);
    if (found == destinations_.end() && visits_ < limits_.visits_max / 2) return std::nullopt;
    auto& destination = destinations_[name];
    if (has_place(destination, now)) return std::nullopt;
    return turn_of(destination, now);
}

std::optional<ComeAgain> Destinations::enter(const std::string& name, Enter enter) {
    Time now;
    {
        const std::lock_guard lock(mutex_);
        now = time();
        forget_old(now);
        auto& destination = destinations_[name];
        if (!has_place(destination, now)) {
            const bool may_wait = destination.has_answered && destination.visits > 0 &&
                                  destination.waiting.size() < limits_.waiting_per_destination;
            if (!may_wait && !closed_) return turn_of(destination, now);
            if (!closed_) destination.waiting.push_back(std::move(enter));
            return std::nullopt;
        }
        ++destination.visits;
        ++visits_;
    }
    enter(std::make_unique<Visit>(*this, name, now));
    return std::nullopt;
}

void Destinations::note(Destination& destination, const Visit& visit, Time now) {
    auto& d = destination;
    d.last_end = now;
    if (visit.end_ == Visit::End::unknown) return;
    const auto took = std::clamp(now - visit.since_, milliseconds(1), milliseconds(turn_max));
    d.visit_time += (took - d.visit_time) / 4;
    if (visit.end_ == Visit::End::answered) {
        d.has_answered = true;
        if (std::exchange(d.silences, 0) > 0) d.next_turn = d.silent_until = now;
        return;
    }
    d.has_answered = false;
    // Of visits at the same time the first one says it all.
    if (d.silences > 0 && visit.since_ < d.silent_since) return;
    d.silences = std::min(d.silences + 1, silences_counted_max);
    auto pause = silence_pause_first;
    for (int i = 1; i < d.silences && pause < silence_pause_max; ++i) pause *= 2;
    d.silent_since = now;
    d.silent_until = now + std::min(pause, silence_pause_max);
}

void Destinations::leave(const Visit& visit) {
    Time now;
    std::deque<Enter> admitted, dropped;
    {
        const std::lock_guard lock(mutex_);
        now = time();
        auto& destination = destinations_.at(visit.name_);
        assert(destination.visits > 0 && visits_ > 0);
        --destination.visits;
        --visits_;
        note(destination, visit, now);
        while (!destination.waiting.empty() && has_place(destination, now)) {
            admitted.push_back(std::move(destination.waiting.front()));
            destination.waiting.pop_front();
            ++destination.visits;
            ++visits_;
        }
        // It has fallen silent, or others have all places.
        if (!destination.has_answered || destination.visits == 0) {
            dropped.swap(destination.waiting);
        }
    }
    for (auto& enter : admitted) {
        // Shared because a std::function must be copyable.
        auto next = std::make_shared<std::unique_ptr<Visit>>(
            std::make_unique<Visit>(*this, visit.name_, now));
        post_([enter = std::move(enter), next = std::move(next)] { enter(std::move(*next)); });
    }
    for (auto& enter : dropped) {
        post_([enter = std::move(enter)] { enter(nullptr); });
    }
}

void Destinations::close() {
    std::deque<Enter> dropped;  // Goes after the lock: jobs end with it.
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (auto& [name, destination] : destinations_) {
        for (auto& enter : destination.waiting) dropped.push_back(std::move(enter));
        destination.waiting.clear();
    }
}

std::size_t Destinations::visits() const {
    const std::lock_guard lock(mutex_);
    return visits_;
}

// Done when the number has doubled, so that it costs each visit next to nothing.
void Destinations::forget_old(Time now) {
    if (destinations_.size() < forget_at_) return;
    std::erase_if(destinations_, [now](const auto& entry) {
        const auto& d = entry.second;
        return d.visits == 0 && d.waiting.empty() && d.last_end + remembered <= now &&
               d.next_turn <= now;
    });
    forget_at_ = std::max(forget_from, 2 * destinations_.size());
}

}  // namespace mailroom::outbox
