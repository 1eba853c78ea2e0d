#include "campaigns/templates/press.h"

#include <utility>
#include <vector>

namespace mailroom::campaigns {

namespace {

std::string name_of(const Edition& edition) {
    std::string name;
    for (const auto& [key, number, hash] : edition.versions) {
        name += key + "@" + std::to_string(number) + " ";
    }
    return name;
}

}  // namespace

Answer<Press::Held> Press::letter(const Edition& edition) {
    const auto name = campaigns::name_of(edition);
    if (auto held = kept(name)) return held;
    // Two that come at the same time both make it: better than waiting for each other.
    auto letter = TRY(made(edition));
    keep(name, letter);
    return letter;
}

Press::Held Press::kept(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
}

Answer<Press::Held> Press::made(const Edition& edition) const {
    std::vector<Letter::Version> versions;
    for (const auto& used : edition.versions) {
        versions.push_back({used, TRY(templates_.content(used))});
    }
    std::vector<std::string> files;
    for (const auto& file : versions.front().kept.files) {
        files.push_back(TRY(templates_.file(file)));
    }
    return std::make_shared<const Letter>(std::move(versions), std::move(files), clock_,
                                          time_zones_);
}

void Press::keep(const std::string& name, const Held& letter) {
    // One alone must not drive all others out.
    if (letter->bytes() > bytes_max / 4) return;
    const std::lock_guard lock(mutex_);
    if (by_name_.contains(name)) return;
    entries_.emplace_front(name, letter);
    by_name_.emplace(name, entries_.begin());
    bytes_ += letter->bytes();
    while (entries_.size() > letters_max || bytes_ > bytes_max) {
        bytes_ -= entries_.back().second->bytes();
        by_name_.erase(entries_.back().first);
        entries_.pop_back();
    }
}

std::size_t Press::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

}  // namespace mailroom::campaigns
