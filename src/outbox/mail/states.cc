#include "outbox/mail/states.h"

#include <cstddef>

namespace mailroom::outbox {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, all_states.size()> names = {"ACCEPTED",
                                                                   "INTAKING",
                                                                   "READY",
                                                                   "PROCESSING",
                                                                   "SENT",
                                                                   "FAILED",
                                                                   "INVALID",
                                                                   "CALLING-SENT-CALLBACK",
                                                                   "CALLING-FAILED-CALLBACK",
                                                                   "SENT-ACKNOWLEDGED",
                                                                   "FAILED-ACKNOWLEDGED",
                                                                   "CANCELLED"};

}  // namespace

std::string_view name_of(State state) { return names[static_cast<std::size_t>(state)]; }

std::optional<State> state_named(std::string_view name) {
    for (const auto state : all_states) {
        if (name_of(state) == name) return state;
    }
    return std::nullopt;
}

bool may_follow(State from, State to) {
    switch (from) {
        case State::accepted:
            return to == State::intaking || to == State::cancelled;
        case State::intaking:
            return to == State::ready || to == State::invalid;
        case State::ready:
            return to == State::processing || to == State::cancelled;
        case State::processing:
            return to == State::sent || to == State::failed;
        case State::sent:
            return to == State::calling_sent_callback;
        case State::failed:
            return to == State::calling_failed_callback;
        case State::calling_sent_callback:
            return to == State::sent_acknowledged;
        case State::calling_failed_callback:
            return to == State::failed_acknowledged;
        case State::invalid:
        case State::sent_acknowledged:
        case State::failed_acknowledged:
        case State::cancelled:
            return false;
    }
    return false;
}

bool may_step_back(State from, State to) {
    switch (from) {
        case State::intaking:
        case State::invalid:
            return to == State::accepted;
        case State::processing:
        case State::failed:
        case State::failed_acknowledged:
            return to == State::ready;
        default:
            return false;
    }
}

bool is_settled(State state) {
    switch (state) {
        case State::sent:
        case State::failed:
        case State::invalid:
        case State::sent_acknowledged:
        case State::failed_acknowledged:
        case State::cancelled:
            return true;
        default:
            return false;
    }
}

std::optional<State> outcome_of(State state) {
    switch (state) {
        case State::sent:
        case State::calling_sent_callback:
        case State::sent_acknowledged:
            return State::sent;
        case State::failed:
        case State::calling_failed_callback:
        case State::failed_acknowledged:
            return State::failed;
        case State::invalid:
        case State::cancelled:
            return state;
        default:
            return std::nullopt;
    }
}

bool may_expire(State state) {
    switch (state) {
        case State::accepted:
        case State::intaking:
        case State::ready:
        case State::processing:
            return false;
        default:
            return true;
    }
}

}  // namespace mailroom::outbox
