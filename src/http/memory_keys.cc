#include "http/memory_keys.h"

#include <algorithm>

namespace mailroom::http {

Result<> MemoryKeys::put(const ApiKey& key) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = keys_.try_emplace(key.hash, key);
    if (!is_new) return Error{Errc::conflict, "the key is there already"};
    return Ok{};
}

Result<std::vector<ApiKey>> MemoryKeys::list() {
    const std::lock_guard lock(mutex_);
    std::vector<ApiKey> keys;
    for (const auto& [hash, key] : keys_) keys.push_back(key);
    std::ranges::sort(keys, {}, &ApiKey::id);
    return keys;
}

Result<std::optional<ApiKey>> MemoryKeys::find(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    const auto at = keys_.find(hash);
    return at == keys_.end() ? std::optional<ApiKey>() : std::optional(at->second);
}

Result<> MemoryKeys::erase(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    if (keys_.erase(hash) == 0) return Error{Errc::not_found, "no such key"};
    return Ok{};
}

Result<> MemoryKeys::erase_beside(const std::string& hash, const std::string& other) {
    const std::lock_guard lock(mutex_);
    if (!keys_.contains(other) || keys_.erase(hash) == 0) {
        return Error{Errc::conflict, "one of the keys is not there"};
    }
    return Ok{};
}

}  // namespace mailroom::http
