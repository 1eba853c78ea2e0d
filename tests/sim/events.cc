#include "sim/events.h"

#include <algorithm>
#include <utility>

namespace mailroom::sim {

void Events::at(Time time, std::function<void()> event) {
    waiting_.emplace(std::max(time, now()), std::move(event));
}

std::optional<Time> Events::next() const {
    if (waiting_.empty()) return std::nullopt;
    return waiting_.begin()->first;
}

bool Events::run_next(Time latest) {
    if (waiting_.empty() || waiting_.begin()->first > latest) {
        clock.set(std::max(now(), latest));
        return false;
    }
    auto first = waiting_.extract(waiting_.begin());
    clock.set(std::max(now(), first.key()));
    ++count_;
    first.mapped()();
    return true;
}

void Events::note(std::string_view text) {
    ++count_;
    trace_ += std::to_string(since_start().count());
    trace_ += ' ';
    trace_ += text;
    trace_ += '\n';
}

}  // namespace mailroom::sim
