// Growing pauses between attempts at something that is busy, or that others are in the way of.
//
//   auto pauses = store.pauses();
//   do {
//       auto done = attempt();
//       if (done || !is_temporary(done.error())) return done;
//   } while (pauses.again());
#pragma once

#include <chrono>

namespace mailroom {

class Random;
class Sleeper;

class Pauses {
public:
    struct Plan {
        // The first pause takes at most so long, each after it twice as long, up to `longest`; all
        // at least half of that, at random: those who met do not meet again.
        std::chrono::milliseconds first = std::chrono::milliseconds(10);
        std::chrono::milliseconds longest = std::chrono::seconds(1);
        int tries_max = 10;  // The first one included.
    };

    // Both must outlive this object.
    Pauses(const Plan& plan, Random& random, Sleeper& sleeper);

    // After a try that failed: waits and returns true, or returns false because it was the last one
    // or there is no time left to wait.
    bool again();

private:
    Plan plan_;
    Random* random_;
    Sleeper* sleeper_;
    std::chrono::milliseconds next_;
    int tries_ = 1;
};

// With the system's clock and its random numbers.
Pauses system_pauses(const Pauses::Plan& plan);

}  // namespace mailroom
