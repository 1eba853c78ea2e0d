#include "outbox/transports/relay_health.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

// Providers lock accounts after some ten wrong passwords within minutes. The pause doubles with
// each further one.
constexpr std::chrono::seconds login_pause_first = 1min;
constexpr std::chrono::seconds login_pause_max = 15min;
// Then the next mail finds out.
constexpr auto probe_time_max = 1min;
constexpr auto warning_pause = 1min;

// What is for now and has a stage before the mail's own is about the relay.
bool is_about_the_relay(const smtp::Verdict& verdict) {
    return verdict.outcome != smtp::Outcome::accepted && verdict.stage >= smtp::Stage::connect &&
           verdict.stage <= smtp::Stage::login;
}

bool is_refused_password(const smtp::Verdict& verdict) {
    return verdict.stage == smtp::Stage::login && verdict.code >= 500;
}

}  // namespace

RelayHealth::RelayHealth(const Clock& clock, std::string host)
    : clock_(clock), host_(std::move(host)), warnings_(warning_pause) {}

std::optional<smtp::Verdict> RelayHealth::refusal() {
    const std::lock_guard lock(mutex_);
    if (failed_logins_ == 0) return std::nullopt;
    const auto now = clock_.now();
    // Longer than any pause: the clock was set back.
    const bool is_over = now >= alone_until_ || alone_until_ - now > login_pause_max;
    if (!is_over) return login_refusal_;
    is_probing_ = true;
    alone_until_ = now + probe_time_max;
    return std::nullopt;
}

// One that comes from a connection opened before the pause began does not make it longer.
std::chrono::seconds RelayHealth::leave_alone(const smtp::Verdict& verdict) {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    auto pause = login_pause_first;
    for (int i = 0; i < failed_logins_ && pause < login_pause_max; ++i) pause *= 2;
    if (is_probing_ || now >= alone_until_) {
        is_probing_ = false;
        ++failed_logins_;
        alone_until_ = now + std::min(pause, login_pause_max);
        login_refusal_ = verdict;
    }
    return std::chrono::ceil<std::chrono::seconds>(alone_until_ - now);
}

void RelayHealth::note(const smtp::Delivery& delivery) {
    if (delivery.recipients.empty()) return;
    const auto& verdict = delivery.recipients.front().verdict;
    if (verdict.stage > smtp::Stage::login) {
        const std::lock_guard lock(mutex_);
        failed_logins_ = 0;
        is_probing_ = false;
        return;
    }
    if (!is_about_the_relay(verdict)) return;
    std::chrono::seconds pause{0};
    if (is_refused_password(verdict)) pause = leave_alone(verdict);
    const auto held_back = warnings_.pass(clock_.now());
    if (!held_back) return;
    log::warn("the relay cannot be used; mails wait", {{"relay", host_},
                                                       {"step", name_of(verdict.stage)},
                                                       {"code", verdict.code},
                                                       {"why", verdict.text},
                                                       {"left_alone_seconds", pause.count()},
                                                       {"more_of_these", *held_back}});
}

}  // namespace mailroom::outbox
