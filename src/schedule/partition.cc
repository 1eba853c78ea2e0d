#include "schedule/partition.h"

#include <algorithm>
#include <utility>

namespace mailroom::schedule {

void Partition::expect(std::string_view place, Time now) {
    const auto due = due_of(place);
    if (place < from_) from_ = place;
    if (!told_ || place < *told_) told_ = place;
    next_ = std::min(next_, due);
    if (due <= now) {
        told_to_ = std::max(told_to_, due);
    } else {
        later_ = std::min(later_, due);
    }
}

void Partition::seen(std::string_view place, Time now) {
    // With nothing due that was not seen, the next look need not step over the row.
    if (next_ > now && !failed_ && from_ <= place) from_ = just_after(std::string(place));
}

void Partition::start_over() {
    from_ = first_place;
    told_ = first_place;
    next_ = Time::min();
}

Partition::Look Partition::begin(Time now) {
    told_.reset();
    next_ = Time::max();
    // The clock went back: what was due when it was told is later now.
    if (told_to_ > now) later_known_ = false;
    told_to_ = Time::min();
    return {from_, now};
}

void Partition::seen_before(std::string place) {
    from_ = std::move(place);
    if (told_ && *told_ < from_) from_ = *told_;
}

void Partition::end_with_more(std::string_view last) {
    failed_ = false;
    seen_before(just_after(std::string(last)));
    next_ = std::min(next_, due_of(last));
}

bool Partition::end_with_all(const Look& look, std::optional<std::string_view> last, bool sole) {
    failed_ = false;
    if (sole) {
        seen_before(std::max(look.from, end_of(look.now)));
    } else if (last) {
        seen_before(just_after(std::string(*last)));
    }
    if (later_known_ && later_ > look.now) {
        next_ = std::min(next_, later_);
        return true;
    }
    // From here on later_ gathers what is told while the query goes on.
    later_ = Time::max();
    later_known_ = false;
    return false;
}

void Partition::end_at(std::optional<Time> first_later) {
    later_ = std::min(later_, first_later.value_or(Time::max()));
    later_known_ = true;
    next_ = std::min(next_, later_);
}

void Partition::end_with_failure(Time retry) {
    next_ = std::min(next_, retry);
    later_known_ = false;
    failed_ = true;
}

}  // namespace mailroom::schedule
