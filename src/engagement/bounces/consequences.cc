#include "engagement/bounces/consequences.h"

#include "engagement/events/account.h"
#include "engagement/numbers/counts.h"

#include <string>

namespace mailroom::engagement::bounces {

namespace {

// What the mail is known by among those to one person.
const std::string& name_of_mail(const Happening& happening) {
    if (!happening.mail_id.empty()) return happening.mail_id;
    return happening.message_id.empty() ? happening.id : happening.message_id;
}

}  // namespace

Result<> Consequences::add_to(schedule::Transaction& transaction, const Event& event) {
    const auto& happening = event.happening;
    if (happening.type == EventType::delivery) return follow_delivery(transaction, event);
    if (happening.type == EventType::complaint) {
        return kind_of(happening) == count::not_spam ? take_back(transaction, event)
                                                     : suppress(transaction, event);
    }
    if (happening.type != EventType::bounce || !happening.bounce) return Ok{};
    switch (happening.bounce->severity) {
        case Severity::hard:
            return suppress(transaction, event);
        case Severity::soft:
            return follow_soft(transaction, event);
        case Severity::policy:
        case Severity::authentication:
            if (event.mail != nullptr) {
                faults_.add_to(transaction, event.mail->stream, name_of_mail(happening), happening);
            }
            return Ok{};
        case Severity::unclear:
            return Ok{};
    }
    return Ok{};
}

Result<> Consequences::follow_delivery(schedule::Transaction& transaction, const Event& event) {
    if (!streaks_.may_have(event.email)) return Ok{};
    auto streak = TRY(streaks_.find(event.email));
    if (streak.version == 0) return Ok{};
    streak.note(name_of_mail(event.happening), Streak::Fate::delivered);
    streaks_.save(transaction, event.email, streak);
    return Ok{};
}

Result<> Consequences::follow_soft(schedule::Transaction& transaction, const Event& event) {
    auto streak = TRY(streaks_.find(event.email));
    streak.note(name_of_mail(event.happening), Streak::Fate::turned_away);
    if (!streak.is_full()) {
        streaks_.save(transaction, event.email, streak);
        return Ok{};
    }
    // Whoever lifts it gives them as many mails again.
    streaks_.forget(transaction, event.email, streak);
    return suppress(transaction, event);
}

Result<> Consequences::suppress(schedule::Transaction& transaction, const Event& event) const {
    const auto& happening = event.happening;
    people::Change change;
    change.suppressed = true;
    change.reason = happening.type == EventType::complaint ? "complaint" : "bounce";
    change.evidence.source = change.reason;
    if (happening.bounce) {
        if (happening.type == EventType::bounce) change.bounce_type = happening.bounce->type;
        change.notification_id = happening.bounce->notification_id;
        change.evidence.wording = happening.bounce->diagnostic;
    }
    const auto before = TRY(people_.find(event.email));
    return people_.add_to(transaction, event.email, before, change);
}

// Only what a complaint did: a bounce, or a person's own wish, stays.
Result<> Consequences::take_back(schedule::Transaction& transaction, const Event& event) const {
    const auto before = TRY(people_.find(event.email));
    if (!before || !before->suppressed) return Ok{};
    const auto& books = people_.books();
    const auto row = TRY(books.get(books.tables.audience, people::suppression_key(event.email)));
    if (!row || row->text("reason") != "complaint") return Ok{};
    people::Change change;
    change.suppressed = false;
    change.reason = std::string(not_spam_feedback);
    change.evidence.source = change.reason;
    return people_.add_to(transaction, event.email, before, change);
}

}  // namespace mailroom::engagement::bounces
