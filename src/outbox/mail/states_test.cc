#include "outbox/mail/states.h"

#include "outbox/mail/mail.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace mailroom::outbox {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

template <class Allows>
Pairs all_pairs(Allows allows) {
    Pairs pairs;
    for (const auto from : all_states) {
        for (const auto to : all_states) {
            if (allows(from, to)) pairs.emplace(name_of(from), name_of(to));
        }
    }
    return pairs;
}

TEST(States, OnlyTheStepsOfTheTableAreLegal) {
    const Pairs want = {{"ACCEPTED", "INTAKING"},
                        {"ACCEPTED", "CANCELLED"},
                        {"INTAKING", "READY"},
                        {"INTAKING", "INVALID"},
                        {"READY", "PROCESSING"},
                        {"READY", "CANCELLED"},
                        {"PROCESSING", "SENT"},
                        {"PROCESSING", "FAILED"},
                        {"SENT", "CALLING-SENT-CALLBACK"},
                        {"FAILED", "CALLING-FAILED-CALLBACK"},
                        {"CALLING-SENT-CALLBACK", "SENT-ACKNOWLEDGED"},
                        {"CALLING-FAILED-CALLBACK", "FAILED-ACKNOWLEDGED"}};
    EXPECT_EQ(all_pairs(may_follow), want);
}

TEST(States, OnlyTheseStepsBackAreLegal) {
    const Pairs want = {{"INTAKING", "ACCEPTED"},
                        {"INVALID", "ACCEPTED"},
                        {"PROCESSING", "READY"},
                        {"FAILED", "READY"},
                        {"FAILED-ACKNOWLEDGED", "READY"}};
    EXPECT_EQ(all_pairs(may_step_back), want);
}

TEST(States, NamesLeadBackToTheirStates) {
    std::set<std::string_view> names;
    for (const auto state : all_states) {
        EXPECT_EQ(state_named(name_of(state)), state);
        names.insert(name_of(state));
    }
    EXPECT_EQ(names.size(), 12u);
    for (const auto* name : {"", "_META", "HELD", "ready", "READY "}) {
        EXPECT_EQ(state_named(name), std::nullopt) << name;
    }
    EXPECT_EQ(stream_named("bulk"), Stream::bulk);
    EXPECT_EQ(stream_named("transactional"), Stream::transactional);
    EXPECT_EQ(stream_named("Bulk"), std::nullopt);
}

TEST(States, ASettledStateIsLeftOnlyForACallback) {
    for (const auto from : all_states) {
        if (!is_settled(from)) continue;
        for (const auto to : all_states) {
            if (!may_follow(from, to)) continue;
            EXPECT_TRUE(to == State::calling_sent_callback || to == State::calling_failed_callback)
                << name_of(from) << " " << name_of(to);
        }
    }
}

}  // namespace
}  // namespace mailroom::outbox
