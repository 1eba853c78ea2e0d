#include "outbox/others/follower.h"

#include "base/log.h"
#include "outbox/accept/outbox.h"
#include "outbox/blobs/shared_files.h"
#include "outbox/mail/ledger_rows.h"
#include "outbox/others/adoption.h"

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
      followers_(ledger, schedule, clock),
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
    followers_.catch_up(together, mail, change);
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
    const bool has_message = mail.state == State::ready || mail.state == State::processing;
    if (has_message && lacks_envelope(mail)) {
        const auto read = read_envelope(blobs_, together, mail, clock_, random_, change);
        if (!read) {
            // Whoever runs its job reads again, and says what became of it.
            log::warn("the message of another program cannot be read",
                      {{"mail", mail.id}, {"reason", read.error().message}});
        }
    }
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
            return in(fetching_queue, now);
        case State::intaking:
            return in(fetching_queue, abandoned);
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

}  // namespace mailroom::outbox
