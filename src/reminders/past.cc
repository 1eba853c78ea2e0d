#include "reminders/past.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::reminders {

namespace {

// The newest of `past` for which `wanted` holds.
template <class Wanted>
const PastReminder* newest_where(const std::vector<PastReminder>& past, Wanted wanted) {
    const PastReminder* found = nullptr;
    for (const auto& reminder : past) {
        if (!is_counted(reminder.fate) || !wanted(reminder)) continue;
        if (found == nullptr || reminder.at >= found->at) found = &reminder;
    }
    return found;
}

}  // namespace

bool is_counted(Fate fate) { return fate != Fate::failed && fate != Fate::bounced; }

int Policy::longest_window_days() const {
    return std::ranges::max(rules, {}, &TypeRule::window_days).window_days;
}

void Past::begin(ReminderType type, Time at, std::string draft_id) {
    forget(draft_id);
    reminders.push_back({type, at, std::move(draft_id), cycle, Fate::in_flight});
}

bool Past::settle(std::string_view draft_id, Fate fate, Time at) {
    const auto found = std::ranges::find(reminders, draft_id, &PastReminder::draft_id);
    if (found == reminders.end()) return false;
    found->fate = fate;
    found->at = at;
    return true;
}

void Past::forget(std::string_view draft_id) {
    std::erase_if(reminders,
                  [&](const PastReminder& reminder) { return reminder.draft_id == draft_id; });
}

// A cycle without reminders ends, too: others may have written to the customer.
void Past::close_cycle(Time now) {
    ++cycle;
    before_since = since;
    since = now;
}

void Past::reopen_cycle(Time closed) {
    const bool has_begun = std::ranges::any_of(
        reminders, [this](const PastReminder& reminder) { return reminder.cycle == cycle; });
    if (since != closed || has_begun || cycle <= 1) return;
    --cycle;
    since = before_since;
    before_since.reset();
}

std::int64_t Past::cycle_at(Time sent) const {
    auto begun = since;
    // A row from before the time was kept: the newest of earlier cycles tells.
    for (const auto& reminder : reminders) {
        if (since || reminder.cycle >= cycle) continue;
        if (!begun || reminder.at > *begun) begun = reminder.at;
    }
    return begun && sent <= *begun ? cycle - 1 : cycle;
}

void Past::prune(const Policy& policy, Time now) {
    const auto needed_since = now - std::chrono::days(policy.longest_window_days());
    std::array<int, all_types.size()> kept{};
    std::vector<PastReminder> rest;
    for (auto reminder = reminders.rbegin(); reminder != reminders.rend(); ++reminder) {
        const bool is_recent = reminder->at > needed_since || reminder->fate == Fate::in_flight;
        const bool is_of_cycle = reminder->cycle == cycle && is_counted(reminder->fate) &&
                                 kept[index_of(reminder->type)] < finals_per_cycle_limit;
        if (!is_recent && !is_of_cycle) continue;
        if (is_counted(reminder->fate)) ++kept[index_of(reminder->type)];
        rest.push_back(std::move(*reminder));
    }
    std::ranges::reverse(rest);
    reminders = std::move(rest);
}

const PastReminder* Past::find(std::string_view draft_id) const {
    const auto found = std::ranges::find(reminders, draft_id, &PastReminder::draft_id);
    return found == reminders.end() ? nullptr : &*found;
}

const PastReminder* Past::newest(ReminderType type) const {
    return newest_where(reminders,
                        [&](const PastReminder& reminder) { return reminder.type == type; });
}

const PastReminder* Past::newest_of_cycle(ReminderType type) const {
    return newest_where(reminders, [&](const PastReminder& reminder) {
        return reminder.type == type && reminder.cycle == cycle;
    });
}

int Past::count_of_cycle(ReminderType type) const {
    return static_cast<int>(std::ranges::count_if(reminders, [&](const PastReminder& reminder) {
        return reminder.type == type && reminder.cycle == cycle && is_counted(reminder.fate);
    }));
}

}  // namespace mailroom::reminders
