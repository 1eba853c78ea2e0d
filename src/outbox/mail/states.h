// The states of a mail, and which may follow which.
//
//   ACCEPTED -> INTAKING -> READY | INVALID
//   READY -> PROCESSING -> SENT | FAILED
//   SENT -> CALLING-SENT-CALLBACK -> SENT-ACKNOWLEDGED        FAILED -> the same for FAILED
//   ACCEPTED, READY -> CANCELLED
// A step back leaves a working state for the waiting one before it: PROCESSING -> READY when a
// server refuses for now, INTAKING -> ACCEPTED. On a person's request also: FAILED and
// FAILED-ACKNOWLEDGED -> READY, INVALID -> ACCEPTED.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace mailroom::outbox {

enum class State {
    accepted,
    intaking,
    ready,
    processing,
    sent,
    failed,
    invalid,
    calling_sent_callback,
    calling_failed_callback,
    sent_acknowledged,
    failed_acknowledged,
    cancelled,
};

inline constexpr std::array all_states = {State::accepted,
                                          State::intaking,
                                          State::ready,
                                          State::processing,
                                          State::sent,
                                          State::failed,
                                          State::invalid,
                                          State::calling_sent_callback,
                                          State::calling_failed_callback,
                                          State::sent_acknowledged,
                                          State::failed_acknowledged,
                                          State::cancelled};

std::string_view name_of(State state);  // "CALLING-SENT-CALLBACK": as it is in the tables.
std::optional<State> state_named(std::string_view name);

bool may_follow(State from, State to);
bool may_step_back(State from, State to);
// Nothing more happens by itself, if no callback is to be made.
bool is_settled(State state);
// What became of a mail in this state: SENT, FAILED, INVALID or CANCELLED, with or without a
// callback; none if that is open.
std::optional<State> outcome_of(State state);
// Nothing about the mail itself is open any more, so its rows may go when their time is over: also
// when its callback was given up, which a person may have made again until then.
bool may_expire(State state);

}  // namespace mailroom::outbox
