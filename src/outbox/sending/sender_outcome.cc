#include "outbox/sending/sender_outcome.h"

#include "base/text.h"
#include "base/time_format.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::outbox {
namespace {

// A row holds the texts of up to a thousand recipients and must stay below 400 KB.
constexpr std::size_t recipient_text_bytes_max = 256;
constexpr std::size_t outcome_bytes_max = 1024;

std::string shortened(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return std::string(text);
    constexpr std::string_view mark = "…";
    return std::string(truncate_utf8(text, bytes_max - mark.size())).append(mark);
}

Recipient::State state_after(smtp::Outcome outcome) {
    switch (outcome) {
        case smtp::Outcome::accepted:
            return Recipient::State::delivered;
        case smtp::Outcome::refused_for_good:
            return Recipient::State::failed;
        case smtp::Outcome::refused_for_now:
            return Recipient::State::waiting;
        case smtp::Outcome::unknown:
            break;
    }
    return Recipient::State::unknown;
}

// Whether the server's answer to RCPT is about the address itself: RFC 3463 has 5.1.x for that, and
// 5.2.1 for a mailbox that was shut. A full mailbox, a policy or a spam filter may change its mind.
// Servers without such a status say 550, 551 or 553 (RFC 5321, 4.2.3).
bool means_no_such_address(const smtp::Verdict& verdict) {
    if (verdict.outcome != smtp::Outcome::refused_for_good ||
        verdict.stage != smtp::Stage::recipient) {
        return false;
    }
    if (const auto& status = verdict.status) {
        // 5.1.0 says nothing; 5.1.7 and 5.1.8 are about the sender.
        const bool is_of_address = status->subject == 1 && status->detail != 0 &&
                                   status->detail != 7 && status->detail != 8;
        return status->category == 5 &&
               (is_of_address || (status->subject == 2 && status->detail == 1));
    }
    return verdict.code == 550 || verdict.code == 551 || verdict.code == 553;
}

void take_answers(std::vector<Recipient>& recipients, const smtp::Delivery& delivery) {
    auto answer = delivery.recipients.begin();
    for (auto& recipient : recipients) {
        if (recipient.state != Recipient::State::waiting) continue;
        assert(answer != delivery.recipients.end());
        const auto& verdict = (answer++)->verdict;
        recipient.state = state_after(verdict.outcome);
        recipient.code = verdict.code;
        recipient.text = shortened(verdict.text, recipient_text_bytes_max);
        recipient.no_such_address = means_no_such_address(verdict);
        recipient.status = verdict.status ? verdict.status->text() : "";
        const bool is_final = verdict.outcome == smtp::Outcome::refused_for_good;
        recipient.refuser = is_final ? Recipient::Refuser::server : Recipient::Refuser::somebody;
    }
    assert(answer == delivery.recipients.end());
}

// A transport that asked nobody says so with a refusal of its own, before it connects.
bool asked_nobody(const smtp::Delivery& delivery) {
    return !delivery.recipients.empty() &&
           std::ranges::all_of(delivery.recipients, [](const smtp::RecipientResult& result) {
               const auto& verdict = result.verdict;
               return verdict.outcome == smtp::Outcome::refused_for_now &&
                      verdict.stage == smtp::Stage::check && verdict.code == 0;
           });
}

void give_up(std::vector<Recipient>& recipients, std::chrono::seconds after) {
    for (auto& recipient : recipients) {
        if (recipient.state != Recipient::State::waiting) continue;
        recipient.state = Recipient::State::failed;
        recipient.refuser = Recipient::Refuser::patience;
        recipient.text =
            shortened("gave up after " + duration_text(after) + ": " +
                          answer_text(std::exchange(recipient.code, 0), recipient.text),
                      recipient_text_bytes_max);
    }
}

std::size_t count(const std::vector<Recipient>& recipients, Recipient::State state) {
    return static_cast<std::size_t>(std::ranges::count(recipients, state, &Recipient::state));
}

const Recipient* first(const std::vector<Recipient>& recipients, Recipient::State state) {
    const auto found = std::ranges::find(recipients, state, &Recipient::state);
    return found == recipients.end() ? nullptr : &*found;
}

// Before what was said later of a recipient that may have the mail nevertheless.
std::string doubt_text(const Recipient& recipient) {
    if (!recipient.doubtful_since) return "";
    return "may have arrived at " + format_rfc3339_seconds(*recipient.doubtful_since) +
           "; later refused: ";
}

// "bob@b.example: 550 no such user; …" for each that failed.
std::string failures_text(const std::vector<Recipient>& recipients) {
    std::string text;
    for (const auto& recipient : recipients) {
        if (recipient.state != Recipient::State::failed) continue;
        if (!text.empty()) text += "; ";
        text += recipient.address + ": " + doubt_text(recipient);
        if (recipient.code != 0) text += std::to_string(recipient.code) + " ";
        text += recipient.text;
        if (text.size() > outcome_bytes_max) break;
    }
    return text;
}

std::string settled_reason(const std::vector<Recipient>& recipients) {
    if (recipients.empty()) return "the mail has no recipient, or its message cannot be read";
    const auto* failed = first(recipients, Recipient::State::failed);
    if (failed == nullptr) return "";
    const bool all_the_same = std::ranges::all_of(recipients, [failed](const Recipient& r) {
        return r.state == failed->state && r.code == failed->code && r.text == failed->text &&
               r.doubtful_since == failed->doubtful_since;
    });
    if (all_the_same) return doubt_text(*failed) + answer_text(failed->code, failed->text);
    const auto failures = count(recipients, Recipient::State::failed);
    const auto number = failures == recipients.size()
                            ? "all " + std::to_string(failures)
                            : std::to_string(failures) + " of " + std::to_string(recipients.size());
    return shortened(number + " recipients failed: " + failures_text(recipients),
                     outcome_bytes_max);
}

void explain(SendOutcome& outcome, Recipient::State state) {
    const auto* recipient = first(outcome.recipients, state);
    if (recipient == nullptr) return;
    outcome.code = recipient->code;
    outcome.text = recipient->text;
}

// That one may have the mail is worth more words than why another waits.
void explain_doubt(SendOutcome& outcome, const smtp::Delivery& delivery) {
    for (const auto& [recipient, verdict] : delivery.recipients) {
        if (verdict.outcome != smtp::Outcome::unknown) continue;
        outcome.code = verdict.code;
        outcome.text = shortened(verdict.text, recipient_text_bytes_max);
        return;
    }
}

}  // namespace

std::string answer_text(int code, std::string_view text) {
    if (code == 0) return std::string(text);
    return "SMTP error " + std::to_string(code) + ": " + std::string(text);
}

std::string duration_text(std::chrono::seconds duration) {
    const auto in = [&](std::int64_t seconds, const char* unit) {
        const auto number = duration.count() / seconds;
        return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
    };
    if (duration.count() > 0 && duration.count() % 86400 == 0) return in(86400, "day");
    if (duration.count() > 0 && duration.count() % 3600 == 0) return in(3600, "hour");
    if (duration.count() > 0 && duration.count() % 60 == 0) return in(60, "minute");
    return in(1, "second");
}

smtp::Delivery same_answer(const std::vector<Recipient>& recipients, const smtp::Verdict& verdict) {
    smtp::Delivery delivery;
    for (const auto& recipient : recipients) {
        if (recipient.state != Recipient::State::waiting) continue;
        delivery.recipients.push_back({recipient.address, verdict});
    }
    return delivery;
}

SendOutcome outcome_of(std::vector<Recipient> recipients, const smtp::Delivery& delivery,
                       const OutcomeRules& rules) {
    if (asked_nobody(delivery)) {
        return {.next = SendOutcome::Next::again,
                .was_tried = false,
                .recipients = std::move(recipients),
                .text = delivery.recipients.front().verdict.text};
    }
    take_answers(recipients, delivery);
    SendOutcome outcome{.next = SendOutcome::Next::held, .recipients = std::move(recipients)};
    auto& after = outcome.recipients;

    if (rules.unknown == UnknownPolicy::retry) {
        for (auto& recipient : after) {
            if (recipient.state == Recipient::State::unknown)
                recipient.state = Recipient::State::waiting;
        }
    }
    if (rules.too_old) give_up(after, rules.give_up_after);

    if (first(after, Recipient::State::waiting) != nullptr) {
        outcome.next = SendOutcome::Next::again;
        explain(outcome, Recipient::State::waiting);
        explain_doubt(outcome, delivery);
        return outcome;
    }
    if (const auto* unknown = first(after, Recipient::State::unknown)) {
        outcome.reason = shortened("unknown: " + unknown->text, outcome_bytes_max);
        explain(outcome, Recipient::State::unknown);
        return outcome;
    }
    const bool any = first(after, Recipient::State::delivered) != nullptr;
    outcome.next = any ? SendOutcome::Next::sent : SendOutcome::Next::failed;
    outcome.reason = settled_reason(after);
    explain(outcome, any ? Recipient::State::delivered : Recipient::State::failed);
    return outcome;
}

}  // namespace mailroom::outbox
