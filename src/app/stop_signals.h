// SIGTERM and SIGINT as something to wait for.
#pragma once

#include <csignal>
#include <string_view>

namespace mailroom::app {

// Make one before any thread is started: threads inherit that these signals do not interrupt them.
// SIGPIPE is ignored from then on: a peer that left is an error of the write, not the end of us.
class StopSignals {
public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // Blocks until one of the two arrives and returns its name. After that a second one ends the
    // process at once, for whoever does not want to wait.
    std::string_view wait();

private:
    sigset_t signals_;
};

}  // namespace mailroom::app
