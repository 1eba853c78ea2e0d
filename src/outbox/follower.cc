#include "outbox/follower.h"

#include "base/log.h"
#include "outbox/blob_paths.h"
#include "outbox/compose.h"
#include "outbox/ledger_rows.h"
#include "outbox/outbox.h"
#include "outbox/shared_files.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {

namespace {

constexpr std::size_t look_page_mails = 100;
constexpr std::size_t obstacle_path_bytes_max = 1024;
// A time to keep its rows that is nearer than this is begun anew.
constexpr auto kept_least = std::chrono::hours(24 * 10);

bool waits(const Mail& mail) { return !may_expire(mail.state) && !mail.held; }

}  // namespace

Follower::Follower(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, const Clock& clock,
                   Random& random, FollowerOptions options)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      clock_(clock),
      random_(random),
      options_(options) {}

bool Follower::is_behind(const Mail& mail) const {
    if (mail.counted != index_name_of(mail)) return true;
    if (!mail.problem.empty() || !options_.sends) return false;
    if (mail.expires_too_early) return true;
    return waits(mail) && !mail.job &&
           (mail.obstacle.empty() || mail.obstacle != obstacle_for(mail));
}

// What cannot be reached for lack of a setting is left to whoever can: it must not fail for that.
std::string Follower::obstacle_for(const Mail& mail) const {
    if (!waits(mail) || options_.reads_shared) return "";
    for (const auto& path : {mail.payload_path, mail.eml_path}) {
        if (is_shared_path(path)) {
            return "left to others: " + storable(path, obstacle_path_bytes_max) +
                   " is a file of another program, and outbox.shared_directory is not set";
        }
    }
    return "";
}

Result<bool> Follower::follow(const std::string& id) {
    auto found = TRY(ledger_.find(id));
    if (!found || !is_behind(*found)) return false;
    return catch_up(*std::move(found));
}

Result<std::size_t> Follower::look(const std::function<bool()>& stopping) {
    std::size_t followed = 0;
    std::optional<table::Item> after;
    do {
        auto page = TRY(ledger_.all(look_page_mails, std::move(after)));
        for (auto& mail : page.mails) {
            if (stopping()) return followed;
            if (!is_behind(mail)) continue;
            const auto id = mail.id;
            const auto done = catch_up(std::move(mail));
            // One row that cannot be written must not hide the others.
            if (!done) {
                log::warn("a mail of another program cannot be taken up",
                          {{"mail", id}, {"reason", done.error().message}});
            } else if (*done) {
                ++followed;
            }
        }
        after = std::move(page.next);
    } while (after);
    return followed;
}

Result<bool> Follower::catch_up(Mail mail) {
    const auto now = clock_.now();
    // A row without a time is as old as our knowledge of it.
    if (mail.updated == Time()) mail.updated = mail.created = mail.first_due = now;
    schedule::Transaction together;
    Change change;
    if (mail.problem.empty() && options_.sends) {
        TRY(take_up(together, mail, change));
    } else if (!may_expire(mail.state)) {
        mail.expires_seconds = 0;  // That stays as it is.
    }
    ledger_.follow(together, mail, change);
    const auto committed = schedule_.commit(together);
    if (committed) {
        if (!mail.obstacle.empty()) {
            log::warn("a mail of another program is not sent",
                      {{"mail", mail.id}, {"reason", mail.obstacle}});
        }
        return true;
    }
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    return false;
}

Result<> Follower::take_up(schedule::Transaction& together, Mail& mail, Change& change) {
    const auto now = clock_.now();
    const auto kept_least_seconds = to_unix_seconds(now + kept_least);
    const bool is_kept = may_expire(mail.state) ? mail.expires_seconds != 0
                                                : mail.expires_seconds >= kept_least_seconds;
    if (!is_kept) mail.expires_seconds = to_unix_seconds(now) + options_.keep_for.count();
    if (!mail.is_followed && waits(mail)) change.first_due = std::max(mail.first_due, now);
    if (!mail.is_followed) mail.callback = options_.calls_back;

    if (mail.job && TRY(schedule_.has(*mail.job))) return Ok{};  // It will see to the mail.
    mail.obstacle = obstacle_for(mail);
    const auto job = mail.obstacle.empty() ? job_for(mail) : std::nullopt;
    if (!job) {
        // It is somebody else's to bring forward: when it expires is theirs to say.
        if (!may_expire(mail.state)) mail.expires_seconds = 0;
        if (mail.job) change.job = std::optional<schedule::Position>();
        return Ok{};
    }
    if (mail.recipients.empty()) TRY(read_envelope(together, mail, change));
    change.job = schedule_.add(together, *job);
    if (!mail.is_followed) {
        ledger_.log(together, mail,
                    {.at = now, .what = "taken up", .text = "another program wrote the mail"});
    }
    return Ok{};
}

std::optional<schedule::NewJob> Follower::job_for(const Mail& mail) const {
    const auto now = clock_.now();
    const auto in = [&](std::string_view queue, Time due) {
        return schedule::NewJob{
            .queue = std::string(queue), .key = mail.id, .due = std::max(due, now)};
    };
    const auto abandoned = mail.updated + options_.abandoned_after;
    switch (mail.state) {
        case State::accepted:
            return in(intake_queue, now);
        case State::intaking:
            return in(intake_queue, abandoned);
        case State::ready:
            return in(send_queue(mail.stream), mail.first_due);
        case State::processing:
            // The sender itself waits until the other program has given it up.
            return mail.held ? std::nullopt : std::optional(in(send_queue(mail.stream), now));
        case State::sent:
        case State::failed:
            if (!mail.callback || mail.updated + options_.told_within < now) return std::nullopt;
            return in(callback_queue, now);
        case State::calling_sent_callback:
        case State::calling_failed_callback:
            if (!mail.callback || mail.updated + options_.told_within < now) return std::nullopt;
            return in(callback_queue, abandoned);
        default:
            return std::nullopt;
    }
}

// Of a message that another program made: to whom it goes, and a Message-ID, which those of the
// seed
// lack.
Result<> Follower::read_envelope(schedule::Transaction& together, const Mail& mail,
                                 Change& change) {
    if (mail.state != State::ready && mail.state != State::processing) return Ok{};
    if (mail.eml_path.empty()) return Ok{};
    auto read = blobs_.read(mail.eml_path);
    if (!read || !*read) return Ok{};  // The sender finds out, and says so.
    RawMail raw;
    raw.message = **std::move(read);
    auto composed = adopt(std::move(raw), clock_, random_);
    if (!composed) return Ok{};
    change.sender = std::move(composed->sender);
    change.recipients.emplace();
    for (auto& address : composed->recipients) {
        change.recipients->push_back({.address = std::move(address)});
    }
    change.message_id = std::move(composed->message_id);
    // Whoever is sending it now has the message as it was.
    if (mail.state == State::processing) return Ok{};
    auto path = eml_path_of(mail.id, mail.created);
    TRY(blobs_.add(together, path, composed->message, from_unix_ms(mail.expires_seconds * 1000)));
    change.eml_path = std::move(path);
    return Ok{};
}

}  // namespace mailroom::outbox
