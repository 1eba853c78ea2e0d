#include "table/engine/listeners.h"

#include <algorithm>
#include <mutex>

namespace mailroom::table {

void Listeners::add(std::string table, ChangeListener& listener) {
    const std::lock_guard lock(mutex_);
    all_.emplace_back(std::move(table), &listener);
    count_ = all_.size();
}

void Listeners::remove(const ChangeListener& listener) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](const auto& one) { return one.second == &listener; });
    count_ = all_.size();
}

bool Listeners::has(std::string_view table) const {
    if (count_ == 0) return false;
    const std::shared_lock lock(mutex_);
    return std::ranges::any_of(all_, [&](const auto& one) { return one.first == table; });
}

void Listeners::tell(const std::vector<HeardChange>& changes) const {
    if (changes.empty()) return;
    const std::shared_lock lock(mutex_);
    for (const auto& change : changes) {
        for (const auto& [table, listener] : all_) {
            if (table != change.table) continue;
            listener->changed({change.table, change.what, ItemView(change.item)});
        }
    }
}

void Listeners::tell_replaced(std::string_view name) const {
    if (count_ == 0) return;
    const std::shared_lock lock(mutex_);
    for (const auto& [table, listener] : all_) {
        if (table == name) listener->replaced(name);
    }
}

}  // namespace mailroom::table
