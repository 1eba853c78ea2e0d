// How many of what, by day: numbers in a program's own table, added to in the transactions of what
// they count.
//
//   PK ANALYTICS#{day}   SK DAILY_SUMMARY, DAILY_SUMMARY#1, …   N of each name, to be summed;
//   expires_at N (Unix seconds)
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::program {

struct DayCounts {
    std::string day;                                          // "2025-09-01"
    std::map<std::string, std::int64_t, std::less<>> counts;  // Those that are not 0.

    std::int64_t of(std::string_view name) const;
    void add(const DayCounts& other);
};

// Thread-safe.
class DayCounters {
public:
    static constexpr int days_max = 366;

    // Both must outlive this object. The table has the keys PK and SK.
    DayCounters(table::Store& store, Random& random, std::string table)
        : store_(store), random_(random), table_(std::move(table)) {}

    // Adds 1 to each. Once in a transaction.
    void add(schedule::Transaction& transaction, Time at,
             std::initializer_list<std::string_view> names) const;
    // Each day from the one of `from` to that of `to`, at most days_max of them.
    Result<std::vector<DayCounts>> between(Time from, Time to) const;

private:
    table::Store& store_;
    Random& random_;
    std::string table_;
};

}  // namespace mailroom::program
