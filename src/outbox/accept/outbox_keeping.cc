// Keeping what waits.
#include "base/log.h"
#include "base/time_format.h"
#include "outbox/accept/outbox.h"
#include "outbox/mail/ledger_rows.h"

namespace mailroom::outbox {

namespace {

constexpr std::string_view kept_mark = "Kept";  // When it was last seen to, Unix seconds.
constexpr std::size_t page_mails = 100;
// Before their time is over, what waits is given a new one.
constexpr std::int64_t ahead_seconds = 10 * 24 * 3600;
// As long as that, nothing can be over that was seen to.
constexpr std::int64_t overdue_seconds = ahead_seconds / 2;

// One that was given up and that nobody took up again since.
bool lacks_callback(const Mail& mail) {
    return !mail.job && mail.state != State::sent_acknowledged &&
           mail.state != State::failed_acknowledged;
}

// Nobody can be told of a mail that is gone, and nobody need be of one that was told after all.
Result<> forget_callbacks(Ledger& ledger, schedule::Schedule& schedule,
                          const std::function<bool()>& stopping) {
    std::optional<std::string> after;
    do {
        auto page = TRY(schedule.dead(callback_queue, page_mails, after));
        for (const auto& job : page.jobs) {
            if (stopping()) return Ok{};
            const auto mail = TRY(ledger.find(job.key));
            if (mail && lacks_callback(*mail)) continue;
            const auto discarded = schedule.discard(callback_queue, job.place);
            if (!discarded && discarded.error().code != Errc::not_found) return discarded.error();
        }
        after = std::move(page.next);
    } while (after);
    return Ok{};
}

}  // namespace

Result<bool> Outbox::is_keeping_overdue() {
    const auto mark = TRY(ledger_.mark(kept_mark));
    const auto last = mark ? parse_rfc3339(*mark) : Error{Errc::not_found, ""};
    return !last || to_unix_seconds(clock_.now()) - to_unix_seconds(*last) >= overdue_seconds;
}

Result<std::size_t> Outbox::keep_what_waits(const std::function<bool()>& stopping) {
    const auto begun = clock_.now();
    std::size_t kept = 0;
    for (const auto state : all_states) {
        if (may_expire(state)) continue;
        std::optional<std::string> after;
        do {
            auto page = TRY(ledger_.list({.state = state}, page_mails, after));
            for (auto& mail : page.mails) {
                if (stopping()) return kept;
                kept += TRY(keep_if_near(mail)) ? 1 : 0;
            }
            after = std::move(page.next);
        } while (after);
    }
    TRY(forget_callbacks(ledger_, schedule_, stopping));
    schedule::Transaction together;
    ledger_.set_mark(together, kept_mark, format_rfc3339_seconds(begun));
    TRY(schedule_.commit(together));
    return kept;
}

Result<bool> Outbox::keep_if_near(Mail& mail) {
    const auto now = to_unix_seconds(clock_.now());
    const bool is_near = mail.expires_seconds != 0 && mail.expires_seconds < now + ahead_seconds;
    if (may_expire(mail.state) || !is_near) return false;
    schedule::Transaction together;
    const auto expires = now + options_.keep_for.count();
    TRY(keep_blobs(together, mail, expires));
    const auto extended = ledger_.keep_until(together, mail, expires);
    if (!extended && extended.error().code == Errc::conflict) return false;
    if (!extended) return extended.error();
    const auto committed = schedule_.commit(together);
    if (committed) return true;
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    return false;  // It moved; the next time, if it waits still.
}

// The blobs are written again, because their time is written with them.
Result<> Outbox::keep_blobs(schedule::Transaction& transaction, const Mail& mail,
                            std::int64_t expires) {
    for (const auto& path : {mail.payload_path, mail.eml_path}) {
        if (path.empty() || path.starts_with('/')) continue;  // Another program's.
        const auto blob = TRY(blobs_.read(path));
        if (blob) TRY(blobs_.add(transaction, path, *blob, from_unix_ms(expires * 1000)));
    }
    return Ok{};
}

}  // namespace mailroom::outbox
