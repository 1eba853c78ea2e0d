// Where a job's row is.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace mailroom::schedule {

// The row's key in MailroomSchedule. Callers who may want to cancel or move a job keep its text in
// a row of their own.
//
//   Queue (S)     := queue "#" shard                "outbox.send#3"
//   Position (S)  := due, 15 digits of Unix milliseconds "#" key
// On disk: never change.
struct Position {
    std::string partition;  // Queue and shard.
    std::string place;      // Due time and key.

    // `invalid` unless it is what text() gave.
    static Result<Position> parse(std::string_view text);
    std::string text() const { return partition + "/" + place; }

    std::string_view queue() const;
    std::string_view key() const;
    Time due() const;

    bool operator==(const Position&) const = default;
};

}  // namespace mailroom::schedule
