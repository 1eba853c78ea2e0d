// Who sees to what only time brings.
#pragma once

namespace mailroom::outbox {

enum class Upkeep {
    by_threads,  // Threads of its own.
    by_calls,    // Whoever uses it says when to look: for simulation.
};

}  // namespace mailroom::outbox
