// How many mails may be on their way at once.
#pragma once

#include <cstddef>
#include <mutex>

namespace mailroom::outbox {

// A mail that is PROCESSING, and not answered yet, has its message in memory, and must be seen to
// once more if the process ends now. So no more are begun than keep the connections busy: more
// while connections have nothing to do, because beginning takes the disk's time, and fewer while
// mails queue before them. Thread-safe.
class Window {
public:
    // Never less than twice the connections, never more than `places_max`.
    Window(std::size_t connections, std::size_t places_max);

    // Takes a place, to be marked. False if all are taken.
    bool enter();
    // It is marked and waits for the transport's answer.
    void sent();
    // It gives its place back: answered, if it was sent.
    void leave(bool was_sent);

    std::size_t places() const;

private:
    const std::size_t connections_, places_min_, places_max_;
    mutable std::mutex mutex_;
    std::size_t places_;
    std::size_t taken_ = 0, at_transport_ = 0;
};

}  // namespace mailroom::outbox
