#include "people/spellings.h"

namespace mailroom::people {

void Spellings::add(std::string_view canonical, std::string_view spelled) {
    if (canonical == spelled) return;
    const std::lock_guard lock(mutex_);
    all_[std::string(canonical)].emplace(spelled);
}

void Spellings::forget(std::string_view canonical, std::string_view spelled) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(canonical);
    if (found == all_.end()) return;
    found->second.erase(std::string(spelled));
    if (found->second.empty()) all_.erase(found);
}

void Spellings::forget_all() {
    const std::lock_guard lock(mutex_);
    all_.clear();
}

std::set<std::string> Spellings::of(std::string_view canonical) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(canonical);
    return found == all_.end() ? std::set<std::string>() : found->second;
}

}  // namespace mailroom::people
