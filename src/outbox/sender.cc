#include "outbox/sender.h"

#include "base/log.h"
#include "mime/domain.h"
#include "outbox/gate.h"
#include "outbox/outbox.h"
#include "outbox/passage.h"
#include "outbox/unsettled.h"

#include <algorithm>
#include <set>
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

// Before a mail comes again that nobody was asked about: long enough not to spin while the
// transport is too busy.
constexpr auto untried_pause = std::chrono::seconds(1);

constexpr std::string_view interrupted_text =
    "the server stopped while the mail was being handed over; it may have arrived";
constexpr std::string_view abandoned_text =
    "another program began to send the mail and never said what became of it; it may have arrived";

std::vector<std::string> waiting_addresses(const Mail& mail) {
    std::vector<std::string> addresses;
    for (const auto& recipient : mail.recipients) {
        if (is_waiting(recipient)) addresses.push_back(recipient.address);
    }
    return addresses;
}

// Each once.
std::vector<std::string> domains_of(const std::vector<std::string>& addresses) {
    std::set<std::string> domains;
    for (const auto& address : addresses) {
        const auto domain = address.substr(std::min(address.rfind('@'), address.size() - 1) + 1);
        domains.insert(mime::domain_to_ascii(domain).value_or(domain));
    }
    return {domains.begin(), domains.end()};
}

bool has_utf8_header(std::string_view message) {
    const auto header = message.substr(0, message.find("\r\n\r\n"));
    return std::ranges::any_of(header,
                               [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

void log_failure(std::string_view mail, const Error& why) {
    log::error("a mail could not be sent now; it will be tried again",
               {{"mail", mail}, {"why", why.message}});
}

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
          gate_(options.connections, options.on_their_way_max, clock, crew_.post) {}

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
    Result<> start(const schedule::JobInHand& job, Mail mail, std::unique_ptr<Place> place);
    Result<> ask_permission(Passage& passage);
    bool depart(const std::shared_ptr<Departure>& departure, std::unique_ptr<Place> place);
    Result<bool> board(Passage& passage, Departure& departure);
    Result<> put_off(schedule::Job& job, Mail mail, Time until, table::Item data);
    Result<std::string> message_of(Passage& passage);
    Result<> hand_over(const PassageInHand& passage, std::string message);
    void send(const PassageInHand& passage, std::string message);

    void settle(const PassageInHand& passage, smtp::Delivery delivery);
    void settle_later(const Answer& answer, const Error& why);
    Result<> write(const Answer& answer);
    schedule::Transaction what_follows(Passage& passage, const SendOutcome& outcome,
                                       const smtp::Delivery& delivery);
    void write_held(schedule::Transaction& together, Passage& passage, const SendOutcome& outcome);
    void write_again(schedule::Transaction& together, Passage& passage, const SendOutcome& outcome);
    void write_end(schedule::Transaction& together, Passage& passage, const SendOutcome& outcome,
                   const smtp::Delivery& delivery);

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

// Somebody was handing it over. Nobody knows how far they came.
Result<> Sender::Impl::resume(const schedule::JobInHand& job, Mail mail) {
    if (!job->interrupted() && !job->data().boolean(watched_name).value_or(false)) {
        const auto until = clock_.now() + options_.abandoned_after;
        return put_off(*job, std::move(mail), until, {{watched_name, true}});
    }
    if (transport_.is_repeatable()) return start_over(*job, std::move(mail));

    const smtp::Verdict unknown{
        .outcome = smtp::Outcome::unknown,
        .stage = smtp::Stage::message,
        .text = std::string(job->interrupted() ? interrupted_text : abandoned_text)};
    auto delivery = same_answer(mail.recipients, unknown);
    settle(std::make_shared<Passage>(Passage{job, std::move(mail)}), std::move(delivery));
    return Ok{};
}

Result<> Sender::Impl::start_over(schedule::Job& job, Mail mail) {
    schedule::Transaction together;
    const auto position = job.move(
        together, {.queue = std::string(job.queue()), .key = mail.id, .due = clock_.now()});
    ledger_.step_back(together, mail, State::ready, {.reason = "", .job = position});
    TRY(commit(together, mail));
    return Ok{};
}

Result<> Sender::Impl::start(const schedule::JobInHand& job, Mail mail,
                             std::unique_ptr<Place> place) {
    const auto passage = std::make_shared<Passage>(Passage{job, std::move(mail), std::move(place)});
    TRY(ask_permission(*passage));
    const auto addresses = waiting_addresses(passage->mail);
    if (addresses.empty()) return hand_over(passage, "");

    auto domains = domains_of(addresses);
    const bool reserved = job->data().boolean(reserved_name).value_or(false);
    if (const auto turn = rates_.enter(domains, reserved)) {
        return put_off(*job, std::move(passage->mail), *turn, {{reserved_name, true}});
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
    TRY(ask_permission(passage));
    if (passage.recipients_changed) return false;
    auto domains = domains_of(waiting_addresses(mail));
    if (!rates_.enter_at_once(domains)) return false;
    passage.admission = std::make_unique<Admission>(rates_, std::move(domains));
    departure.message = TRY(signatures_.sign(std::move(departure.message), clock_.now()));
    passage.job = crew_.hold(
        departure.together,
        {.queue = std::string(send_queue(mail.stream)), .key = mail.id, .due = mail.first_due});
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
    auto ready = signatures_.sign(*std::move(message), clock_.now());
    if (!ready && ready.error().code == Errc::invalid) {
        return passage.fail_all("the message cannot be signed: " + ready.error().message);
    }
    return ready;
}

Result<> Sender::Impl::hand_over(const PassageInHand& passage, std::string message) {
    auto& mail = passage->mail;
    schedule::Transaction together;
    passage->job->claim(together);
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
                     .utf8_header = utf8_header},
                    [this, passage](smtp::Delivery delivery) {
                        crew_.post([this, passage, delivery = std::move(delivery)]() mutable {
                            settle(passage, std::move(delivery));
                        });
                    });
}

void Sender::Impl::settle(const PassageInHand& passage, smtp::Delivery delivery) {
    passage->admission.reset();
    passage->place.reset();
    auto outcome =
        outcome_of(passage->mail.recipients, delivery,
                   {.unknown = options_.unknown,
                    .too_old = clock_.now() >= passage->mail.first_due + options_.give_up_after,
                    .give_up_after = options_.give_up_after});
    const auto answer = std::make_shared<const Answer>(
        Answer{passage, std::move(delivery), std::move(outcome), passage->mail});
    passage->job->commit(what_follows(*passage, answer->outcome, answer->delivery), nullptr,
                         [this, answer](const table::Outcome<>& committed) {
                             const auto written = read_outcome(committed, answer->before);
                             if (!written) settle_later(*answer, written.error());
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
    auto together = what_follows(passage, answer.outcome, answer.delivery);
    TRY(commit(together, passage.mail));
    return Ok{};
}

// All that follows from an answer, in one transaction.
schedule::Transaction Sender::Impl::what_follows(Passage& passage, const SendOutcome& outcome,
                                                 const smtp::Delivery& delivery) {
    schedule::Transaction together;
    switch (outcome.next) {
        case SendOutcome::Next::held:
            write_held(together, passage, outcome);
            break;
        case SendOutcome::Next::again:
            write_again(together, passage, outcome);
            break;
        case SendOutcome::Next::sent:
        case SendOutcome::Next::failed:
            write_end(together, passage, outcome, delivery);
            break;
    }
    // A step has the answer in its own row; what leaves none is in the log.
    const bool is_logged = outcome.next == SendOutcome::Next::held ||
                           (outcome.next == SendOutcome::Next::again && outcome.was_tried);
    if (is_logged) {
        ledger_.log(together, passage.mail,
                    {.at = clock_.now(),
                     .what = outcome.next == SendOutcome::Next::held ? "hold" : "attempt",
                     .text = outcome.text,
                     .code = outcome.code,
                     .peer = delivery.peer,
                     .transcript = delivery.transcript});
    }
    return together;
}

void Sender::Impl::write_held(schedule::Transaction& together, Passage& passage,
                              const SendOutcome& outcome) {
    passage.job->finish(together);
    ledger_.change(together, passage.mail,
                   {.reason = outcome.reason,
                    .recipients = outcome.recipients,
                    .held = true,
                    .job = std::optional<schedule::Position>()});
}

void Sender::Impl::write_again(schedule::Transaction& together, Passage& passage,
                               const SendOutcome& outcome) {
    const auto attempts = std::max<std::int64_t>(passage.mail.attempts, 1);
    const std::chrono::milliseconds pause =
        outcome.was_tried ? options_.backoff.pause(attempts, random_) : untried_pause;
    const auto position = passage.job->move(together, {.queue = std::string(passage.job->queue()),
                                                       .key = passage.mail.id,
                                                       .due = clock_.now() + pause});
    ledger_.step_back(together, passage.mail, State::ready,
                      {.reason = "",
                       .recipients = outcome.recipients,
                       .attempts = outcome.was_tried ? attempts : attempts - 1,
                       .job = position});
}

void Sender::Impl::write_end(schedule::Transaction& together, Passage& passage,
                             const SendOutcome& outcome, const smtp::Delivery& delivery) {
    std::optional<schedule::Position> next;
    if (passage.mail.callback) {
        next = passage.job->move(
            together,
            {.queue = std::string(callback_queue), .key = passage.mail.id, .due = clock_.now()});
    } else {
        passage.job->finish(together);
    }
    const bool sent = outcome.next == SendOutcome::Next::sent;
    ledger_.move(together, passage.mail, sent ? State::sent : State::failed,
                 {.reason = outcome.reason,
                  .recipients = outcome.recipients,
                  .job = next,
                  .peer = delivery.peer,
                  .tls = delivery.tls,
                  .transcript = delivery.transcript});
}

Sender::Sender(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
               Permission& permission, Rates& rates, const Signatures& signatures,
               const Clock& clock, Random& random, SenderOptions options, SenderCrew crew)
    : impl_(std::make_unique<Impl>(ledger, blobs, schedule, transport, permission, rates,
                                   signatures, clock, random, options, std::move(crew))) {}

Sender::~Sender() = default;

void Sender::run(schedule::JobInHand job) { impl_->run(job); }

void Sender::offer(std::shared_ptr<Departure> departure) { impl_->offer(std::move(departure)); }

}  // namespace mailroom::outbox
