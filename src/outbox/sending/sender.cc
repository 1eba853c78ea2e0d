#include "outbox/sending/sender.h"

#include "base/log.h"
#include "mime/build/seven_bit.h"
#include "outbox/accept/outbox.h"
#include "outbox/others/adoption.h"
#include "outbox/sending/answers.h"
#include "outbox/sending/doubt.h"
#include "outbox/sending/gate.h"
#include "outbox/sending/passage.h"
#include "outbox/transports/envelope.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {
namespace {

// Of a job's data: a turn was set aside for the mail; another program had the mail when the job was
// due.
constexpr std::string_view reserved_name = "Reserved";
constexpr std::string_view watched_name = "Watched";

}  // namespace

class Sender::Impl {
public:
    Impl(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
         people::Permission& permission, Rates& rates, const Signatures& signatures,
         const Clock& clock, Random& random, SenderOptions options, SenderCrew crew)
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
          adoption_(ledger, blobs, clock, random),
          gate_(options.connections, options.on_their_way_max, clock, crew_.post, options.upkeep),
          answers_(ledger, schedule, clock, random, options_) {}

    void guard_with(Guard& guard) { guard_ = &guard; }
    // What could not be done now is left: the job is found again.
    void run(const schedule::JobInHand& job);
    void offer(std::shared_ptr<Departure> departure);
    void look() {
        gate_.send_away_late();
        answers_.try_again();
    }

private:
    Result<> run(const schedule::JobInHand& job, std::unique_ptr<Place> place);
    Result<Committed> commit(schedule::Transaction& transaction, const Mail& mail);
    Result<> finish(schedule::Job& job);
    Result<> resume(const schedule::JobInHand& job, Mail mail);
    Result<> adopt(const schedule::JobInHand& job, Mail mail);
    Result<> start_over(schedule::Job& job, Mail mail);
    Time start_over_at(std::int64_t interruptions);
    Result<> start(const schedule::JobInHand& job, Mail mail, std::unique_ptr<Place> place);
    std::optional<Pause> pause_of(const Mail& mail) const {
        return options_.pauses ? options_.pauses->covering(mail) : std::nullopt;
    }
    Result<> ask_permission(Passage& passage);
    void rest_on_permission(schedule::Transaction& together, Passage& passage);
    void refuse(Passage& passage, const people::Refusals& refusals) const;
    void send_permitted(const PassageInHand& passage, std::string message);
    Result<> find_refused(Passage& passage);
    Result<> come_too_late(const PassageInHand& passage);
    Result<> ask_guard(Passage& passage);
    Result<std::optional<Time>> not_before(const Passage& passage);
    bool depart(const std::shared_ptr<Departure>& departure, std::unique_ptr<Place> place);
    Result<bool> board(Passage& passage, Departure& departure);
    Result<> put_off(schedule::Job& job, Mail mail, Time until, table::Item data);
    Result<std::string> message_of(Passage& passage);
    Result<> hand_over(const PassageInHand& passage, std::string message);
    void send(const PassageInHand& passage, std::string message);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    Transport& transport_;
    people::Permission& permission_;
    Rates& rates_;
    const Signatures& signatures_;
    const Clock& clock_;
    Random& random_;
    const SenderOptions options_;
    const SenderCrew crew_;
    Guard* guard_ = nullptr;
    const Adoption adoption_;
    Gate gate_;
    Answers answers_;
};

Result<Committed> Sender::Impl::commit(schedule::Transaction& transaction, const Mail& mail) {
    return read_outcome(schedule_.commit(transaction), mail);
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
            if (lacks_envelope(*found)) return adopt(job, *std::move(found));
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
    if (lacks_envelope(mail)) return adopt(job, std::move(mail));
    auto doubts = doubts_about(*job, options_.slate, mail);
    if (!doubts) return start_over(*job, std::move(mail));
    answers_.settle(std::make_shared<Passage>(Passage{job, std::move(mail)}), *std::move(doubts));
    return Ok{};
}

// Another program made its message, which has to be read before anything else.
Result<> Sender::Impl::adopt(const schedule::JobInHand& job, Mail mail) {
    auto step = adoption_.next(*job, mail);
    if (!step.refusal.empty()) {
        const auto passage = std::make_shared<Passage>(Passage{job, std::move(mail)});
        passage->refusal = std::move(step.refusal);
        return hand_over(passage, "");
    }
    TRY(commit(step.together, mail));
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
    const auto& addresses = passage->addresses;
    if (addresses.empty()) return hand_over(passage, "");
    if (const auto later = TRY(not_before(*passage))) {
        return put_off(*job, std::move(passage->mail), *later, job->data());
    }

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
            if (committed) return send_permitted(passage, std::move(departure->message));
            // Whoever was the reason is known when the mail is offered again.
            const auto looked = permission_.refusals(passage->mail.kind(), passage->addresses);
            if (!looked) log_failure(passage->mail.id, looked.error());
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
    if (passage.recipients_changed || passage.addresses.empty()) return false;
    if (transport_.busy_until(passage.addresses)) return false;
    auto domains = domains_of(passage.addresses);
    if (!rates_.enter_at_once(domains)) return false;
    passage.admission = std::make_unique<Admission>(rates_, std::move(domains));
    departure.message =
        TRY(signatures_.sign(mime::to_seven_bit(std::move(departure.message)), clock_.now()));
    passage.job = crew_.hold(departure.together, {.queue = std::string(send_queue(mail.stream)),
                                                  .key = mail.id,
                                                  .due = mail.first_due,
                                                  .data = claim_data(0, offers_in(options_))});
    if (!passage.job) return false;
    mail.state = State::processing;
    mail.attempts = 1;
    mail.job = passage.job->position();
    departure.write_rows(departure, mail);
    rest_on_permission(departure.together, passage);
    return true;
}

// Those that are refused have failed, though nobody was asked outside.
void Sender::Impl::refuse(Passage& passage, const people::Refusals& refusals) const {
    if (refusals.empty()) return;
    for (auto& recipient : passage.mail.recipients) {
        const auto why = refusals.find(recipient.address);
        if (!is_waiting(recipient) || why == refusals.end()) continue;
        passage.fail(recipient, why->second);
        recipient.refuser = Recipient::Refuser::permission;
    }
    passage.addresses = waiting_addresses(passage.mail);
}

Result<> Sender::Impl::ask_permission(Passage& passage) {
    passage.addresses = waiting_addresses(passage.mail);
    refuse(passage, TRY(permission_.known_refusals(passage.mail.kind(), passage.addresses)));
    return Ok{};
}

// The last that is added to the transaction without which the mail does not leave.
void Sender::Impl::rest_on_permission(schedule::Transaction& together, Passage& passage) {
    passage.sure = permission_.require(together, passage.mail.kind(), passage.addresses);
}

// It is durable that the mail is on its way: whoever was suppressed before that does not get it.
void Sender::Impl::send_permitted(const PassageInHand& passage, std::string message) {
    if (passage->sure == people::Sure::by_another_look) {
        const auto found = find_refused(*passage);
        if (!found) {
            log_failure(passage->mail.id, found.error());
            return answers_.settle(
                passage, same_answer(passage->mail.recipients,
                                     {.text = "nobody was asked: " + found.error().message}));
        }
    }
    send(passage, std::move(message));
}

Result<> Sender::Impl::find_refused(Passage& passage) {
    refuse(passage, TRY(permission_.refusals(passage.mail.kind(), passage.addresses)));
    return Ok{};
}

// Was it for the addresses, they are known now, and the mail can go to the others.
Result<> Sender::Impl::come_too_late(const PassageInHand& passage) {
    const auto refusals = TRY(permission_.refusals(passage->mail.kind(), passage->addresses));
    if (!refusals.empty()) {
        passage->admission.reset();
        return run(passage->job, std::move(passage->place));
    }
    log_taken(passage->mail);
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

Result<std::optional<Time>> Sender::Impl::not_before(const Passage& passage) {
    if (!passage.leaving) return std::optional<Time>();
    const auto time = TRY(guard_->not_before(passage.mail));
    return time && *time > clock_.now() ? time : std::nullopt;
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
    passage->job->claim(together, claim_data(interruptions_of(*passage->job), offers_in(options_)));
    Change change{.reason = "", .attempts = mail.attempts + 1};
    if (passage->recipients_changed) change.recipients = mail.recipients;
    ledger_.move(together, mail, State::processing, change);
    rest_on_permission(together, *passage);
    passage->job->commit(std::move(together), [this, passage, message = std::move(message)](
                                                  const table::Outcome<>& committed) mutable {
        if (committed) return send_permitted(passage, std::move(message));
        const Error error = committed.error();
        const auto done = error.code == Errc::conflict ? come_too_late(passage) : error;
        if (!done) log_failure(passage->mail.id, done.error());
    });
    return Ok{};
}

void Sender::Impl::send(const PassageInHand& passage, std::string message) {
    const auto& mail = passage->mail;
    if (passage->addresses.empty()) return answers_.settle(passage, {});
    passage->place->sent();
    const bool utf8_header = has_utf8_header(message);
    transport_.send({.id = mail.id,
                     .sender = mail.sender,
                     .recipients = std::move(passage->addresses),
                     .message = std::move(message),
                     .utf8_header = utf8_header,
                     .before_end = answers_.before_end(passage),
                     .ask_ahead = offers_in(options_) == OffersIn::slate},
                    [this, passage](smtp::Delivery delivery) {
                        const auto ticket = answers_.answered(*passage, delivery);
                        auto write = [this, passage, ticket,
                                      delivery = std::move(delivery)]() mutable {
                            answers_.settle(passage, std::move(delivery));
                            answers_.written(ticket);
                        };
                        crew_.post(std::move(write));
                    });
}

Sender::Sender(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
               people::Permission& permission, Rates& rates, const Signatures& signatures,
               const Clock& clock, Random& random, SenderOptions options, SenderCrew crew)
    : impl_(std::make_unique<Impl>(ledger, blobs, schedule, transport, permission, rates,
                                   signatures, clock, random, options, std::move(crew))) {}

Sender::~Sender() = default;

void Sender::guard_with(Guard& guard) { impl_->guard_with(guard); }

void Sender::run(schedule::JobInHand job) { impl_->run(job); }

void Sender::look() { impl_->look(); }

void Sender::offer(std::shared_ptr<Departure> departure) { impl_->offer(std::move(departure)); }

}  // namespace mailroom::outbox
