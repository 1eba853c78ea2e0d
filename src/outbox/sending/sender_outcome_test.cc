#include "outbox/sending/sender_outcome.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;
using smtp::Outcome;

smtp::Verdict verdict(char letter) {
    switch (letter) {
        case 'a':
            return {.outcome = Outcome::accepted, .code = 250, .text = "taken"};
        case 'g':
            return {.outcome = Outcome::refused_for_good, .code = 550, .text = "no such user"};
        case 'o':
            return {.outcome = Outcome::refused_for_good, .text = "the domain takes no mail"};
        case 'n':
            return {.outcome = Outcome::refused_for_now, .code = 451, .text = "later"};
        case 'c':
            return {.outcome = Outcome::refused_for_now,
                    .stage = smtp::Stage::connect,
                    .text = "no connection"};
        case 's':
            return {.outcome = Outcome::refused_for_now, .text = "we are stopping"};
        default:
            return {.outcome = Outcome::unknown, .text = "no answer came; it may have arrived"};
    }
}

// A letter for each recipient: as it was before (small: w d f), and the answer to each that waited.
SendOutcome outcome(std::string_view before, std::string_view answers, const OutcomeRules& rules) {
    std::vector<Recipient> recipients;
    for (char letter : before) {
        const auto state = letter == 'w'   ? Recipient::State::waiting
                           : letter == 'd' ? Recipient::State::delivered
                                           : Recipient::State::failed;
        const auto address =
            std::string(1, static_cast<char>('p' + recipients.size())) + "@b.example";
        recipients.push_back({address, state, letter == 'f' ? 553 : 0, letter == 'f' ? "bad" : ""});
    }
    smtp::Delivery delivery;
    for (char letter : answers) delivery.recipients.push_back({"", verdict(letter)});
    return outcome_of(recipients, delivery, rules);
}

std::string letters(const std::vector<Recipient>& recipients) {
    std::string text;
    for (const auto& recipient : recipients) text += name_of(recipient.state).front();
    return text;
}

TEST(SendOutcome, FollowsFromTheAnswers) {
    using Next = SendOutcome::Next;
    constexpr auto hold = UnknownPolicy::hold, retry = UnknownPolicy::retry;
    struct Case {
        std::string_view before, answers;
        UnknownPolicy policy;
        bool too_old;
        Next next;
        std::string_view after, reason;
    };
    // clang-format off
    const Case cases[] = {
        {"w",   "a",   hold,  false, Next::sent,   "d",   ""},
        {"w",   "a",   hold,  true,  Next::sent,   "d",   ""},
        {"w",   "g",   hold,  false, Next::failed, "f",   "SMTP error 550: no such user"},
        {"w",   "o",   hold,  false, Next::failed, "f",   "the domain takes no mail"},
        {"w",   "n",   hold,  false, Next::again,  "w",   ""},
        {"w",   "c",   hold,  false, Next::again,  "w",   ""},
        {"w",   "n",   hold,  true,  Next::failed, "f",   "gave up after 3 days: SMTP error 451: later"},
        {"w",   "c",   hold,  true,  Next::failed, "f",   "gave up after 3 days: no connection"},
        {"w",   "u",   hold,  false, Next::held,   "u",   "unknown: no answer came; it may have arrived"},
        {"w",   "u",   hold,  true,  Next::held,   "u",   "unknown: no answer came; it may have arrived"},
        {"w",   "u",   retry, false, Next::again,  "w",   ""},
        {"w",   "u",   retry, true,  Next::failed, "f",   "gave up after 3 days: no answer came; it may have arrived"},
        {"www", "aga", hold,  false, Next::sent,   "dfd", "1 of 3 recipients failed: q@b.example: 550 no such user"},
        {"www", "gao", hold,  false, Next::sent,   "fdf", "2 of 3 recipients failed: p@b.example: 550 no such user; r@b.example: the domain takes no mail"},
        {"ww",  "gg",  hold,  false, Next::failed, "ff",  "SMTP error 550: no such user"},
        {"ww",  "go",  hold,  false, Next::failed, "ff",  "all 2 recipients failed: p@b.example: 550 no such user; q@b.example: the domain takes no mail"},
        {"www", "agn", hold,  false, Next::again,  "dfw", ""},
        {"www", "agn", hold,  true,  Next::sent,   "dff", "2 of 3 recipients failed: q@b.example: 550 no such user; r@b.example: gave up after 3 days: SMTP error 451: later"},
        {"www", "anu", hold,  false, Next::again,  "dwu", ""},
        {"www", "anu", hold,  true,  Next::held,   "dfu", "unknown: no answer came; it may have arrived"},
        {"www", "anu", retry, false, Next::again,  "dww", ""},
        {"dwf", "a",   hold,  false, Next::sent,   "ddf", "1 of 3 recipients failed: r@b.example: 553 bad"},
        {"dwf", "g",   hold,  false, Next::sent,   "dff", "2 of 3 recipients failed: q@b.example: 550 no such user; r@b.example: 553 bad"},
        {"fwf", "n",   hold,  false, Next::again,  "fwf", ""},
        {"ff",  "",    hold,  false, Next::failed, "ff",  "SMTP error 553: bad"},
        {"df",  "",    hold,  false, Next::sent,   "df",  "1 of 2 recipients failed: q@b.example: 553 bad"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.before) + " " + std::string(c.answers) + " " +
                     (c.policy == hold ? "hold" : "retry") + (c.too_old ? " old" : ""));
        const auto got = outcome(c.before, c.answers, {.unknown = c.policy, .too_old = c.too_old});
        EXPECT_EQ(got.next, c.next);
        EXPECT_EQ(letters(got.recipients), c.after);
        EXPECT_EQ(got.reason, c.reason);
    }
}

TEST(SendOutcome, WhoWasNotAskedStaysAsHeWas) {
    struct Case {
        std::string_view before, answers, after;
        bool was_tried;
    };
    const Case cases[] = {
        {"w", "s", "w", false},   {"wdfw", "ss", "wdfw", false}, {"w", "c", "w", true},
        {"ww", "sn", "ww", true}, {"ww", "as", "dw", true},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.answers);
        const auto got = outcome(c.before, c.answers, {});
        EXPECT_EQ(got.next, SendOutcome::Next::again);
        EXPECT_EQ(got.was_tried, c.was_tried);
        EXPECT_EQ(letters(got.recipients), c.after);
    }
    const auto old = outcome("wf", "s", {.too_old = true});
    EXPECT_EQ(old.next, SendOutcome::Next::again) << "what was not tried is not given up";
    EXPECT_EQ(old.recipients[0].text, "");
    EXPECT_EQ(old.text, "we are stopping");
}

TEST(SendOutcome, TheLogIsToldTheAnswerThatExplainsWhatComesNext) {
    const auto again = outcome("www", "agn", {});
    EXPECT_EQ(again.code, 451);
    EXPECT_EQ(again.text, "later");
    for (const auto* answers : {"anu", "auu"}) {
        const auto doubt = outcome("www", answers, {});
        EXPECT_EQ(doubt.code, 0);
        EXPECT_EQ(doubt.text, "no answer came; it may have arrived");
    }
}

TEST(SendOutcome, ALongAnswerToAThousandRecipientsStaysSmall) {
    std::vector<Recipient> recipients(1000, {.address = "somebody@b.example"});
    smtp::Verdict rude{.outcome = Outcome::refused_for_good, .code = 550};
    for (int i = 0; i < 4000; ++i) rude.text += "é";
    auto delivery = same_answer(recipients, rude);
    delivery.recipients[3].verdict.text = "another";
    const auto got = outcome_of(recipients, delivery, {});
    EXPECT_LE(got.reason.size(), 1024U);
    EXPECT_TRUE(got.reason.ends_with("…"));
    std::size_t bytes = 0;
    for (const auto& recipient : got.recipients) {
        bytes += recipient.text.size();
    }
    EXPECT_LE(bytes, 256'000U);
}

TEST(SendOutcome, DurationsAreNamedInTheLargestUnitThatFits) {
    EXPECT_EQ(duration_text(72h), "3 days");
    EXPECT_EQ(duration_text(24h), "1 day");
    EXPECT_EQ(duration_text(25h), "25 hours");
    EXPECT_EQ(duration_text(90min), "90 minutes");
    EXPECT_EQ(duration_text(1s), "1 second");
    EXPECT_EQ(duration_text(0s), "0 seconds");
}

TEST(SenderOutcome, TellsARefusedAddressFromAnyOtherRefusal) {
    struct Case {
        std::string_view name;
        smtp::Stage stage;
        int code;
        std::optional<smtp::EnhancedStatus> status;
        bool want;
    };
    using smtp::Stage;
    const auto none = std::nullopt;
    const Case cases[] = {
        {"unknown user", Stage::recipient, 550, none, true},
        {"not local", Stage::recipient, 551, none, true},
        {"bad name", Stage::recipient, 553, none, true},
        {"unknown user, in full", Stage::recipient, 550, smtp::EnhancedStatus{5, 1, 1}, true},
        {"disabled", Stage::recipient, 554, smtp::EnhancedStatus{5, 2, 1}, true},
        {"full", Stage::recipient, 552, smtp::EnhancedStatus{5, 2, 2}, false},
        {"policy", Stage::recipient, 550, smtp::EnhancedStatus{5, 7, 1}, false},
        {"our sender", Stage::recipient, 550, smtp::EnhancedStatus{5, 1, 8}, false},
        {"some 5xx", Stage::recipient, 554, none, false},
        {"the message", Stage::message, 550, none, false},
        {"the greeting", Stage::greeting, 554, none, false},
    };
    for (const auto& c : cases) {
        const smtp::Delivery delivery{.recipients = {{"p@b.example",
                                                      {.outcome = Outcome::refused_for_good,
                                                       .stage = c.stage,
                                                       .code = c.code,
                                                       .status = c.status,
                                                       .text = "no"}}}};
        const auto after = outcome_of({{.address = "p@b.example"}}, delivery, {});
        EXPECT_EQ(after.recipients.at(0).no_such_address, c.want) << c.name;
    }
}

}  // namespace
}  // namespace mailroom::outbox
