#include "engagement/tracking/recent_hits.h"

namespace mailroom::engagement {

bool RecentHits::note(const Hit& hit, Time now) {
    const std::lock_guard lock(mutex_);
    forget(now);
    auto& hits = by_mail_[hit.mail_id];
    if (hits.size() >= of_a_mail_max) return false;
    hits.push_back({hit.kind, hit.link, hit.at});
    order_.push_back({now, hit.mail_id});
    return true;
}

std::vector<RecentHit> RecentHits::of(const std::string& mail_id) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_mail_.find(mail_id);
    return found == by_mail_.end() ? std::vector<RecentHit>() : found->second;
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

// Those of a mail were noted in their order.
void RecentHits::forget(Time now) {
    while (!order_.empty() &&
           (order_.front().noted + kept_for < now || order_.size() >= kept_max)) {
        const auto mail = by_mail_.find(order_.front().mail_id);
        mail->second.erase(mail->second.begin());
        if (mail->second.empty()) by_mail_.erase(mail);
        order_.pop_front();
    }
}

}  // namespace mailroom::engagement
