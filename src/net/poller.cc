#include "net/poller.h"

#include <unistd.h>

#include <algorithm>

namespace mailroom::net {

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

Poller::~Poller() {
    if (epoll_ >= 0) ::close(epoll_);
}

bool Poller::watch(int descriptor, std::uint32_t events, std::uint64_t key) {
    epoll_event event = {};
    event.events = events;
    event.data.u64 = key;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Poller::unwatch(int descriptor) { ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr); }

std::span<const epoll_event> Poller::wait(int milliseconds) {
    const int count =
        ::epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), milliseconds);
    return {events_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

}  // namespace mailroom::net
