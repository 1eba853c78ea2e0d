// What one I/O thread of a server waits for: descriptors, each known by a key.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mailroom::net {

// For one thread.
class Poller {
public:
    // Keys of descriptors that are not connections; a connection's key is its slot.
    static constexpr std::uint64_t queue_key = UINT64_MAX;
    static constexpr std::uint64_t timer_key = UINT64_MAX - 1;
    static constexpr std::uint64_t listener_key = UINT64_MAX - 2;

    Poller();
    ~Poller();
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

    // False if the system has no descriptors left.
    bool is_open() const { return epoll_ >= 0; }
    // EPOLL… flags. False if the system refuses.
    bool watch(int descriptor, std::uint32_t events, std::uint64_t key);
    // A descriptor that is closed need not be told.
    void unwatch(int descriptor);
    // What happened, after so many milliseconds at most; for ever, if negative.
    std::span<const epoll_event> wait(int milliseconds);

private:
    static constexpr std::size_t events_per_round = 256;

    int epoll_;
    std::array<epoll_event, events_per_round> events_;
};

}  // namespace mailroom::net
