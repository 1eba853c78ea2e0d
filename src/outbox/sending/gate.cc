#include "outbox/sending/gate.h"

#include "base/thread_name.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {

namespace {

// Each holds its request and message in memory.
constexpr std::size_t soon_max = 256;

}  // namespace

Place::~Place() { gate_.leave(sent_); }

void Place::sent() {
    gate_.window_.sent();
    sent_ = true;
}

Gate::Gate(std::size_t connections, std::size_t places_max, const Clock& clock, Post post,
           Upkeep upkeep)
    : clock_(clock), post_(std::move(post)), window_(connections, places_max) {
    if (upkeep == Upkeep::by_threads) late_ = std::thread([this] { watch(); });
}

Gate::~Gate() {
    close();
    if (late_.joinable()) late_.join();
}

void Gate::close() {
    std::deque<Waiting> waiting;
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        waiting.swap(soon_);
    }
    changed_.notify_all();
    for (auto& mail : waiting) mail.enter(nullptr);
}

void Gate::enter(Enter enter) {
    {
        const std::lock_guard lock(mutex_);
        if (!window_.enter()) return due_.push_back(std::move(enter));
    }
    enter(std::make_unique<Place>(*this));
}

void Gate::enter_soon(Enter enter) {
    const auto now = clock_.now();
    bool has_place = false;
    {
        const std::lock_guard lock(mutex_);
        // Not before those that wait already.
        has_place = soon_.empty() && !closing_ && window_.enter();
        note_time(now);
        const auto likely = std::min(soon_max, std::max(leaves_before_, leaves_now_));
        if (!has_place && soon_.size() < likely && !closing_) {
            soon_.push_back({std::move(enter), now});
            if (!is_watching_) changed_.notify_one();
            return;
        }
    }
    enter(has_place ? std::make_unique<Place>(*this) : nullptr);
}

// Leaves are counted by moments: this one may have begun since.
void Gate::note_time(Time now) {
    const auto current = now.time_since_epoch() / moment;
    if (current == moment_) return;
    leaves_before_ = current == moment_ + 1 ? leaves_now_ : 0;
    leaves_now_ = 0;
    moment_ = current;
}

Gate::Enter Gate::next() {
    const bool is_soon = due_.empty() || (turn_of_soon_ && !soon_.empty());
    turn_of_soon_ = !is_soon;
    Enter enter;
    if (is_soon) {
        enter = std::move(soon_.front().enter);
        soon_.pop_front();
    } else {
        enter = std::move(due_.front());
        due_.pop_front();
    }
    return enter;
}

void Gate::leave(bool was_sent) {
    const auto now = clock_.now();
    std::deque<Enter> admitted;
    {
        const std::lock_guard lock(mutex_);
        window_.leave(was_sent);
        note_time(now);
        ++leaves_now_;
        while (anybody_waits() && window_.enter()) admitted.push_back(next());
    }
    for (auto& enter : admitted) call(std::move(enter), std::make_unique<Place>(*this));
}

void Gate::call(Enter enter, std::unique_ptr<Place> place) {
    // Shared because a std::function must be copyable.
    post_([enter = std::move(enter), place = std::make_shared<std::unique_ptr<Place>>(
                                         std::move(place))] { enter(std::move(*place)); });
}

std::deque<Gate::Waiting> Gate::take_late(Time now) {
    std::deque<Waiting> late;
    while (!soon_.empty() && (now - soon_.front().since >= moment || now < soon_.front().since)) {
        late.push_back(std::move(soon_.front()));
        soon_.pop_front();
    }
    return late;
}

void Gate::send_away_late() {
    std::deque<Waiting> late;
    {
        const std::lock_guard lock(mutex_);
        late = take_late(clock_.now());
    }
    for (auto& waiting : late) call(std::move(waiting.enter), nullptr);
}

void Gate::watch() {
    name_thread("gate");
    std::unique_lock lock(mutex_);
    while (!closing_) {
        is_watching_ = !soon_.empty();
        if (is_watching_) {
            changed_.wait_for(lock, moment / 2);
        } else {
            changed_.wait(lock);
        }
        lock.unlock();
        send_away_late();
        lock.lock();
    }
}

}  // namespace mailroom::outbox
