// Keys in memory. For tests.
#pragma once

#include "http/keys.h"

#include <map>
#include <mutex>

namespace mailroom::http {

class MemoryKeys final : public KeyRepository {
public:
    Result<> put(const ApiKey& key) override;
    Result<std::vector<ApiKey>> list() override;
    Result<std::optional<ApiKey>> find(const std::string& hash) override;
    Result<> erase(const std::string& hash) override;
    Result<> erase_beside(const std::string& hash, const std::string& other) override;

private:
    std::mutex mutex_;
    std::map<std::string, ApiKey> keys_;  // By hash.
};

}  // namespace mailroom::http
