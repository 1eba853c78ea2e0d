#include "engagement/notifications/certificates.h"

#include <chrono>

namespace mailroom::engagement::notifications {

namespace {

using namespace std::chrono_literals;

constexpr auto kept_for = 24h;
constexpr std::size_t kept_max = 32;  // A region has one at a time.
constexpr int fetches_per_minute_max = 10;

}  // namespace

Answer<PublicKey> Certificates::key_at(const net::Url& url) {
    if (auto key = kept(url)) return *std::move(key);
    if (!may_fetch()) {
        return Refusal(Refusal::Kind::unavailable, "too many certificates were asked for");
    }
    const auto pem = fetch_(url);
    if (!pem) {
        return Refusal(Refusal::Kind::unavailable,
                       "Amazon's certificate cannot be fetched: " + pem.error().message);
    }
    const auto now = clock_.now();
    auto key = PublicKey::of_certificate(*pem, now);
    if (!key) return Refusal(Refusal::Kind::forbidden, key.error().message);
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= kept_max) kept_.clear();
    kept_.insert_or_assign(url.text(), Kept{*key, now + kept_for});
    return *std::move(key);
}

std::optional<PublicKey> Certificates::kept(const net::Url& url) {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(url.text());
    if (found == kept_.end() || found->second.until <= clock_.now()) return std::nullopt;
    return found->second.key;
}

bool Certificates::may_fetch() {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    if (now >= minute_ + 1min || now < minute_) {
        minute_ = now;
        fetches_ = 0;
    }
    return ++fetches_ <= fetches_per_minute_max;
}

}  // namespace mailroom::engagement::notifications
