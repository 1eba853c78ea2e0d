#include "outbox/sender.h"

#include "base/log.h"
#include "mime/build/seven_bit.h"
#include "outbox/doubt.h"
#include "outbox/envelope.h"
#include "outbox/gate.h"
#include "outbox/outbox.h"
#include "outbox/passage.h"
#include "outbox/settlement.h"
#include "outbox/settling_order.h"
#include "outbox/unsettled.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace mailroom::outbox {
namespace {

// Of a job's data: a turn was set aside for the mail; another program had the mail when the job was
// due.
constexpr std::string_view reserved_name = "Reserved";
constexpr std::string_view watched_name = "Watched";

// What a mail that leaves at once passes on its way.
constexpr State states_of_departure[] = {State::accepted, State::intaking, State::ready,
                                         State::processing};

}  // namespace

class Sender::Impl {
public:
    Impl(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
         Permission& permission, Rates& rates, const Signatures& signatures, const Clock& clock,
         Random& random, SenderOptions options, SenderCrew crew)
        : ledger_(ledger),
          blobs_(blobs),
          schedule_(schedule),
          transport_(transport),
          permission_(permission),
          rates_(rates),
          signatures_(signatures),
          clock_(clock),
          random_(random),
          options_(options),
          crew_(std::move(crew)),
          settlement_(ledger, clock, random, options_.backoff),
          gate_(options.connections, options.on_their_way_max, clock, crew_.post) {}

    void guard_with(Guard& guard) { guard_ = &guard; }
    // What could not be done now is left: the job is found again.
    void run(const schedule::JobInHand& job);
    void offer(std::shared_ptr<Departure> departure);

private:
    enum class Committed { yes, too_late };

    Result<> run(const schedule::JobInHand& job, std::unique_ptr<Place> place);
    Result<Committed> commit(schedule::Transaction& transaction, const Mail& mail);
    static Result<Committed> read_outcome(const table::Outcome<>& committed, const Mail& mail);
    Result<> finish(schedule::Job& job);
    Result<> resume(const schedule::JobInHand& job, Mail mail);
    Result<> start_over(schedule::Job& job, Mail mail);
    Time start_over_at(std::int64_t interruptions);
    Result<> start(const schedule::JobInHand& job, Mail mail, std::unique_ptr<Place> place);
    std::optional<Pause> pause_of(const Mail& mail) const {
        return options_.pauses ? options_.pauses->covering(mail) : std::nullopt;
    }
    Result<> ask_permission(Passage& passage);
    Result<> ask_guard(Passage& passage);
    bool depart(const std::shared_ptr<Departure>& departure, std::unique_ptr<Place> place);
    Result<bool> board(Passage& passage, Departure& departure);
    Result<> put_off(schedule::Job& job, Mail mail, Time until, table::Item data);
    Result<std::string> message_of(Passage& passage);
    Result<> hand_over(const PassageInHand& passage, std::string message);
    void send(const PassageInHand& passage, std::string message);
    smtp::BeforeEnd before_end(const PassageInHand& passage);
    bool leave(Passage& passage, std::size_t place);

    void settle(const PassageInHand& passage, smtp::Delivery delivery);
    void settle_later(const Answer& answer, const Error& why);
    Result<> write(const Answer& answer);
    // What became of it is durable, or somebody else's.
    void settled(Passage& passage);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    Transport& transport_;
    Permission& permission_;
    Rates& rates_;
    const Signatures& signatures_;
    const Clock& clock_;
    Random& random_;
    const SenderOptions options_;
    const SenderCrew crew_;
    Guard* guard_ = nullptr;
    const Settlement settlement_;
    SettlingOrder order_;
    std::mutex slots_mutex_;  // Of all passages: each adds a few.
    Gate gate_;
    Unsettled unsettled_;  // Last: its thread uses the others.
};

Result<Sender::Impl::Committed> Sender::Impl::commit(schedule::Transaction& transaction,
                                                     const Mail& mail) {
    return read_outcome(schedule_.commit(transaction), mail);
}

Result<Sender::Impl::Committed> Sender::Impl::read_outcome(const table::Outcome<>& committed,
                                                           const Mail& mail) {
    if (committed) return Committed::yes;
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    // Somebody else has the job, or moved the mail: whatever it is, it is not ours any more.
    log::info("a mail was taken or changed by somebody else", {{"mail", mail.id}});
    return Committed::too_late;
}

void Sender::Impl::run(const schedule::JobInHand& job) {
    gate_.enter([this, job](std::unique_ptr<Place> place) {
        const auto done = run(job, std::move(place));
        if (!done) log_failure(job->key(), done.error());
    });
}

Result<> Sender::Impl::run(const schedule::JobInHand& job, std::unique_ptr<Place> place) {
    auto found = TRY(ledger_.find(std::string(job->key())));
    if (!found || found->held) return finish(*job);
    switch (found->state) {
        case State::ready:
            return start(job, *std::move(found), std::move(place));
        case State::processing:
            return resume(job, *std::move(found));
        default:
            return finish(*job);
    }
}

// The mail needs nothing any more: it was cancelled, say.
Result<> Sender::Impl::finish(schedule::Job& job) {
    schedule::Transaction together;
    job.finish(together);
    const auto finished = schedule_.commit(together);
    if (!finished && Error(finished.error()).code != Errc::conflict) return finished.error();
    return Ok{};
}

// Somebody was handing it over. The marks of the job tell how far they may have come.
Result<> Sender::Impl::resume(const schedule::JobInHand& job, Mail mail) {
    if (!job->interrupted() && !job->data().boolean(watched_name).value_or(false)) {
        const auto until = clock_.now() + options_.abandoned_after;
        return put_off(*job, std::move(mail), until, {{watched_name, true}});
    }
    if (transport_.is_repeatable()) return start_over(*job, std::move(mail));

    auto doubts = doubts_about(*job, options_.slate, mail);
    if (!doubts) return start_over(*job, std::move(mail));
    settle(std::make_shared<Passage>(Passage{job, std::move(mail)}), *std::move(doubts));
    return Ok{};
}

// At once; but one that is interrupted again and again may be the reason for it.
Time Sender::Impl::start_over_at(std::int64_t interruptions) {
    const auto now = clock_.now();
    if (interruptions <= 1) return now;
    return now + options_.backoff.pause(interruptions - 1, random_);
}

Result<> Sender::Impl::start_over(schedule::Job& job, Mail mail) {
    const auto interruptions = interruptions_of(job) + 1;
    schedule::Transaction together;
    const auto position = job.move(together, {.queue = std::string(job.queue()),
                                              .key = mail.id,
                                              .due = start_over_at(interruptions),
                                              .data = interrupted_data(interruptions)});
    ledger_.log(together, mail,
                {.at = clock_.now(), .what = "interrupted", .text = std::string(not_offered_text)});
    // Nobody was asked, so it was no attempt.
    ledger_.step_back(
        together, mail, State::ready,
        {.reason = "", .attempts = std::max<std::int64_t>(mail.attempts - 1, 0), .job = position});
    TRY(commit(together, mail));
    return Ok{};
}

Result<> Sender::Impl::start(const schedule::JobInHand& job, Mail mail,
                             std::unique_ptr<Place> place) {
    if (const auto pause = pause_of(mail)) {
        auto together = wait_for_end(*pause, *job, mail, ledger_, clock_.now());
        TRY(commit(together, mail));
        return Ok{};
    }
    const auto passage = std::make_shared<Passage>(Passage{job, std::move(mail), std::move(place)});
    TRY(ask_permission(*passage));
    TRY(ask_guard(*passage));
    const auto addresses = waiting_addresses(passage->mail);
    if (addresses.empty()) return hand_over(passage, "");

    const auto busy = transport_.busy_until(addresses);
    if (busy) return put_off(*job, std::move(passage->mail), *busy, job->data());
    auto domains = domains_of(addresses);
    const bool reserved = job->data().boolean(reserved_name).value_or(false);
    if (const auto turn = rates_.enter(domains, reserved)) {
        auto data = interrupted_data(interruptions_of(*job));
        data.set(reserved_name, true);
        return put_off(*job, std::move(passage->mail), *turn, std::move(data));
    }
    passage->admission = std::make_unique<Admission>(rates_, std::move(domains));
    auto message = TRY(message_of(*passage));
    return hand_over(passage, std::move(message));
}

void Sender::Impl::offer(std::shared_ptr<Departure> departure) {
    gate_.enter_soon([this, departure = std::move(departure)](std::unique_ptr<Place> place) {
        if (!place || !depart(departure, std::move(place))) departure->stays(*departure);
    });
}

// False if it must be queued: whatever is in its way, those who run jobs deal with it.
bool Sender::Impl::depart(const std::shared_ptr<Departure>& departure,
                          std::unique_ptr<Place> place) {
    const auto passage = std::make_shared<Passage>(
        Passage{.job = nullptr, .mail = departure->mail, .place = std::move(place)});
    const auto boarded = board(*passage, *departure);
    if (!boarded || !*boarded) return false;
    passage->job->commit(
        std::move(departure->together),
        [this, passage, departure](const table::Outcome<>& committed) {
            if (committed) send(passage, std::move(departure->message));
        },
        [departure](const table::Outcome<>& committed) {
            departure->leaves(*departure, committed);
        });
    return true;
}

Result<bool> Sender::Impl::board(Passage& passage, Departure& departure) {
    auto& mail = passage.mail;
    if (pause_of(mail)) return false;
    TRY(ask_permission(passage));
    if (passage.recipients_changed) return false;
    const auto addresses = waiting_addresses(mail);
    if (transport_.busy_until(addresses)) return false;
    auto domains = domains_of(addresses);
    if (!rates_.enter_at_once(domains)) return false;
    passage.admission = std::make_unique<Admission>(rates_, std::move(domains));
    departure.message =
        TRY(signatures_.sign(mime::to_seven_bit(std::move(departure.message)), clock_.now()));
    passage.job = crew_.hold(departure.together, {.queue = std::string(send_queue(mail.stream)),
                                                  .key = mail.id,
                                                  .due = mail.first_due,
                                                  .data = claim_data(0)});
    if (!passage.job) return false;
    mail.state = State::processing;
    mail.attempts = 1;
    mail.job = passage.job->position();
    ledger_.insert(departure.together, mail, states_of_departure);
    if (departure.has_new_id) departure.together.puts_are_new();
    if (departure.also) departure.also(departure.together, mail);
    return true;
}

// Those that are refused have failed, though nobody was asked outside.
Result<> Sender::Impl::ask_permission(Passage& passage) {
    for (auto& recipient : passage.mail.recipients) {
        if (!is_waiting(recipient)) continue;
        auto refusal = TRY(permission_.refusal(passage.mail.stream, recipient.address));
        if (refusal) passage.fail(recipient, *refusal);
    }
    return Ok{};
}

// Mails that leave as they are accepted have none: those are added by nobody's decision.
Result<> Sender::Impl::ask_guard(Passage& passage) {
    if (guard_ == nullptr || !may_have_guard(passage.mail)) return Ok{};
    passage.leaving = std::make_unique<schedule::Transaction>();
    const auto refusal = TRY(guard_->refusal(passage.mail, *passage.leaving));
    if (refusal) passage.fail_all(*refusal);
    return Ok{};
}

Result<> Sender::Impl::put_off(schedule::Job& job, Mail mail, Time until, table::Item data) {
    schedule::Transaction together;
    const auto position = job.move(
        together,
        {.queue = std::string(job.queue()), .key = mail.id, .due = until, .data = std::move(data)});
    ledger_.change(together, mail, {.job = position});
    TRY(commit(together, mail));
    return Ok{};
}

// Signed. What can never be sent makes the recipients fail, and is then empty.
Result<std::string> Sender::Impl::message_of(Passage& passage) {
    auto message = TRY(blobs_.read(passage.mail.eml_path));
    if (!message) return passage.fail_all("the message is gone");
    auto ready = signatures_.sign(mime::to_seven_bit(*std::move(message)), clock_.now());
    if (!ready && ready.error().code == Errc::invalid) {
        return passage.fail_all("the message cannot be signed: " + ready.error().message);
    }
    return ready;
}

Result<> Sender::Impl::hand_over(const PassageInHand& passage, std::string message) {
    auto& mail = passage->mail;
    schedule::Transaction together;
    if (passage->leaving) together = std::move(*passage->leaving);
    passage->job->claim(together, claim_data(interruptions_of(*passage->job)));
    Change change{.reason = "", .attempts = mail.attempts + 1};
    if (passage->recipients_changed) change.recipients = mail.recipients;
    ledger_.move(together, mail, State::processing, change);
    passage->job->commit(std::move(together), [this, passage, message = std::move(message)](
                                                  const table::Outcome<>& committed) mutable {
        const auto ours = read_outcome(committed, passage->mail);
        if (!ours) return log_failure(passage->mail.id, ours.error());
        if (*ours == Committed::yes) send(passage, std::move(message));
    });
    return Ok{};
}

void Sender::Impl::send(const PassageInHand& passage, std::string message) {
    const auto& mail = passage->mail;
    auto addresses = waiting_addresses(mail);
    if (addresses.empty()) return settle(passage, {});
    passage->place->sent();
    const bool utf8_header = has_utf8_header(message);
    transport_.send({.id = mail.id,
                     .sender = mail.sender,
                     .recipients = std::move(addresses),
                     .message = std::move(message),
                     .utf8_header = utf8_header,
                     .before_end = before_end(passage)},
                    [this, passage](smtp::Delivery delivery) {
                        const auto ticket = order_.answered();
                        auto write = [this, passage, ticket,
                                      delivery = std::move(delivery)]() mutable {
                            settle(passage, std::move(delivery));
                            order_.written(ticket);
                        };
                        crew_.post(std::move(write));
                    });
}

// Only who still has the job may let the mail leave, and only after it is written down that it may
// have left.
smtp::BeforeEnd Sender::Impl::before_end(const PassageInHand& passage) {
    return [this, passage](const std::vector<std::size_t>& sent,
                           std::function<void(smtp::Leave)> answer) {
        const auto places = places_of(passage->mail, sent);
        auto mark = [this, passage, text = mark_of({clock_.now(), places}), first = places.front(),
                     answer = std::move(answer)]() mutable {
            passage->job->mark(std::move(text), [this, passage, first, answer = std::move(answer)](
                                                    const table::Outcome<>& marked) {
                const auto ours = read_outcome(marked, passage->mail);
                if (!ours) log_failure(passage->mail.id, ours.error());
                const bool may_leave = ours && *ours == Committed::yes;
                answer(may_leave ? [this, passage, first] { return leave(*passage, first); }
                                 : smtp::Leave());
            });
        };
        order_.mark(std::move(mark));
    };
}

// The end of the message is about to leave.
bool Sender::Impl::leave(Passage& passage, std::size_t place) {
    if (!passage.job->is_surely_held()) return false;
    if (options_.slate == nullptr) return true;
    const auto slot = options_.slate->note(passage.job->lease(), place);
    if (!slot) return false;
    const std::lock_guard lock(slots_mutex_);
    passage.slots.push_back(*slot);
    return true;
}

void Sender::Impl::settled(Passage& passage) {
    for (const auto slot : std::exchange(passage.slots, {})) options_.slate->forget(slot);
}

void Sender::Impl::settle(const PassageInHand& passage, smtp::Delivery delivery) {
    passage->admission.reset();
    passage->place.reset();
    note_doubts(delivery, clock_.now(), passage->mail);
    auto outcome =
        outcome_of(passage->mail.recipients, delivery,
                   {.unknown = options_.unknown,
                    .too_old = clock_.now() >= passage->mail.first_due + options_.give_up_after,
                    .give_up_after = options_.give_up_after});
    const auto answer = std::make_shared<const Answer>(
        Answer{passage, std::move(delivery), std::move(outcome), passage->mail});
    passage->job->commit(settlement_.what_follows(*passage, answer->outcome, answer->delivery),
                         nullptr, [this, answer](const table::Outcome<>& committed) {
                             const auto written = read_outcome(committed, answer->before);
                             if (!written) return settle_later(*answer, written.error());
                             settled(*answer->passage);
                             if (*written == Committed::yes)
                                 tell(options_.sent, *answer, clock_.now());
                         });
}

void Sender::Impl::settle_later(const Answer& answer, const Error& why) {
    log::error("what became of a mail could not be written down yet",
               {{"mail", answer.before.id}, {"why", why.message}});
    unsettled_.add([this, answer] { return bool(write(answer)); });
}

Result<> Sender::Impl::write(const Answer& answer) {
    auto& passage = *answer.passage;
    passage.mail = answer.before;
    auto together = settlement_.what_follows(passage, answer.outcome, answer.delivery);
    TRY(commit(together, passage.mail));
    settled(passage);
    return Ok{};
}

Sender::Sender(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
               Permission& permission, Rates& rates, const Signatures& signatures,
               const Clock& clock, Random& random, SenderOptions options, SenderCrew crew)
    : impl_(std::make_unique<Impl>(ledger, blobs, schedule, transport, permission, rates,
                                   signatures, clock, random, options, std::move(crew))) {}

Sender::~Sender() = default;

void Sender::guard_with(Guard& guard) { impl_->guard_with(guard); }

void Sender::run(schedule::JobInHand job) { impl_->run(job); }

void Sender::offer(std::shared_ptr<Departure> departure) { impl_->offer(std::move(departure)); }

}  // namespace mailroom::outbox
