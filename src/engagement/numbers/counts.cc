#include "engagement/numbers/counts.h"

namespace mailroom::engagement {

std::string_view kind_of(const Happening& happening) {
    switch (happening.type) {
        case EventType::sent:
            return count::sent;
        case EventType::delivery:
            return count::delivery;
        case EventType::open:
            return happening.is_machine ? count::machine_open : count::open;
        case EventType::click:
            return happening.is_machine ? count::machine_click : count::click;
        case EventType::bounce:
            return count::bounce;
        case EventType::complaint:
            return happening.feedback_type == not_spam_feedback ? count::not_spam
                                                                : count::complaint;
        case EventType::reply:
            return count::reply;
        case EventType::unsubscribe:
            return count::unsubscribe;
        case EventType::skipped:
            return count::skipped;
    }
    return count::sent;
}

std::vector<std::string_view> counts_of(const Happening& happening, bool is_unique) {
    const auto kind = kind_of(happening);
    std::vector<std::string_view> all = {kind};
    if (is_unique && kind == count::open) all.push_back(count::unique_open);
    if (is_unique && kind == count::click) all.push_back(count::unique_click);
    if (kind == count::bounce && happening.bounce) {
        using bounces::Severity;
        const auto severity = happening.bounce->severity;
        if (severity == Severity::hard) all.push_back(count::hard_bounce);
        if (severity == Severity::soft) all.push_back(count::soft_bounce);
    }
    return all;
}

}  // namespace mailroom::engagement
