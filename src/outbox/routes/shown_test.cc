#include "outbox/routes/shown.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::outbox {
namespace {

Time at(std::int64_t seconds) { return from_unix_ms(1'763'632'800'000 + seconds * 1000); }

History failed_once() {
    History history;
    history.mail.id = "11111111-2222-4333-8444-555555555555";
    history.mail.state = State::ready;
    history.mail.created = history.mail.updated = history.mail.first_due = at(0);
    history.mail.recipients = {{.address = "b@example.org", .doubtful_since = at(1)},
                               {.address = "c@example.org"}};
    history.states = {{State::accepted, at(0), "", "", "", ""},
                      {State::ready, at(0), "", "", "", ""}};
    history.log = {{.at = at(2),
                    .what = "state FAILED",
                    .text = "SMTP error 550: no",
                    .peer = "192.0.2.1:25",
                    .transcript = "< 550 no"},
                   {.at = at(9), .what = "retry", .text = "failed: to be sent again"}};
    return history;
}

TEST(ShownMail, TellsWhoMayHaveAMailThoughNobodySaidSo) {
    const auto body = table::to_json(ShownHistory(failed_once(), ""));
    EXPECT_NE(body.find(R"({"address":"b@example.org","state":"waiting",)"
                        R"("may_have_arrived_at":"2025-11-20T10:00:01.000Z"})"),
              std::string::npos)
        << body;
    EXPECT_NE(body.find(R"({"address":"c@example.org","state":"waiting"})"), std::string::npos)
        << body;
}

TEST(ShownMail, TheTimelineOfAMailThatIsSentAgainTellsOfItsFailure) {
    const auto body = table::to_json(ShownHistory(failed_once(), ""));
    const auto failure = body.find(R"({"at":"2025-11-20T10:00:02.000Z","state":"FAILED",)"
                                   R"("reason":"SMTP error 550: no","peer":"192.0.2.1:25",)"
                                   R"("transcript":"< 550 no"})");
    const auto retry = body.find(R"("event":"retry","text":"failed: to be sent again")");
    ASSERT_NE(failure, std::string::npos) << body;
    ASSERT_NE(retry, std::string::npos) << body;
    EXPECT_LT(body.find(R"("state":"ACCEPTED")"), failure);
    EXPECT_LT(failure, retry);
}

}  // namespace
}  // namespace mailroom::outbox
