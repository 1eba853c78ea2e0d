// SIGTERM, SIGINT and SIGQUIT as something to wait for, and SIGHUP as something to do meanwhile.
#pragma once

#include <csignal>
#include <functional>
#include <string_view>

namespace mailroom::app {

// Make one before any thread is started: threads inherit that these signals do not interrupt them.
// SIGUSR1 and SIGUSR2 are ignored from then on, and so is SIGPIPE: a peer that left is an error of
// the write, not the end of us.
class StopSignals {
public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    // Blocks until one of the three arrives and returns its name; calls `hung_up` on this thread
    // for each SIGHUP before. After that a second one ends the process at once, for whoever does
    // not want to wait.
    std::string_view wait(const std::function<void()>& hung_up);

private:
    sigset_t signals_;
};

}  // namespace mailroom::app
