#include "table/schema.h"

#include <cassert>

namespace mailroom::table {

std::vector<std::string> KeySchema::hashes() const {
    std::vector<std::string> all{hash};
    all.insert(all.end(), more_hashes.begin(), more_hashes.end());
    return all;
}

std::vector<std::string> KeySchema::ranges() const {
    assert(!range.empty() || more_ranges.empty());
    if (range.empty()) return {};
    std::vector<std::string> all{range};
    all.insert(all.end(), more_ranges.begin(), more_ranges.end());
    return all;
}

std::vector<std::string> KeySchema::names() const {
    auto all = hashes();
    const auto behind = ranges();
    all.insert(all.end(), behind.begin(), behind.end());
    return all;
}

}  // namespace mailroom::table
