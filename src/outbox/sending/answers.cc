#include "outbox/sending/answers.h"

#include "base/log.h"
#include "outbox/sending/doubt.h"

#include <memory>
#include <optional>
#include <utility>

namespace mailroom::outbox {

namespace {

// None where nobody was asked. `delivery` is about those that were waiting.
std::vector<const smtp::Verdict*> verdicts_by_place(const Mail& mail,
                                                    const smtp::Delivery& delivery) {
    std::vector<const smtp::Verdict*> verdicts(mail.recipients.size());
    auto result = delivery.recipients.begin();
    for (std::size_t place = 0; place < verdicts.size(); ++place) {
        if (!is_waiting(mail.recipients[place])) continue;
        if (result == delivery.recipients.end()) break;
        verdicts[place] = &(result++)->verdict;
    }
    return verdicts;
}

}  // namespace

OffersIn offers_in(const SenderOptions& options) {
    return options.slate != nullptr && options.is_alone ? OffersIn::slate : OffersIn::marks;
}

Result<Committed> read_outcome(const table::Outcome<>& committed, const Mail& mail) {
    if (committed) return Committed::yes;
    const Error error = committed.error();
    if (error.code != Errc::conflict) return error;
    log_taken(mail);
    return Committed::too_late;
}

void log_taken(const Mail& mail) {
    log::info("a mail was taken or changed by somebody else", {{"mail", mail.id}});
}

Answers::Answers(Ledger& ledger, schedule::Schedule& schedule, const Clock& clock, Random& random,
                 const SenderOptions& options)
    : ledger_(ledger),
      schedule_(schedule),
      clock_(clock),
      options_(options),
      settlement_(ledger, schedule, clock, random, options.backoff),
      unsettled_(options.upkeep) {}

// Only who still has the job may let the mail leave, and only after it is written down that it may
// have left.
smtp::BeforeEnd Answers::before_end(const PassageInHand& passage) {
    return [this, passage](const std::vector<std::size_t>& sent, Allow answer) {
        const auto places = places_of(passage->mail, sent);
        if (offers_in(options_) == OffersIn::slate && mean(passage, places, answer)) return;
        mark(passage, places, std::move(answer));
    };
}

// False if the slate has no room.
bool Answers::mean(const PassageInHand& passage, const std::vector<std::size_t>& places,
                   Allow& answer) {
    auto& slate = *options_.slate;
    const auto slots = slate.mean(passage->job->lease(), places);
    if (!slots) return false;
    note(*passage, places, *slots);
    slate.make_durable(
        [&slate, passage, slots = *slots, answer = std::move(answer)](bool is_durable) {
            if (!is_durable) return answer(smtp::Leave());
            answer([&slate, passage, slots] {
                if (!passage->job->is_surely_held()) return false;
                slate.leave(slots);
                return true;
            });
        });
    return true;
}

void Answers::note(Passage& passage, const std::vector<std::size_t>& places,
                   const std::vector<Slate::Slot>& slots) const {
    const std::lock_guard lock(noted_mutex_);
    for (std::size_t i = 0; i < places.size(); ++i) {
        // Who comes again, to another server, was refused by the one before.
        for (const auto& [slot, place] : passage.noted) {
            if (place == places[i]) options_.slate->answer(slot, false, 0);
        }
        passage.noted.push_back({slots[i], places[i]});
    }
}

void Answers::mark(const PassageInHand& passage, const std::vector<std::size_t>& places,
                   Allow answer) {
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
}

// The end of a message that is marked is about to leave.
bool Answers::leave(Passage& passage, std::size_t place) {
    if (!passage.job->is_surely_held()) return false;
    // Where the slate tells, it had no room for this one: the mark is believed.
    if (options_.slate == nullptr || offers_in(options_) == OffersIn::slate) return true;
    const auto slot = options_.slate->note(passage.job->lease(), place);
    if (!slot) return false;
    const std::lock_guard lock(noted_mutex_);
    passage.noted.push_back({*slot, std::nullopt});
    return true;
}

// What the server said survives a kill from now on.
SettlingOrder::Ticket Answers::answered(const Passage& passage, const smtp::Delivery& delivery) {
    const auto ticket = order_.answered();
    const std::lock_guard lock(noted_mutex_);
    if (passage.noted.empty()) return ticket;
    const auto verdicts = verdicts_by_place(passage.mail, delivery);
    for (const auto& [slot, place] : passage.noted) {
        const auto* verdict = place ? verdicts[*place] : nullptr;
        if (verdict == nullptr || verdict->outcome == smtp::Outcome::unknown) continue;
        options_.slate->answer(slot, verdict->outcome == smtp::Outcome::accepted, verdict->code);
    }
    return ticket;
}

void Answers::settled(Passage& passage) {
    const std::lock_guard lock(noted_mutex_);
    for (const auto& noted : std::exchange(passage.noted, {})) options_.slate->forget(noted.slot);
}

void Answers::settle(const PassageInHand& passage, smtp::Delivery delivery) {
    passage->admission.reset();
    passage->place.reset();
    note_doubts(delivery, clock_.now(), passage->mail);
    auto outcome =
        outcome_of(passage->mail.recipients, delivery,
                   {.unknown = options_.unknown,
                    .too_old = clock_.now() >= passage->mail.first_due + options_.give_up_after,
                    .give_up_after = options_.give_up_after});
    if (!passage->refusal.empty()) outcome.reason = passage->refusal;
    const auto answer = std::make_shared<const Answer>(
        Answer{passage, std::move(delivery), std::move(outcome), passage->mail});
    passage->job->commit(settlement_.what_follows(*passage, answer->outcome, answer->delivery),
                         nullptr, [this, answer](const table::Outcome<>& committed) {
                             const auto written = read_outcome(committed, answer->before);
                             if (!written) return settle_later(*answer, written.error());
                             if (*written == Committed::too_late) return settle_too_late(*answer);
                             settled(*answer->passage);
                             tell(options_.sent, *answer, clock_.now());
                         });
}

void Answers::settle_later(const Answer& answer, const Error& why) {
    log::error("what became of a mail could not be written down yet",
               {{"mail", answer.before.id}, {"why", why.message}});
    unsettled_.add([this, answer] { return bool(write(answer)); });
}

Result<> Answers::write(const Answer& answer) {
    auto& passage = *answer.passage;
    passage.mail = answer.before;
    auto together = settlement_.what_follows(passage, answer.outcome, answer.delivery);
    const auto written = TRY(read_outcome(schedule_.commit(together), passage.mail));
    if (written == Committed::too_late) return write_too_late(answer);
    settled(passage);
    return Ok{};
}

void Answers::settle_too_late(const Answer& answer) {
    unsettled_.add([this, answer] { return bool(write_too_late(answer)); });
}

// While the store kept us from writing, another node may have found the mail without an answer,
// and held it. Here is the answer. If it is anything else by now, others have seen to it.
Result<> Answers::write_too_late(const Answer& answer) {
    auto found = TRY(ledger_.find(answer.before.id));
    const bool is_in_doubt = found && found->held && found->attempts == answer.before.attempts;
    if (is_in_doubt && answer.outcome.next != SendOutcome::Next::held) {
        schedule::Transaction together;
        settlement_.end_doubt(together, *found, answer.outcome, answer.delivery);
        TRY(read_outcome(schedule_.commit(together), *found));
    }
    settled(*answer.passage);
    return Ok{};
}

}  // namespace mailroom::outbox
