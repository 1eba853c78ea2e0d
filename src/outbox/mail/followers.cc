#include "outbox/mail/followers.h"

#include "base/text.h"
#include "outbox/mail/ledger_rows.h"
#include "schedule/places.h"

#include <cassert>
#include <utility>

namespace mailroom::outbox {

namespace {

// Of a follower's job; on disk: never change.
constexpr std::string_view key_name = "Key", data_name = "Data", mail_name = "Mail",
                           state_name = "State", at_name = "At", reason_name = "Reason",
                           number_name = "Number";
constexpr std::size_t told_reason_bytes_max = 1024;
constexpr std::string_view own_queues = "outbox.";

}  // namespace

bool may_be_followed(const Follow& follow) {
    return schedule::is_queue_name(follow.queue) && !follow.queue.starts_with(own_queues) &&
           follow.key.size() <= follow_key_bytes_max &&
           follow.data.bytes().size() <= follow_data_bytes_max;
}

std::optional<Settled> read_settled(const schedule::Job& job) {
    const auto& row = job.data();
    const auto mail = row.text(mail_name);
    const auto state = state_named(row.text(state_name).value_or(""));
    const auto at_ms = row.integer(at_name);
    if (!mail || !state || !at_ms) return std::nullopt;
    Settled settled{.key = std::string(row.text(key_name).value_or("")),
                    .mail_id = std::string(*mail),
                    .state = *state,
                    .at = from_unix_ms(*at_ms),
                    .reason = std::string(row.text(reason_name).value_or("")),
                    .number = row.integer(number_name).value_or(1)};
    const auto data = row.view().find(data_name);
    if (data && data->kind() == table::Kind::map) settled.data = table::Item(data->map());
    return settled;
}

void Followers::settle(schedule::Transaction& transaction, Mail& mail, State to, Change change,
                       schedule::Job* job) const {
    assert(outcome_of(to) == to);
    schedule::NewJob call{
        .queue = std::string(callback_queue), .key = mail.id, .due = clock_.now()};
    const bool is_called = mail.callback && to != State::cancelled;
    change.job = std::optional<schedule::Position>();
    if (job != nullptr && is_called) {
        change.job = job->move(transaction, std::move(call));
    } else if (job != nullptr) {
        job->finish(transaction);
    } else if (is_called) {
        change.job = schedule_.add(transaction, std::move(call));
    }
    const bool accounted =
        is_accounted(mail, change.recipients ? *change.recipients : mail.recipients, to);
    if (mail.follow || accounted) change.settlements = mail.settlements + 1;
    ledger_.move(transaction, mail, to, change);
    tell(transaction, mail, accounted);
}

bool Followers::is_accounted(const Mail& mail, const std::vector<Recipient>& recipients,
                             State to) const {
    auto* const accounting = ledger_.accounting();
    return accounting != nullptr && accounting->wants(mail, recipients, to);
}

void Followers::catch_up(schedule::Transaction& transaction, const Mail& mail,
                         Change& change) const {
    const auto now = outcome_of(mail.state);
    const auto told = state_named(mail.counted);
    if (!now || (told && outcome_of(*told) == now)) return;
    const bool accounted = is_accounted(mail, mail.recipients, *now);
    if (!mail.follow && !accounted) return;
    change.settlements = mail.settlements + 1;
    auto counted = mail;
    counted.settlements = *change.settlements;
    tell(transaction, counted, accounted);
}

void Followers::tell(schedule::Transaction& transaction, const Mail& mail,
                     bool is_accounted) const {
    if (mail.follow) tell(transaction, mail, *mail.follow);
    if (is_accounted) tell(transaction, mail, {.queue = std::string(fates_queue), .key = ""});
}

// The number keeps the jobs of two settlements of a moment apart.
void Followers::tell(schedule::Transaction& transaction, const Mail& mail,
                     const Follow& follow) const {
    schedule_.add(transaction,
                  {.queue = follow.queue,
                   .key = follow.key + "#" + mail.id + "#" + std::to_string(mail.settlements),
                   .due = clock_.now(),
                   .data = {{mail_name, mail.id},
                            {state_name, name_of(*outcome_of(mail.state))},
                            {at_name, to_unix_ms(mail.updated)},
                            {reason_name, storable(mail.reason, told_reason_bytes_max)},
                            {number_name, mail.settlements},
                            {key_name, follow.key},
                            {data_name, table::Value::map(follow.data)}}});
}

}  // namespace mailroom::outbox
