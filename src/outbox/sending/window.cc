#include "outbox/sending/window.h"

#include <algorithm>
#include <cassert>

namespace mailroom::outbox {

Window::Window(std::size_t connections, std::size_t places_max)
    : connections_(std::max<std::size_t>(connections, 1)),
      places_min_(2 * connections_),
      places_max_(std::max(places_max, places_min_)),
      places_(places_min_) {}

bool Window::enter() {
    const std::lock_guard lock(mutex_);
    if (taken_ >= places_) return false;
    ++taken_;
    return true;
}

void Window::sent() {
    const std::lock_guard lock(mutex_);
    ++at_transport_;
}

void Window::leave(bool was_sent) {
    const std::lock_guard lock(mutex_);
    assert(taken_ > 0);
    --taken_;
    if (!was_sent) return;
    assert(at_transport_ > 0);
    --at_transport_;
    if (at_transport_ < connections_) {
        places_ = std::min(places_ + 1, places_max_);
    } else if (at_transport_ > places_min_) {
        places_ = std::max(places_ - 1, places_min_);
    }
}

std::size_t Window::places() const {
    const std::lock_guard lock(mutex_);
    return places_;
}

}  // namespace mailroom::outbox
