// How other threads reach an I/O thread of a server. What goes to a connection later holds the
// queue, so it outlives the thread; what is put in after close() is dropped.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::net {

// One question in hand: whose connection, and a number that no other question of the thread has.
struct Ticket {
    std::uint32_t slot = 0;
    std::uint64_t serial = 0;
    bool operator==(const Ticket&) const = default;
};

// `Arrival` is a connection that comes from another thread, if there are such.
template <class Answer, class Arrival = std::monostate>
class WakingQueue {
public:
    struct Delivery {
        Ticket ticket;
        Answer answer;
    };
    struct Contents {
        std::vector<Delivery> answers;
        std::vector<Arrival> arrivals;
        bool stop = false;     // Finish what is in hand, then end.
        bool abandon = false;  // End now.
        bool empty() const { return answers.empty() && arrivals.empty() && !stop && !abandon; }
        void clear() {
            answers.clear();
            arrivals.clear();
            stop = abandon = false;
        }
    };

    WakingQueue() : wake_descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
    ~WakingQueue() {
        if (wake_descriptor_ >= 0) ::close(wake_descriptor_);
    }
    WakingQueue(const WakingQueue&) = delete;
    WakingQueue& operator=(const WakingQueue&) = delete;

    // From any thread. The owner is woken only if it may be asleep, so a burst costs one wake-up.
    void deliver(const Ticket& ticket, Answer answer) {
        // Without a lock: only the owner writes inline_ticket_, and only the owner gets past the
        // first condition.
        if (std::this_thread::get_id() == owner_ && inline_ticket_ == ticket) {
            if (!inline_answer_) inline_answer_ = std::move(answer);
            return;
        }
        put([&](Contents& to) { to.answers.push_back({ticket, std::move(answer)}); });
    }
    // False after close(): the caller keeps it.
    bool adopt(Arrival arrival) {
        return put([&](Contents& to) { to.arrivals.push_back(std::move(arrival)); });
    }
    void stop() {
        put([](Contents& to) { to.stop = true; });
    }
    void abandon() {
        put([](Contents& to) { to.abandon = true; });
    }

    // From the owner's thread only.
    void set_owner(std::thread::id owner) { owner_ = owner; }
    // Replaces `contents` by what has gathered. If that is nothing, the owner counts as asleep, and
    // the next message makes wake_descriptor() readable (edge-triggered; never to be read).
    void take(Contents& contents) {
        contents.clear();
        const std::lock_guard lock(mutex_);
        std::swap(contents, contents_);
        asleep_ = contents.empty();
    }
    int wake_descriptor() const { return wake_descriptor_; }
    // Between these two, an answer to `ticket` from the owner's thread is kept aside: it came
    // before the question was through.
    void begin_inline(const Ticket& ticket) {
        assert(!inline_ticket_);
        inline_ticket_ = ticket;
    }
    std::optional<Answer> end_inline() {
        inline_ticket_.reset();
        return std::exchange(inline_answer_, std::nullopt);
    }
    // The arrivals that were never taken.
    std::vector<Arrival> close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        auto arrivals = std::move(contents_.arrivals);
        contents_.clear();
        return arrivals;
    }

private:
    template <class Put>
    bool put(const Put& put) {
        {
            const std::lock_guard lock(mutex_);
            if (closed_) return false;
            put(contents_);
            if (!std::exchange(asleep_, false)) return true;
        }
        const std::uint64_t one = 1;
        // It can fail only when the counter is full, and then the owner has been woken already.
        [[maybe_unused]] const auto written = ::write(wake_descriptor_, &one, sizeof one);
        return true;
    }

    const int wake_descriptor_;
    std::thread::id owner_;
    std::optional<Ticket> inline_ticket_;  // Owner's thread only.
    std::optional<Answer> inline_answer_;  // Owner's thread only.

    std::mutex mutex_;
    Contents contents_;
    bool asleep_ = false;
    bool closed_ = false;
};

}  // namespace mailroom::net
