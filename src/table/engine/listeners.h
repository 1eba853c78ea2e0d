// Who hears of the changes of which table.
#pragma once

#include "table/change_listener.h"

#include <atomic>
#include <cstddef>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

// A change that is to be told when it is durable. Owns its item.
struct HeardChange {
    std::string table;
    RowChange::What what;
    std::string item;
};

// Thread-safe. While nobody listens, as for most tables, asking costs one load.
class Listeners {
public:
    void add(std::string table, ChangeListener& listener);
    // It is not told anything any more when this returns.
    void remove(const ChangeListener& listener);

    bool has(std::string_view table) const;
    void tell(const std::vector<HeardChange>& changes) const;
    void tell_replaced(std::string_view table) const;

private:
    std::atomic<std::size_t> count_ = 0;
    mutable std::shared_mutex mutex_;
    std::vector<std::pair<std::string, ChangeListener*>> all_;
};

}  // namespace mailroom::table
