#include "people/change.h"

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

}  // namespace mailroom::people
