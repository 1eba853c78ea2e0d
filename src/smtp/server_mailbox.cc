#include "smtp/server_mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

namespace mailroom::smtp {

ServerMailbox::ServerMailbox() : wake_descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

ServerMailbox::~ServerMailbox() {
    if (wake_descriptor_ >= 0) ::close(wake_descriptor_);
}

template <class Put>
void ServerMailbox::put(Put&& put) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        put(contents_);
        // A burst costs one wake-up.
        if (std::exchange(woken_, true)) return;
    }
    const std::uint64_t one = 1;
    // It can fail only when the counter is full, and then the owner has been woken already.
    [[maybe_unused]] const auto written = ::write(wake_descriptor_, &one, sizeof one);
}

void ServerMailbox::deliver(const QuestionTicket& ticket, Decision decision) {
    // Without a lock: only the owner writes inline_ticket_, and only the owner gets past the first
    // condition.
    if (std::this_thread::get_id() == owner_ && inline_ticket_ == ticket) {
        inline_answer_ = std::move(decision);
        return;
    }
    put([&](Contents& to) { to.answers.push_back({ticket, std::move(decision)}); });
}

void ServerMailbox::stop() {
    put([](Contents& to) { to.stop = true; });
}

void ServerMailbox::abandon() {
    put([](Contents& to) { to.abandon = true; });
}

ServerMailbox::Contents ServerMailbox::take() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto drained = ::read(wake_descriptor_, &count, sizeof count);
    const std::lock_guard lock(mutex_);
    woken_ = false;
    return std::exchange(contents_, {});
}

std::optional<Decision> ServerMailbox::end_inline() {
    inline_ticket_.reset();
    return std::exchange(inline_answer_, std::nullopt);
}

void ServerMailbox::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    contents_ = {};
}

}  // namespace mailroom::smtp
