// That what became of a mail is written before its connection's next mail is marked.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

namespace mailroom::outbox {

// Answers are written by threads that may be late; marks come right from the connections. If a mark
// overtook the answer of the mail before it, a crash would leave two mails in doubt for one
// connection. So a mark waits for the answers that came before it, which takes a moment only.
// Thread-safe.
class SettlingOrder {
public:
    using Ticket = std::uint64_t;

    // An answer has come.
    Ticket answered() {
        const std::lock_guard lock(mutex_);
        open_.insert(next_);
        return next_++;
    }
    // It is on its way to the disk, before all that comes later.
    void written(Ticket ticket) {
        std::deque<std::pair<Ticket, std::function<void()>>> ready;
        {
            const std::lock_guard lock(mutex_);
            open_.erase(ticket);
            const auto oldest = open_.empty() ? next_ : *open_.begin();
            while (!waiting_.empty() && waiting_.front().first <= oldest) {
                ready.push_back(std::move(waiting_.front()));
                waiting_.pop_front();
            }
        }
        for (auto& [after, mark] : ready) mark();
    }
    // Called now, or when the last answer that came before is on its way.
    void mark(std::function<void()> mark) {
        {
            const std::lock_guard lock(mutex_);
            if (!open_.empty()) {
                waiting_.emplace_back(next_, std::move(mark));
                return;
            }
        }
        mark();
    }

private:
    std::mutex mutex_;
    Ticket next_ = 0;
    std::set<Ticket> open_;
    // Each with the ticket of the first answer that it need not wait for.
    std::deque<std::pair<Ticket, std::function<void()>>> waiting_;
};

}  // namespace mailroom::outbox
