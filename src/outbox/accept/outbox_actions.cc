// What people decide about a mail.
#include "outbox/accept/outbox.h"
#include "outbox/mail/kept_steps.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

std::string standing(const Mail& mail) {
    return "the mail is " + std::string(name_of(mail.state)) + (mail.held ? " and held" : "");
}

// One that was given up, before the first call or after.
bool has_lost_callback(const Mail& mail) {
    if (mail.job) return false;
    return mail.state == State::calling_sent_callback ||
           mail.state == State::calling_failed_callback ||
           (mail.state == State::sent && mail.callback);
}

bool has_failed(const Mail& mail) {
    return mail.state == State::failed || mail.state == State::failed_acknowledged;
}

// Whether it was tried already and waits until it is tried again. Not one that waits for its
// send_at.
bool waits_after_failure(const Mail& mail, Time now) {
    if (!mail.job || mail.job->due() <= now) return false;
    switch (mail.state) {
        case State::accepted:
            return !mail.reason.empty();
        case State::ready:
            return mail.attempts > 0;
        case State::calling_sent_callback:
        case State::calling_failed_callback:
            return true;
        default:
            return false;
    }
}

// Going back deletes the rows of the states that are left. What they told goes to the log.
Result<> keep_steps(Ledger& ledger, schedule::Transaction& transaction, const Mail& mail,
                    State back_to) {
    const auto history = TRY(ledger.history(mail.id));
    if (!history) return Ok{};
    for (const auto& step : history->states) {
        if (step.state <= back_to) continue;
        ledger.log(transaction, mail,
                   {.at = step.at,
                    .what = std::string(kept_step) + std::string(name_of(step.state)),
                    .text = step.reason,
                    .peer = step.peer,
                    .transcript = step.transcript});
    }
    return Ok{};
}

}  // namespace

Result<Mail> Outbox::require_mail(const std::string& id) {
    auto found = TRY(ledger_.find(id));
    if (!found) return Error{Errc::not_found, "there is no mail " + id};
    return std::move(*found);
}

Error Outbox::conflict(const Mail& mail, std::string_view cannot) {
    return {Errc::conflict, standing(mail) + ": " + std::string(cannot)};
}

LogEntry Outbox::decision(std::string what, std::string text) const {
    return {.at = clock_.now(), .what = std::move(what), .text = std::move(text)};
}

// After a conflict the mail is read again, to say what it is now.
Result<Mail> Outbox::commit(const schedule::Transaction& transaction, Mail mail,
                            std::string_view cannot) {
    const auto committed = schedule_.commit(transaction);
    if (committed) return mail;
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    const auto now = TRY(require_mail(mail.id));
    return conflict(now, cannot);
}

Result<Mail> Outbox::cancel(const std::string& id) {
    auto mail = TRY(require_mail(id));
    TRY(require_no_guard(mail, Guard::Decision::cancel));
    return withdraw(std::move(mail), {});
}

Result<Mail> Outbox::withdraw(const std::string& id, const Together& also) {
    return withdraw(TRY(require_mail(id)), also);
}

Result<Mail> Outbox::withdraw(Mail mail, const Together& also) {
    static constexpr std::string_view cannot =
        "only one that is not being sent yet can be cancelled";
    if (!may_follow(mail.state, State::cancelled)) return conflict(mail, cannot);
    schedule::Transaction transaction;
    if (mail.job) schedule_.cancel(transaction, *mail.job);
    ledger_.log(transaction, mail, decision("cancel", "cancelled"));
    followers_.settle(transaction, mail, State::cancelled, {.reason = ""}, nullptr);
    if (also) TRY(also(transaction, mail));
    return commit(transaction, std::move(mail), cannot);
}

Result<> Outbox::require_no_guard(const Mail& mail, Guard::Decision decision) {
    if (guard_ == nullptr || !may_have_guard(mail)) return Ok{};
    const auto place = TRY(guard_->decided_at(mail, decision));
    if (!place) return Ok{};
    const std::string what = decision == Guard::Decision::cancel
                                 ? "it is cancelled"
                                 : "whether it is sent again is decided";
    return conflict(mail, what + " with " + *place);
}

Result<Mail> Outbox::send_again(const std::string& id, const Together& also, const Follow& follow) {
    auto mail = TRY(require_mail(id));
    if (!mail.held && !has_failed(mail)) return conflict(mail, "it needs no help");
    return send_again(std::move(mail), "to be sent again", also, follow);
}

Result<Mail> Outbox::retry(const std::string& id) {
    auto mail = TRY(require_mail(id));
    if (has_lost_callback(mail)) return call_back_again(std::move(mail));
    const bool is_calling =
        mail.state == State::calling_sent_callback || mail.state == State::calling_failed_callback;
    if (!is_calling) TRY(require_no_guard(mail, Guard::Decision::send_again));
    if (mail.held) return send_again(std::move(mail), "held: to be sent again");
    if (has_failed(mail)) return send_again(std::move(mail), "failed: to be sent again");
    if (mail.state == State::invalid) return take_in_again(std::move(mail));
    if (waits_after_failure(mail, clock_.now())) return hurry(std::move(mail));
    return conflict(mail, "it needs no help");
}

Result<> Outbox::keep_longer(schedule::Transaction& transaction, Mail& mail) {
    const auto expires = to_unix_seconds(clock_.now()) + options_.keep_for.count();
    if (mail.expires_seconds == 0 || mail.expires_seconds >= expires) return Ok{};
    TRY(keep_blobs(transaction, mail, expires));
    const auto extended = ledger_.extend(mail.id, expires);
    if (!extended && extended.error().code == Errc::conflict) {
        return conflict(mail, "it is being worked on");
    }
    if (!extended) return extended.error();
    mail.expires_seconds = expires;
    return Ok{};
}

void Outbox::drop_callback_job(schedule::Transaction& transaction, const Mail& mail) {
    const bool may_have_one = mail.state == State::failed || mail.state == State::invalid;
    if (!may_have_one || !mail.callback || !mail.job) return;
    if (mail.job->queue() == callback_queue) schedule_.cancel(transaction, *mail.job);
}

Result<Mail> Outbox::send_again(Mail mail, std::string_view text, const Together& also,
                                const Follow& follow) {
    const auto message = TRY(blobs_.read(mail.eml_path));
    if (!message) return conflict(mail, "its message is gone, so it cannot be sent again");
    auto recipients = mail.recipients;
    for (auto& recipient : recipients) {
        if (recipient.state == Recipient::State::delivered) continue;
        recipient.state = Recipient::State::waiting;
    }
    const auto now = clock_.now();
    schedule::Transaction transaction;
    TRY(keep_longer(transaction, mail));
    TRY(keep_steps(ledger_, transaction, mail, State::ready));
    drop_callback_job(transaction, mail);
    auto job = schedule_.add(
        transaction, {.queue = std::string(send_queue(mail.stream)), .key = mail.id, .due = now});
    ledger_.log(transaction, mail, decision("retry", std::string(text)));
    Change change{.reason = "",
                  .recipients = std::move(recipients),
                  .attempts = 0,
                  .first_due = now,
                  .held = false,
                  .job = std::move(job)};
    if (!mail.follow && !follow.queue.empty()) change.follow = follow;
    followers_.catch_up(transaction, mail, change);
    ledger_.step_back(transaction, mail, State::ready, change);
    if (also) TRY(also(transaction, mail));
    return commit(transaction, std::move(mail), "it cannot be sent again now");
}

Result<Mail> Outbox::take_in_again(Mail mail) {
    const auto now = clock_.now();
    schedule::Transaction transaction;
    TRY(keep_longer(transaction, mail));
    TRY(keep_steps(ledger_, transaction, mail, State::accepted));
    drop_callback_job(transaction, mail);
    auto job = schedule_.add(transaction,
                             {.queue = std::string(fetching_queue), .key = mail.id, .due = now});
    ledger_.log(transaction, mail, decision("retry", "invalid: to be taken in again"));
    Change change{.reason = "", .first_due = std::max(mail.first_due, now), .job = std::move(job)};
    followers_.catch_up(transaction, mail, change);
    ledger_.step_back(transaction, mail, State::accepted, change);
    return commit(transaction, std::move(mail), "it cannot be taken in again now");
}

Result<Mail> Outbox::call_back_again(Mail mail) {
    schedule::Transaction transaction;
    TRY(keep_longer(transaction, mail));
    auto job = schedule_.add(
        transaction, {.queue = std::string(callback_queue), .key = mail.id, .due = clock_.now()});
    ledger_.log(transaction, mail, decision("retry", "the callback is to be made again"));
    ledger_.change(transaction, mail, {.job = std::move(job)});
    return commit(transaction, std::move(mail), "its callback cannot be made now");
}

Result<Mail> Outbox::hurry(Mail mail) {
    schedule::Transaction transaction;
    TRY(keep_longer(transaction, mail));
    schedule_.cancel(transaction, *mail.job);
    auto job = schedule_.add(
        transaction,
        {.queue = std::string(mail.job->queue()), .key = mail.id, .due = clock_.now()});
    ledger_.log(transaction, mail, decision("retry", "to be tried again now"));
    ledger_.change(transaction, mail, {.job = std::move(job)});
    return commit(transaction, std::move(mail), "it is being worked on");
}

Result<Mail> Outbox::resolve_as_sent(const std::string& id) {
    static constexpr std::string_view cannot = "only one that is held can be resolved";
    auto mail = TRY(require_mail(id));
    if (!mail.held) return conflict(mail, cannot);
    auto recipients = mail.recipients;
    bool some_wait = false;
    for (auto& recipient : recipients) {
        if (recipient.state == Recipient::State::unknown) {
            recipient.state = Recipient::State::delivered;
        }
        some_wait = some_wait || recipient.state == Recipient::State::waiting;
    }
    schedule::Transaction transaction;
    TRY(keep_longer(transaction, mail));
    ledger_.log(transaction, mail, decision("resolve", "held: it has arrived"));
    Change change{.reason = "", .recipients = std::move(recipients), .held = false};
    if (some_wait) {
        change.job = schedule_.add(
            transaction,
            {.queue = std::string(send_queue(mail.stream)), .key = mail.id, .due = clock_.now()});
        change.first_due = clock_.now();
        ledger_.step_back(transaction, mail, State::ready, change);
    } else {
        followers_.settle(transaction, mail, State::sent, change, nullptr);
    }
    return commit(transaction, std::move(mail), cannot);
}

}  // namespace mailroom::outbox
