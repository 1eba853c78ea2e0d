#include "engagement/events/fates.h"

#include "base/log.h"
#include "engagement/bounces/classifier.h"
#include "engagement/events/rows.h"
#include "people/canonical.h"
#include "people/permission.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace mailroom::engagement {

namespace {

using outbox::Recipient;
using outbox::State;
using Refuser = Recipient::Refuser;

bool was_turned_away(const Recipient& recipient) {
    return recipient.state == Recipient::State::failed &&
           (recipient.refuser == Refuser::server || recipient.refuser == Refuser::patience);
}

Bounce bounce_of(const Recipient& recipient) {
    const auto diagnosis = bounces::classify(
        {.code = recipient.code, .status = recipient.status, .text = recipient.text, .host = {}});
    // The transport has seen at what moment the server said so.
    const bool is_hard =
        diagnosis.severity == bounces::Severity::unclear && recipient.no_such_address;
    const auto severity = is_hard ? bounces::Severity::hard : diagnosis.severity;
    return {.severity = severity,
            .type = std::string(bounces::bounce_type(severity)),
            .subclass = std::string(name_of(diagnosis.cause)),
            .diagnostic = recipient.text,
            .provider = std::string(diagnosis.provider),
            .notification_id = {}};
}

// What tells the recipients of a mail apart, without being as long as an address may be.
std::string name_of_recipient(const std::string& address) {
    constexpr std::size_t digits = 24;
    const auto canonical = people::canonical_of(address);
    return rows::digest_of(canonical ? *canonical : address).substr(0, digits);
}

Happening about(const outbox::Mail& mail, const Recipient& recipient, EventType type, Time at) {
    Happening happening;
    happening.id =
        std::string(name_of(type)) + ":" + mail.id + ":" + name_of_recipient(recipient.address);
    happening.type = type;
    happening.at = at;
    happening.email = recipient.address;
    happening.mail_id = mail.id;
    return happening;
}

void add_fates(std::vector<Happening>& all, const outbox::Mail& mail, const Recipient& recipient,
               const outbox::Settled& settled) {
    if (recipient.state == Recipient::State::delivered) {
        if (mail.engagement) all.push_back(about(mail, recipient, EventType::sent, settled.at));
        all.push_back(about(mail, recipient, EventType::delivery, settled.at));
        return;
    }
    const bool is_skipped =
        recipient.state == Recipient::State::failed && recipient.refuser == Refuser::permission;
    if (!is_skipped && !was_turned_away(recipient)) return;
    auto fate =
        about(mail, recipient, is_skipped ? EventType::skipped : EventType::bounce, settled.at);
    // It may be tried again, and be turned away again.
    fate.id += ":" + std::to_string(settled.number);
    if (is_skipped) fate.reason = people::word_of(recipient.text);
    if (!is_skipped) fate.bounce = bounce_of(recipient);
    all.push_back(std::move(fate));
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Amazon's relay names the mail anew, "250 Ok 0102018f7d…-1f0c…-000000", and its notifications and
// the replies that people write know only that name.
std::optional<std::string> name_in_answer(std::string_view text) {
    constexpr std::string_view before = "Ok ";
    constexpr std::size_t chars = 60;  // 16, 36 and 6 digits, with hyphens between them.
    const auto begin = text.find(before);
    if (begin == text.npos) return std::nullopt;
    const auto name = text.substr(begin + before.size(), chars);
    const bool is_one = name.size() == chars && name[16] == '-' && name[53] == '-' &&
                        std::ranges::all_of(name, [](char c) { return is_hex(c) || c == '-'; });
    return is_one ? std::optional(std::string(name)) : std::nullopt;
}

void name_by_answers(schedule::Transaction& transaction, const outbox::Mail& mail,
                     KeptAccount& account) {
    std::set<std::string> names;
    for (const auto& recipient : mail.recipients) {
        const auto name = name_in_answer(recipient.text);
        if (name && recipient.state == Recipient::State::delivered) names.insert(*name);
    }
    constexpr std::size_t names_max = 50;
    for (const auto& name : names) {
        if (transaction.size() >= names_max) return;
        account.facts().name(transaction, mail.id, name, account.kept_until());
    }
}

}  // namespace

std::vector<Happening> happenings_of(const outbox::Mail& mail, const outbox::Settled& settled) {
    std::vector<Happening> all;
    for (const auto& recipient : mail.recipients) {
        const bool is_skip = recipient.refuser == Refuser::permission;
        if (is_skip && !mail.engagement) continue;
        add_fates(all, mail, recipient, settled);
    }
    return all;
}

bool Fates::wants(const outbox::Mail& mail, const std::vector<Recipient>& recipients, State to) {
    if (to != State::sent && to != State::failed) return false;
    if (mail.engagement) return true;
    return std::ranges::any_of(recipients, [&](const Recipient& recipient) {
        return was_turned_away(recipient) || is_watched(recipient);
    });
}

bool Fates::is_watched(const Recipient& recipient) const {
    const auto canonical = people::canonical_of(recipient.address);
    return canonical && streaks_.may_have(*canonical);
}

void Fates::run(schedule::JobInHand job) {
    const auto done = settle(*job);
    if (done) return;
    // The job is found again after a pause.
    log::error("what became of a mail could not be noted yet",
               {{"job", job->key()}, {"why", done.error().message}});
}

Answer<> Fates::note(const outbox::Mail& mail, const outbox::Settled& settled) {
    const auto happenings = happenings_of(mail, settled);
    const auto all = account_.note(happenings);
    if (all) return Ok{};
    if (all.error().kind != Refusal::Kind::invalid) return all.error();
    for (const auto& happening : happenings) {
        const auto noted = account_.note({&happening, 1});
        if (noted) continue;
        // Of an address that is none nothing can be kept.
        if (noted.error().kind != Refusal::Kind::invalid) return noted.error();
        log::warn("an event is left out", {{"mail", mail.id}, {"why", noted.error().text()}});
    }
    return Ok{};
}

Answer<> Fates::settle(schedule::Job& job) {
    const auto settled = outbox::read_settled(job);
    const auto mail = settled ? TRY(ledger_.find(settled->mail_id)) : std::nullopt;
    schedule::Transaction transaction;
    if (mail) {
        TRY(note(*mail, *settled));
        if (mail->engagement) name_by_answers(transaction, *mail, account_);
    }
    job.finish(transaction);
    TRY(schedule_.commit(transaction));
    return Ok{};
}

}  // namespace mailroom::engagement
