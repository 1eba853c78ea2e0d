#include "reminders/deliveries.h"

#include "base/hex.h"
#include "base/log.h"
#include "json/json.h"
#include "reminders/audit.h"
#include "reminders/counters.h"
#include "reminders/mail_guard.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

using namespace std::chrono_literals;
using outbox::State;

constexpr std::string_view looks_name = "Looks";  // Of a job's data: how many there were.
// Most mails are settled within a second; one that a server puts off may take days.
constexpr std::chrono::milliseconds first_pause = 250ms;
constexpr std::chrono::milliseconds longest_pause = 5min;

std::chrono::milliseconds pause_after(std::int64_t looks) {
    constexpr std::int64_t doublings_max = 12;
    return std::min(first_pause * (1 << std::min(looks, doublings_max)), longest_pause);
}

bool is_sent(State state) {
    return state == State::sent || state == State::calling_sent_callback ||
           state == State::sent_acknowledged;
}

bool is_failed(State state) {
    return state == State::failed || state == State::calling_failed_callback ||
           state == State::failed_acknowledged || state == State::invalid;
}

bool was_stopped(const outbox::Mail& mail) { return mail.reason.starts_with(stopped_mark); }

bool has_no_such_address(const outbox::Mail& mail) {
    return std::ranges::any_of(mail.recipients, &outbox::Recipient::no_such_address);
}

// When it was sent.
Time reached(const outbox::History& history, State state) {
    for (const auto& entry : history.states) {
        if (entry.state == state) return entry.at;
    }
    return history.mail.updated;
}

AuditEntry entry_of(const Draft& draft, std::string what, std::string detail) {
    return {.customer_id = draft.customer_id,
            .what = std::move(what),
            .by = mailroom_itself().name,
            .draft_id = draft.id,
            .detail = std::move(detail)};
}

}  // namespace

// One draft and its mail.
struct Deliveries::Look {
    Draft draft;
    outbox::History history;
    Next next = Next::finish;
};

void Deliveries::run(schedule::JobInHand job) {
    const auto done = settled([&] { return settle(*job); });
    if (done) return;
    // The job is found again after a pause.
    log::error("what became of a reminder could not be written down yet",
               {{"draft", job->key()}, {"why", done.error().message}});
}

void Deliveries::end_job(schedule::Transaction& transaction, schedule::Job& job, Next next) const {
    if (next == Next::finish) return job.finish(transaction);
    const auto looks = job.data().integer(looks_name).value_or(0);
    job.move(transaction, {.queue = std::string(delivery_queue),
                           .key = std::string(job.key()),
                           .due = books_.clock.now() + pause_after(looks),
                           .data = {{looks_name, looks + 1}}});
}

Answer<> Deliveries::settle(schedule::Job& job) {
    const auto draft = drafts_.find(std::string(job.key()));
    const bool is_gone = !draft && (draft.error().kind == Refusal::Kind::not_found ||
                                    draft.error().kind == Refusal::Kind::gone);
    if (!draft && !is_gone) return draft.error();
    std::optional<outbox::History> history;
    if (draft) history = TRY(outbox_.history(draft->mail_id));
    if (!history) {
        schedule::Transaction transaction;
        job.finish(transaction);
        return books_.commit(transaction);
    }
    Look look{*draft, *std::move(history)};
    return write(look, job);
}

Answer<> Deliveries::write(Look& look, schedule::Job& job) {
    const auto state = look.history.mail.state;
    const auto status = look.draft.status;
    const bool is_pending = status == DraftStatus::approved || status == DraftStatus::failed;
    schedule::Transaction transaction;
    if (is_pending && is_sent(state)) {
        TRY(write_sent(transaction, look));
    } else if (is_pending && is_failed(state)) {
        // retry() has it looked at again.
        const auto& mail = look.history.mail;
        if (status == DraftStatus::approved && was_stopped(mail)) {
            TRY(write_cancelled(transaction, look.draft, mail.reason.substr(stopped_mark.size()),
                                mailroom_itself()));
        } else if (status == DraftStatus::approved) {
            TRY(write_failed(transaction, look));
        }
    } else if (is_pending && state == State::cancelled) {
        TRY(write_cancelled(transaction, look.draft, "the mail was cancelled", mailroom_itself()));
    } else if (is_pending) {
        look.next = Next::look_again;
    }
    end_job(transaction, job, look.next);
    return books_.commit(transaction);
}

Result<std::string> Deliveries::free_sent_key(const Draft& draft, Time sent) {
    const auto usual = sent_key_of(sent, draft.type);
    auto key = usual;
    for (;;) {
        const auto row =
            TRY(books_.get(books_.tables.tracking, sent_row_key(draft.customer_id, key)));
        if (!row) return key;
        key = usual + "_" + hex_encode(random_bytes(books_.random, 2));
    }
}

Answer<> Deliveries::write_sent(schedule::Transaction& transaction, Look& look) {
    const auto& mail = look.history.mail;
    const auto sent = reached(look.history, State::sent);
    auto draft = look.draft;
    const auto key = TRY(free_sent_key(draft, sent));
    const auto letter = TRY(letter_that_left(draft, mail));
    SentRecord record{.key = key,
                      .customer_id = draft.customer_id,
                      .type = draft.type,
                      .subject = letter.subject,
                      .text = letter.text,
                      .sent = sent,
                      .approved_by = draft.approved_by,
                      .message_id = mail.message_id,
                      .draft_id = draft.id,
                      .to_address = draft.customer_email,
                      .mail_id = mail.id,
                      .figures = draft.figures,
                      .cycle = draft.cycle};
    draft.status = DraftStatus::sent;
    draft.reason.clear();
    draft.sent_at = sent;
    draft.sent_key = record.key;
    drafts_.save(transaction, look.draft, draft);
    transaction.put(books_.tables.tracking, sent_item(record)).if_absent("PK");
    if (auto customer = TRY(accounts_.find(draft.customer_id))) {
        if (!customer->past.settle(draft.id, Fate::sent, sent)) {
            customer->past.reminders.push_back(
                {draft.type, sent, draft.id, draft.cycle, Fate::sent});
        }
        auto& last = customer->last_sent_at[index_of(draft.type)];
        last = last ? std::max(*last, sent) : sent;
        customer->total_emails_sent += 1;
        accounts_.save(transaction, *customer);
        auto address = TRY(read_address(books_, draft.customer_email));
        save_address(transaction, books_, std::move(address), draft.id,
                     AddressRow::Entry{draft.type, sent, draft.customer_id, draft.id});
    }
    count(transaction, books_, sent, {counter::sent, sent_counter(draft.type)});
    add_audit(transaction, books_, entry_of(draft, "sent", "to " + draft.customer_email));
    return Ok{};
}

// The draft may have been changed by another program since; the record is of what was sent.
Answer<Letter> Deliveries::letter_that_left(const Draft& draft, const outbox::Mail& mail) {
    if (draft.approved_hash.empty() || draft.approved_hash == content_hash_of(draft)) {
        return draft.letter;
    }
    const auto payload = TRY(outbox_.payload(mail));
    json::Parser parser;
    const auto request = payload ? parser.parse(*payload) : parser.parse("{}");
    auto letter = draft.letter;
    if (!request || request->type() != json::View::Type::object) return letter;
    const std::pair<const char*, std::string*> parts[] = {{"subject", &letter.subject},
                                                          {"text", &letter.text}};
    for (const auto& [name, to] : parts) {
        const auto found = request->find(name);
        if (found && found->type() == json::View::Type::text) *to = found->text();
    }
    return letter;
}

// A reminder that reached nobody keeps no other back.
Answer<> Deliveries::forget(schedule::Transaction& transaction, const Draft& draft, Fate fate) {
    auto customer = TRY(accounts_.find(draft.customer_id));
    if (!customer) return Ok{};
    if (const auto* past = customer->past.find(draft.id)) {
        customer->past.settle(draft.id, fate, past->at);
    }
    if (fate == Fate::bounced) customer->bounce_count += 1;
    accounts_.save(transaction, *customer);
    auto address = TRY(read_address(books_, draft.customer_email));
    save_address(transaction, books_, std::move(address), draft.id, std::nullopt);
    return Ok{};
}

Answer<> Deliveries::write_failed(schedule::Transaction& transaction, Look& look) {
    auto draft = look.draft;
    draft.status = DraftStatus::failed;
    draft.reason = look.history.mail.reason;
    drafts_.save(transaction, look.draft, draft);
    add_audit(transaction, books_, entry_of(draft, "failed", draft.reason));
    const auto now = books_.clock.now();
    if (!has_no_such_address(look.history.mail)) {
        count(transaction, books_, now, {counter::failed});
        return forget(transaction, draft, Fate::failed);
    }
    // The same as a hard bounce, only heard at once.
    count(transaction, books_, now, {counter::failed, counter::bounced, counter::no_such_address});
    TRY(suppressions_.add_to(transaction, draft.customer_email, std::nullopt, "bounce"));
    return forget(transaction, draft, Fate::bounced);
}

Answer<> Deliveries::write_cancelled(schedule::Transaction& transaction, const Draft& before,
                                     const std::string& reason, const Person& person) {
    auto draft = before;
    draft.status = DraftStatus::cancelled;
    draft.reason = reason;
    drafts_.save(transaction, before, draft);
    TRY(forget(transaction, draft, Fate::failed));
    count(transaction, books_, books_.clock.now(), {counter::cancelled});
    auto entry = entry_of(draft, "cancelled", reason);
    entry.by = person.name;
    entry.by_id = person.id;
    add_audit(transaction, books_, std::move(entry));
    return Ok{};
}

Answer<Draft> Deliveries::cancel(const std::string& draft_id, const std::string& reason,
                                 const Person& person) {
    const auto found = TRY(drafts_.find(draft_id));
    if (found.status != DraftStatus::approved) return drafts_.cancel(draft_id, reason, person);
    // The mail first: once it is cancelled it cannot leave, whatever happens to us.
    const auto cancelled = outbox_.cancel(found.mail_id);
    if (!cancelled && cancelled.error().code != Errc::conflict) return Refusal(cancelled.error());
    return settled([&]() -> Answer<Draft> {
        auto draft = TRY(drafts_.find(draft_id));
        if (draft.status == DraftStatus::cancelled) return draft;
        const auto history = TRY(outbox_.history(draft.mail_id));
        const bool is_stopped = history && history->mail.state == State::cancelled;
        if (!is_stopped || draft.status != DraftStatus::approved) {
            auto refusal = changed_meanwhile(draft);
            if (!cancelled) refusal.message = "it is too late: " + cancelled.error().message;
            return refusal;
        }
        schedule::Transaction transaction;
        TRY(write_cancelled(transaction, draft, reason, person));
        TRY(books_.commit(transaction));
        draft.status = DraftStatus::cancelled;
        draft.reason = reason;
        return draft;
    });
}

}  // namespace mailroom::reminders
