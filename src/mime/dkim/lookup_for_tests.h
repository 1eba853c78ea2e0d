// Keys in memory. For tests.
#pragma once

#include "mime/dkim/verify.h"

#include <map>

namespace mailroom::mime::dkim {

class MemoryLookup final : public KeyLookup {
public:
    Result<std::vector<std::string>> txt(const std::string& name) override {
        ++lookups;
        if (broken) return Error{Errc::unavailable, "no answer"};
        const auto found = records.find(name);
        if (found == records.end()) return Error{Errc::not_found, "no such name"};
        return found->second;
    }

    std::map<std::string, std::vector<std::string>> records;
    bool broken = false;
    int lookups = 0;
};

}  // namespace mailroom::mime::dkim
