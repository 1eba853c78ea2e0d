#include "app/stop_signals.h"

#include <cassert>

namespace mailroom::app {

StopSignals::StopSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGTERM, SIGINT, SIGQUIT, SIGHUP}) sigaddset(&signals_, signal);
    const int failed = pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    assert(failed == 0);
    for (const int signal : {SIGPIPE, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
}

std::string_view StopSignals::wait(const std::function<void()>& hung_up) {
    int arrived = SIGHUP;
    while (arrived == SIGHUP) {
        const int failed = sigwait(&signals_, &arrived);
        assert(failed == 0);
        if (arrived == SIGHUP) hung_up();
    }
    std::signal(SIGHUP, SIG_IGN);  // There is nothing to reload any more.
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    return arrived == SIGINT ? "SIGINT" : arrived == SIGQUIT ? "SIGQUIT" : "SIGTERM";
}

}  // namespace mailroom::app
