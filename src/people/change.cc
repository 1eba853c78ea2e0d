#include "people/change.h"

#include <algorithm>

namespace mailroom::people {

namespace {

bool describes(const Change& change) {
    return change.email || change.first_name || !change.attributes.empty() ||
           !change.dropped_attributes.empty() || change.tags || !change.topics.empty() ||
           change.may_track || change.zone || change.language || !change.source.empty();
}

}  // namespace

bool Change::touches_profile() const {
    return !refuses_transactional || describes(*this) || unsubscribed || suppressed;
}

bool Change::only_refuses() const {
    return !describes(*this) && unsubscribed.value_or(true) && suppressed.value_or(true) &&
           refuses_transactional.value_or(true) &&
           (unsubscribed || suppressed || refuses_transactional);
}

bool Change::only_says_no() const {
    auto rest = *this;
    rest.topics.clear();
    const bool are_noes = std::ranges::all_of(
        topics, [](const auto& topic) { return topic.second == TopicState::out; });
    if (!are_noes || describes(rest)) return false;
    return rest.only_refuses() ||
           (!topics.empty() && !unsubscribed && !suppressed && !refuses_transactional);
}

}  // namespace mailroom::people
