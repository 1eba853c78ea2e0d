#include "engagement/tracking/recent_hits.h"

#include <algorithm>

namespace mailroom::engagement {

bool RecentHit::is_burst_with(const RecentHit& other) const {
    const bool are_links = kind == Hit::Kind::click && other.kind == Hit::Kind::click;
    const bool are_near = other.at <= at + burst_time && at <= other.at + burst_time;
    return are_links && other.link != link && are_near;
}

const std::vector<RecentHit>* RecentHits::Memory::find(Mail mail) const {
    const auto found = by_mail_.find(mail);
    return found == by_mail_.end() ? nullptr : &found->second;
}

void RecentHits::Memory::add(Mail mail, const RecentHit& hit, Time now) {
    by_mail_[mail].push_back(hit);
    order_.push_back({now, mail});
}

void RecentHits::Memory::forget(Time noted_before, std::size_t left_max) {
    while (!order_.empty() && (order_.front().noted < noted_before || order_.size() > left_max)) {
        const auto mail = by_mail_.find(order_.front().mail);
        mail->second.erase(mail->second.begin());
        if (mail->second.empty()) by_mail_.erase(mail);
        order_.pop_front();
    }
}

bool RecentHits::note(const Hit& hit, Time now) {
    const RecentHit noted{hit.kind, hit.link, hit.at};
    const Mail mail = std::hash<std::string>()(hit.mail_id);
    const std::lock_guard lock(mutex_);
    recent_.forget(now - kept_for, kept_max - 1);
    bursts_.forget(now - bursts_kept_for, bursts_kept_max);
    const auto* others = recent_.find(mail);
    if (others != nullptr && others->size() >= of_a_mail_max) return false;
    if (others != nullptr) note_burst(mail, noted, *others, now);
    recent_.add(mail, noted, now);
    return true;
}

void RecentHits::note_burst(Mail mail, const RecentHit& hit, const std::vector<RecentHit>& others,
                            Time now) {
    const auto* known = bursts_.find(mail);
    if (known != nullptr && known->size() >= of_a_mail_max) return;
    // One of them is enough to tell of each.
    const auto other = std::ranges::find_if(
        others.rbegin(), others.rend(), [&](const auto& one) { return hit.is_burst_with(one); });
    if (other == others.rend()) return;
    bursts_.add(mail, *other, now);
    bursts_.add(mail, hit, now);
}

std::vector<RecentHit> RecentHits::of(const std::string& mail_id) const {
    const Mail mail = std::hash<std::string>()(mail_id);
    const std::lock_guard lock(mutex_);
    std::vector<RecentHit> all;
    for (const auto* memory : {&recent_, &bursts_}) {
        const auto* hits = memory->find(mail);
        if (hits != nullptr) all.insert(all.end(), hits->begin(), hits->end());
    }
    return all;
}

void RecentHits::note_row(std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (!rows_.emplace(name).second) return;
    row_order_.emplace_back(name);
    if (row_order_.size() <= rows_max) return;
    rows_.erase(row_order_.front());
    row_order_.pop_front();
}

bool RecentHits::has_row(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    return rows_.contains(name);
}

}  // namespace mailroom::engagement
