// The one door through which all mail leaves.
//
//   const auto accepted = TRY(outbox.accept(request, payload_json));
//   … outbox.history(accepted.id) …
//
// Programs that send as part of a decision of their own put the mail into their transaction:
//
//   schedule::Transaction together;
//   together.update("EmailTrackingTable", draft).set("status", "approved").when("status", "draft");
//   const auto id = TRY(outbox.add_to(together, request, SendKey{"reminder:42:1"},
//                                     {.queue = "reminders.sent", .key = "42"}));
//   TRY(schedule.commit(together));
// and hear by a job of their own queue what became of it (followers.h).
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/result.h"
#include "liquid/time_zone.h"
#include "net/guard.h"
#include "outbox/accept/compose.h"
#include "outbox/accept/departures.h"
#include "outbox/accept/request.h"
#include "outbox/blobs/blobs.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/guard.h"
#include "schedule/schedule.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::outbox {

// The queues of schedule/.
inline constexpr std::string_view fetching_queue = "outbox.intake";
std::string_view send_queue(Stream stream);  // "outbox.send.transactional", "outbox.send.bulk"

// One send key, one mail: a second one with the same key is the same mail.
struct SendKey {
    std::string text;
};
// The id of the mail with this key: always the same.
std::string mail_id_for(const SendKey& key);

struct OutboxOptions {
    std::chrono::seconds keep_for =
        std::chrono::hours(24 * 30);  // Rows and blobs, after they are due; longer while they wait.
    // Mails that wait; further ones are turned away until some have left.
    std::int64_t waiting_max = 5'000'000;
    std::string callback_url = {};  // For mails that name none; empty: no callback.
};

struct Accepted {
    std::string id;
    State state;
    bool is_new = true;  // False: the same mail was accepted before.
};

// Why a mail was not accepted.
struct Refusal {
    enum class Kind {
        bad_field,  // `field` says which.
        duplicate,  // There is another mail with that id.
        full,       // Too many wait: again later.
        // It may be there already, or what the caller writes with it is not to be: accept() waits
        // and finds out.
        condition,
        storage,  // The store could not take it.
    };
    Kind kind;
    std::string field;    // Empty but for bad_field.
    std::string message;  // Completes "FIELD …" if there is one; else a sentence.
    operator Error() const;
};

// Thread-safe.
class Outbox {
public:
    // All must outlive this object.
    Outbox(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, const Clock& clock,
           Random& random, OutboxOptions options);

    // Mails that are due at once may leave through these, from now on: before the first accept().
    void leave_through(Departures& departures) { departures_ = &departures; }
    // Whoever wants a mail of the guard's sent again is told where that is decided, from now on.
    void guard_with(Guard& guard) { guard_ = &guard; }

    // Mails that have an Engagement are made to fit by it, from now on: before the first accept().
    void tailor_with(Tailor& tailor) { tailor_ = &tailor; }

    // Callbacks that `guard` refuses at sight are refused from now on: before the first accept().
    // It must outlive this object.
    void guard_callbacks_by(const net::Guard& guard) { callback_guard_ = &guard; }

    // Durable when it returns. A mail that needs nothing from outside is made ready at once, in the
    // same transaction; another waits for fetching. The same id with the same payload is the same
    // mail; with another one it is a `duplicate`, and the first stays as it is. `payload` is the
    // request's JSON text, as it came.
    Result<Accepted, Refusal> accept(const Request& request, std::string_view payload);
    // The same without waiting for the disk: `done` is told once, from any thread, when it is
    // durable or refused; it must be quick and must not ask the store. The mail may be PROCESSING
    // then; while more mails come than leave, that takes a moment longer. A mail whose id is there
    // is refused as `condition`. `also` adds what the caller writes with the mail, in one
    // transaction.
    using AcceptDone = std::function<void(Result<Accepted, Refusal>)>;
    using Also = std::function<void(schedule::Transaction&, const Mail&)>;
    void accept(const Request& request, std::string_view payload, AcceptDone done, Also also = {});
    // Whether that does not wait for anything else either, for a request or message of that size.
    bool accepts_quickly(std::size_t bytes) const {
        return blobs_.adds_quickly(bytes + grown_bytes_max);
    }
    // Each by itself, in fewer commits. One result for each, in order.
    struct Item {
        Request request;
        std::string payload;
    };
    std::vector<Result<Accepted, Refusal>> accept_all(const std::vector<Item>& items);
    // A finished message. Its payload says so: {"raw":true,"sender":…,"recipients":[…],"sha256":…},
    // the last of the message as it was given.
    Result<Accepted, Refusal> accept_raw(RawMail mail, std::optional<std::string> id,
                                         Stream stream);
    // The same without waiting, as above, with a new id.
    void accept_raw(RawMail mail, Stream stream, AcceptDone done, Also also = {});

    // Adds the mail to the caller's transaction, and returns its id. If a mail with that key exists
    // already, the commit is refused as `conflict`. The request's own id is not looked at.
    Result<std::string, Refusal> add_to(schedule::Transaction& transaction, const Request& request,
                                        const SendKey& key, const Follow& follow = {});

    // Before it is being sent. `not_found`; `conflict`, saying in which state it is, and for a mail
    // whose guard decides elsewhere.
    Result<Mail> cancel(const std::string& id);
    // The same for the guard itself, in one transaction with what `also` adds: `conflict`, too, if
    // anything of that is refused; nothing is done if `also` fails.
    using Together = std::function<Result<>(schedule::Transaction&, const Mail&)>;
    Result<Mail> withdraw(const std::string& id, const Together& also = {});
    // Goes on with a mail that stopped: held, FAILED, INVALID, or with a callback that was given
    // up. One that waits for its next attempt, or for that of its callback, gets it now.
    // `not_found`; `conflict` for a mail that needs no help. Nothing is sent to recipients that
    // have it. The mail is kept as long as if it were new. `conflict` also for a mail whose guard
    // decides elsewhere.
    Result<Mail> retry(const std::string& id);
    // For the guard itself: a held or failed mail is sent again in one transaction with what `also`
    // adds. `conflict` if it is neither, or if anything of the transaction is refused. Whoever
    // followed the mail goes on; if nobody did, `follow` does from now on.
    Result<Mail> send_again(const std::string& id, const Together& also, const Follow& follow = {});
    // A held mail that did arrive, as a person found out: it becomes SENT, or READY if there are
    // recipients to whom it was not handed over yet. `not_found`; `conflict` if it is not held.
    Result<Mail> resolve_as_sent(const std::string& id);

    Result<std::optional<History>> history(const std::string& id) { return ledger_.history(id); }
    Result<std::optional<std::string>> payload(const Mail& mail);
    Result<std::optional<std::string>> message(const Mail& mail);  // The .eml.

    // What waits does not expire, however long it waits: whatever of it would within ten days is
    // kept as long as if it were new. To be called every day; before anything can expire if
    // is_keeping_overdue(), because the server was off for days. How many mails were kept longer.
    Result<std::size_t> keep_what_waits(const std::function<bool()>& stopping);
    Result<bool> is_keeping_overdue();

    struct Stats {
        Counts counts;
        // By state that is not settled: when the one longest in it came into it.
        std::vector<std::pair<State, Time>> oldest;
    };
    Result<Stats> stats();

private:
    // By which a message is larger than its request: header fields, encoding.
    static constexpr std::size_t grown_bytes_max = 64 * 1024;

    // A mail that is about to be accepted.
    struct NewMail {
        Mail mail;
        std::string message;  // Empty: fetching will make it.
        std::string payload;
    };
    NewMail begin(std::string id, Stream stream, std::string_view payload, Time now,
                  std::optional<Time> send_at) const;
    Result<Ok, Refusal> check_callback(const Request& request) const;
    Result<NewMail, Refusal> prepare(const Request& request, std::string id,
                                     std::string_view payload);
    void write_rows(Departure& departure, Mail& mail, std::span<const State> entered);
    Result<NewMail, Refusal> prepare_raw(RawMail mail, std::string id, Stream stream);
    static void set_envelope(Mail& mail, Composed& composed);
    static void make_ready(NewMail& made, Composed composed);
    Result<> add(schedule::Transaction& transaction, NewMail& made);
    Result<> add_blobs(schedule::Transaction& transaction, const NewMail& made);
    std::span<const State> add_job(schedule::Transaction& transaction, Mail& mail);
    void offer(NewMail& made, bool has_new_id, const AcceptDone& done, Also also);
    bool may_leave_at_once(const Mail& mail) const;
    void queue(Departure& departure, AcceptDone done);
    void answer(Accepted accepted, const table::Outcome<>& committed, const AcceptDone& done);
    Result<Accepted, Refusal> store(NewMail& made);
    Refusal storage_refusal(const Error& error);
    // What to answer about a mail that is there already; none if it is not.
    std::optional<Result<Accepted, Refusal>> answer_existing(const std::string& id,
                                                             std::string_view payload);
    class Batch;
    bool is_full();

    Result<Mail> require_mail(const std::string& id);
    Result<Mail> commit(const schedule::Transaction& transaction, Mail mail,
                        std::string_view cannot);
    Error conflict(const Mail& mail, std::string_view cannot);
    LogEntry decision(std::string what, std::string text) const;
    Result<> require_no_guard(const Mail& mail, Guard::Decision decision);
    Result<Mail> withdraw(Mail mail, const Together& also);
    Result<Mail> send_again(Mail mail, std::string_view text, const Together& also = {},
                            const Follow& follow = {});
    Result<Mail> take_in_again(Mail mail);
    Result<Mail> call_back_again(Mail mail);
    Result<Mail> hurry(Mail mail);
    // From now on as long as a new one.
    Result<> keep_longer(schedule::Transaction& transaction, Mail& mail);
    Result<> keep_blobs(schedule::Transaction& transaction, const Mail& mail, std::int64_t expires);
    Result<bool> keep_if_near(Mail& mail);
    void drop_callback_job(schedule::Transaction& transaction, const Mail& mail);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const Followers followers_;
    const OutboxOptions options_;
    Departures* departures_ = nullptr;
    Guard* guard_ = nullptr;
    Tailor* tailor_ = nullptr;
    const net::Guard* callback_guard_ = nullptr;
    const liquid::TimeZones time_zones_;
    TemplateCache templates_;
    // How many wait: counted about once a second, and counted up in between.
    std::atomic<std::int64_t> waiting_{0};
    std::atomic<std::int64_t> count_again_ms_{INT64_MIN};
    log::RateLimit storage_failures_{std::chrono::seconds(1)};
};

}  // namespace mailroom::outbox
