// Items that are written together as new and expire together: one expiry row for all of them.
//
// An item of a group may change or go before its time; the row stays then, and is found to be out
// of date when it is due. So only items that are new are put into groups: those whose time is moved
// again and again have a row each, which moves with it.
#pragma once

#include "kv/batch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

class ExpiryGroups {
public:
    // The row of a new item, and the Unix second after which it is expired.
    void add(std::string_view item_row, std::uint64_t second);
    // An item alone in its second gets a row of its own.
    void add_to(kv::Batch& batch) const;

private:
    struct Group {
        std::uint64_t second;
        std::vector<std::string_view> item_rows;  // Borrowed.
    };
    std::vector<Group> groups_;  // Few: most transactions have one.
};

// The rows of the items of a group, from what its row holds; none if that is damaged.
std::optional<std::vector<std::string>> read_expiry_group(std::string_view value);

}  // namespace mailroom::table
