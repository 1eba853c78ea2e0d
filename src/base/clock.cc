#include "base/clock.h"

namespace mailroom {

Time SystemClock::now() const {
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

}  // namespace mailroom
