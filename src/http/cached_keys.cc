#include "http/cached_keys.h"

namespace mailroom::http {

std::optional<ApiKey> CachedKeys::recent(const std::string& hash, Time now) const {
    const auto found = entries_.find(hash);
    if (found == entries_.end()) return std::nullopt;
    const auto age = now - found->second.read_at;
    // A clock that was set back must not make an entry last.
    const bool fresh = age >= std::chrono::milliseconds(0) && age < age_max;
    return fresh ? std::optional(found->second.key) : std::nullopt;
}

Result<std::optional<ApiKey>> CachedKeys::find(const std::string& hash) {
    const auto now = clock_.now();
    std::uint64_t erasures_before = 0;
    {
        const std::lock_guard lock(mutex_);
        if (auto key = recent(hash, now)) return key;
        erasures_before = erasures_;
    }
    auto key = TRY(below_.find(hash));
    const std::lock_guard lock(mutex_);
    if (!key) {
        entries_.erase(hash);
    } else if (erasures_ == erasures_before) {
        if (entries_.size() >= keys_max) entries_.clear();
        entries_.insert_or_assign(hash, Entry{*key, now});
    }
    return key;
}

Result<> CachedKeys::erase(const std::string& hash) {
    auto erased = below_.erase(hash);
    forget(hash);
    return erased;
}

Result<> CachedKeys::erase_beside(const std::string& hash, const std::string& other) {
    auto erased = below_.erase_beside(hash, other);
    forget(hash);
    return erased;
}

// Also after a failure: the key may be gone all the same.
void CachedKeys::forget(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    ++erasures_;
    entries_.erase(hash);
}

}  // namespace mailroom::http
