#include "app/stop_signals.h"

#include <cassert>

namespace mailroom::app {

StopSignals::StopSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    const int failed = pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    assert(failed == 0);
    std::signal(SIGPIPE, SIG_IGN);
}

std::string_view StopSignals::wait() {
    int arrived = 0;
    const int failed = sigwait(&signals_, &arrived);
    assert(failed == 0);
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    return arrived == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace mailroom::app
