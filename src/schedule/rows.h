// The rows of MailroomSchedule, as they are written and read. See schedule.h for their attributes.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "schedule/position.h"
#include "table/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::schedule {

namespace attribute {
inline constexpr const char* queue = "Queue";
inline constexpr const char* position = "Position";
inline constexpr const char* data = "Data";
inline constexpr const char* attempts = "Attempts";
inline constexpr const char* interruptions = "Interruptions";
inline constexpr const char* lease = "Lease";
inline constexpr const char* lease_until = "LeaseUntil";
inline constexpr const char* marks = "Marks";
inline constexpr const char* reason = "Reason";
}  // namespace attribute

struct Claim {
    std::string lease;
    Time until;
    // By the holder's steady clock, and not in the row: nobody else takes it before.
    Time safe_until = {};
};

struct Row {
    Position position;
    table::Item data;
    std::int64_t attempts = 0;
    std::int64_t interruptions = 0;
    std::optional<Claim> claim = std::nullopt;
    std::vector<std::string> marks = {};
};

// `corrupt` if it is not such a row.
Result<Row> read_row(const table::Item& item);

table::Item key_item(const Position& position);
// Unclaimed.
table::Item row_item(const Position& position, const table::Item& data, std::int64_t attempts);

}  // namespace mailroom::schedule
