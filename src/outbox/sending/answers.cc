#include "outbox/sending/answers.h"

#include "base/log.h"
#include "outbox/sending/doubt.h"

#include <utility>

namespace mailroom::outbox {

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
bool Answers::leave(Passage& passage, std::size_t place) {
    if (!passage.job->is_surely_held()) return false;
    if (options_.slate == nullptr) return true;
    const auto slot = options_.slate->note(passage.job->lease(), place);
    if (!slot) return false;
    const std::lock_guard lock(slots_mutex_);
    passage.slots.push_back(*slot);
    return true;
}

void Answers::settled(Passage& passage) {
    for (const auto slot : std::exchange(passage.slots, {})) options_.slate->forget(slot);
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
