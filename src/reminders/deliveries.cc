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

// Of a job's data that an earlier version wrote: how many looks there were.
constexpr std::string_view looks_name = "Looks";
constexpr std::chrono::milliseconds first_pause = 250ms;
constexpr std::chrono::milliseconds longest_pause = 5min;

std::chrono::milliseconds pause_after(std::int64_t looks) {
    constexpr std::int64_t doublings_max = 12;
    return std::min(first_pause * (1 << std::min(looks, doublings_max)), longest_pause);
}

void look_again(schedule::Transaction& transaction, schedule::Job& job, Time now) {
    const auto looks = job.data().integer(looks_name).value_or(0);
    job.move(transaction, {.queue = std::string(delivery_queue),
                           .key = std::string(job.key()),
                           .due = now + pause_after(looks),
                           .data = {{looks_name, looks + 1}}});
}

bool is_open(const Draft& draft) {
    return draft.status == DraftStatus::approved || draft.status == DraftStatus::failed;
}

bool has_no_such_address(const outbox::Mail& mail) {
    return std::ranges::any_of(mail.recipients, &outbox::Recipient::no_such_address);
}

// When the mail came to what became of it.
Time reached(const outbox::History& history, State outcome) {
    for (const auto& entry : history.states) {
        if (entry.state == outcome) return entry.at;
    }
    return history.mail.updated;
}

}  // namespace

// What became of the mail of a draft.
struct Deliveries::News {
    Draft draft;
    State state;  // SENT, FAILED, INVALID or CANCELLED.
    Time at;
    std::string reason;
    std::optional<outbox::Mail> mail;  // None if it has expired meanwhile.
};

void Deliveries::run(schedule::JobInHand job) {
    const auto done = settled(books_.store.pauses(race_pauses), [&] { return settle(*job); });
    if (done) return;
    // The job is found again after a pause.
    log::error("what became of a reminder could not be written down yet",
               {{"draft", job->key()}, {"why", done.error().message}});
}

Answer<std::optional<Draft>> Deliveries::draft_of(std::string_view id) {
    auto draft = drafts_.find(std::string(id));
    if (draft) return std::optional(*std::move(draft));
    const auto kind = draft.error().kind;
    if (kind != Refusal::Kind::not_found && kind != Refusal::Kind::gone) return draft.error();
    return std::optional<Draft>();
}

Result<std::optional<outbox::History>> Deliveries::history_of(const std::optional<Draft>& draft) {
    if (!draft) return std::optional<outbox::History>();
    return outbox_.history(draft->mail_id);
}

Answer<> Deliveries::settle(schedule::Job& job) {
    const auto told = outbox::read_settled(job);
    if (!told) return look(job);
    const auto draft = TRY(draft_of(told->key));
    schedule::Transaction transaction;
    job.finish(transaction);
    if (draft && draft->mail_id == told->mail_id) {
        auto history = TRY(history_of(draft));
        auto mail = history ? std::optional(std::move(history->mail)) : std::nullopt;
        const bool is_whole = mail && outbox::outcome_of(mail->state) == told->state;
        const auto reason = is_whole ? mail->reason : told->reason;
        TRY(write(transaction, {*draft, told->state, told->at, reason, std::move(mail)}));
    }
    return books_.commit(transaction);
}

// For mails that nobody follows.
Answer<> Deliveries::look(schedule::Job& job) {
    const auto draft = TRY(draft_of(job.key()));
    const auto history = TRY(history_of(draft));
    schedule::Transaction transaction;
    const bool is_ours = history && !history->mail.follow && is_open(*draft);
    const auto outcome = is_ours ? outbox::outcome_of(history->mail.state) : std::nullopt;
    if (is_ours && !outcome) {
        look_again(transaction, job, books_.clock.now());
        return books_.commit(transaction);
    }
    job.finish(transaction);
    if (outcome) {
        const auto& mail = history->mail;
        TRY(write(transaction, {*draft, *outcome, reached(*history, *outcome), mail.reason, mail}));
    }
    return books_.commit(transaction);
}

// Nothing for a draft that has come to its end in another way. A failure is told once, until the
// draft is sent again.
Answer<> Deliveries::write(schedule::Transaction& transaction, const News& news) {
    const auto& draft = news.draft;
    if (!is_open(draft)) return Ok{};
    if (news.state == State::sent) return write_sent(transaction, news);
    if (news.state == State::cancelled) {
        return write_cancelled(transaction, draft,
                               {std::string(reason_code::mail_cancelled), "the mail was cancelled"},
                               mailroom_itself());
    }
    if (draft.status != DraftStatus::approved) return Ok{};
    if (news.reason.starts_with(stopped_mark)) {
        return write_cancelled(
            transaction, draft,
            CodedReason::of(std::string_view(news.reason).substr(stopped_mark.size())),
            mailroom_itself());
    }
    return write_failed(transaction, news);
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

Answer<> Deliveries::write_sent(schedule::Transaction& transaction, const News& news) {
    const auto sent = news.at;
    auto draft = news.draft;
    const auto key = TRY(free_sent_key(draft, sent));
    const auto letter = TRY(letter_that_left(news));
    SentRecord record{.key = key,
                      .customer_id = draft.customer_id,
                      .type = draft.type,
                      .subject = letter.subject,
                      .text = letter.text,
                      .sent = sent,
                      .approved_by = draft.approved_by,
                      .message_id = news.mail ? news.mail->message_id : "",
                      .draft_id = draft.id,
                      .to_address = draft.customer_email,
                      .mail_id = draft.mail_id,
                      .figures = draft.figures,
                      .cycle = draft.cycle};
    draft.status = DraftStatus::sent;
    draft.reason_code.clear();
    draft.reason.clear();
    draft.sent_at = sent;
    draft.sent_key = record.key;
    drafts_.save(transaction, news.draft, draft);
    transaction.put(books_.tables.tracking, table::to_item(record)).if_absent("PK");
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
    books_.counters.add(transaction, sent, {counter::sent, sent_counter(draft.type)});
    books_.audit.add(transaction, mailroom_itself(),
                     entry_about(draft, "sent", "to " + draft.customer_email));
    return Ok{};
}

// The draft may have been changed by another program since; the record is of what was sent.
Answer<Letter> Deliveries::letter_that_left(const News& news) {
    const auto& draft = news.draft;
    const bool is_same =
        draft.approved_hash.empty() || draft.approved_hash == content_hash_of(draft);
    if (is_same || !news.mail) return draft.letter;
    const auto payload = TRY(outbox_.payload(*news.mail));
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

Answer<> Deliveries::write_failed(schedule::Transaction& transaction, const News& news) {
    auto draft = news.draft;
    const bool is_bounce = news.mail && has_no_such_address(*news.mail);
    draft.status = DraftStatus::failed;
    draft.reason_code = is_bounce ? reason_code::no_such_address : reason_code::mail_failed;
    draft.reason = news.reason;
    drafts_.save(transaction, news.draft, draft);
    books_.audit.add(transaction, mailroom_itself(), entry_about(draft, "failed", draft.reason));
    const auto now = books_.clock.now();
    if (!is_bounce) {
        books_.counters.add(transaction, now, {counter::failed});
        return forget(transaction, draft, Fate::failed);
    }
    // The same as a hard bounce, only heard at once.
    books_.counters.add(transaction, now,
                        {counter::failed, counter::bounced, counter::no_such_address});
    TRY(suppressions_.add_to(transaction, draft.customer_email, people::Extent::every(), "bounce",
                             {.source = "mail"}));
    return forget(transaction, draft, Fate::bounced);
}

Answer<> Deliveries::write_cancelled(schedule::Transaction& transaction, const Draft& before,
                                     const CodedReason& reason, const program::Actor& person) {
    auto draft = before;
    draft.status = DraftStatus::cancelled;
    draft.reason_code = reason.code;
    draft.reason = reason.text;
    drafts_.save(transaction, before, draft);
    TRY(forget(transaction, draft, Fate::failed));
    books_.counters.add(transaction, books_.clock.now(), {counter::cancelled});
    books_.audit.add(transaction, person, entry_about(draft, "cancelled", reason.text));
    return Ok{};
}

// The mail and its draft in one transaction: once that is done it cannot leave, whatever happens to
// us.
Answer<Draft> Deliveries::try_cancel(const std::string& draft_id, const std::string& reason,
                                     const program::Actor& person) {
    auto draft = TRY(drafts_.find(draft_id));
    if (draft.status == DraftStatus::cancelled) return draft;
    if (draft.status != DraftStatus::approved) return drafts_.cancel(draft_id, reason, person);
    Answer<> written = Ok{};
    const CodedReason why{std::string(reason_code::cancelled), reason};
    const auto add = [&](schedule::Transaction& transaction, const outbox::Mail&) -> Result<> {
        written = write_cancelled(transaction, draft, why, person);
        if (!written) return Error(written.error());
        return Ok{};
    };
    const auto withdrawn = outbox_.withdraw(draft.mail_id, add);
    if (!written) return written.error();
    if (!withdrawn) {
        const auto& error = withdrawn.error();
        if (error.code != Errc::conflict) return Refusal(error);
        const auto history = TRY(outbox_.history(draft.mail_id));
        if (history && may_follow(history->mail.state, State::cancelled)) {
            return Refusal(Refusal::Kind::lost_race, error.message);
        }
        if (!history || history->mail.state != State::cancelled) {
            auto refusal = changed_meanwhile(draft);
            refusal.message = "it is too late: " + error.message;
            return refusal;
        }
        // By somebody else: what is left is the draft.
        schedule::Transaction transaction;
        TRY(write_cancelled(transaction, draft, why, person));
        TRY(books_.commit(transaction));
    }
    draft.status = DraftStatus::cancelled;
    draft.reason_code = why.code;
    draft.reason = reason;
    return draft;
}

Answer<Draft> Deliveries::cancel(const std::string& draft_id, const std::string& reason,
                                 const program::Actor& person) {
    const auto found = TRY(drafts_.find(draft_id));
    if (found.status != DraftStatus::approved) return drafts_.cancel(draft_id, reason, person);
    return settled(books_.store.pauses(race_pauses),
                   [&] { return try_cancel(draft_id, reason, person); });
}

}  // namespace mailroom::reminders
