// Keys that were looked up a moment ago, so that a busy client costs no read of the table for each
// request.
#pragma once

#include "base/clock.h"
#include "http/keys.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace mailroom::http {

// A key that is revoked through this object is refused by the next find(); one that is revoked
// elsewhere (another node) at most `age_max` later. Thread-safe.
class CachedKeys final : public KeyRepository {
public:
    static constexpr std::chrono::milliseconds age_max = std::chrono::seconds(3);
    // Only keys that exist are kept, so strangers cannot fill it.
    static constexpr std::size_t keys_max = 10'000;

    // Both must outlive this object.
    CachedKeys(KeyRepository& below, const Clock& clock) : below_(below), clock_(clock) {}

    Result<> put(const ApiKey& key) override { return below_.put(key); }
    Result<std::vector<ApiKey>> list() override { return below_.list(); }
    Result<std::optional<ApiKey>> find(const std::string& hash) override;
    Result<> erase(const std::string& hash) override;
    Result<> erase_beside(const std::string& hash, const std::string& other) override;

private:
    void forget(const std::string& hash);
    struct Entry {
        ApiKey key;
        Time read_at;
    };
    std::optional<ApiKey> recent(const std::string& hash, Time now) const;

    KeyRepository& below_;
    const Clock& clock_;
    mutable std::mutex mutex_;
    std::map<std::string, Entry> entries_;  // By hash.
    // Counts erasures: what was read before one may be of a key that is gone.
    std::uint64_t erasures_ = 0;
};

}  // namespace mailroom::http
