// Who did what, and when: entries in a program's own table, found by what they are about and by
// day. They are written in the transactions of what they tell of.
//
//   PK AUDIT#{subject}   SK {time}#{tail}   day S, for the index DayIndex (day, SK)
#pragma once

#include "base/clock.h"
#include "base/days.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/time_format.h"
#include "program/actor.h"
#include "schedule/transaction.h"
#include "table/query_builder.h"
#include "table/records/pages.h"
#include "table/records/record.h"

#include <string>
#include <utility>

namespace mailroom::program {

// What the row of an entry says beside its fields. `tail` tells entries of one millisecond apart.
struct TrailKey {
    static constexpr std::size_t tail_bytes = 8;
    static std::string partition(const std::string& subject) { return "AUDIT#" + subject; }
};

// An Entry has a record, subject() and, set when it is added, `by`, `by_id` (the key's; empty for
// the server itself) and `at`. Thread-safe.
template <table::HasRecord Entry>
class Trail {
public:
    // `declared` as the table is made. All must outlive this object.
    Trail(table::Store& store, const Clock& clock, Random& random, table::CreateTable declared)
        : store_(store), clock_(clock), random_(random), table_(std::move(declared)) {}

    void add(schedule::Transaction& transaction, const Actor& who, Entry entry) const {
        entry.by = who.name;
        entry.by_id = who.id;
        entry.at = clock_.now();
        auto row = table::to_item(entry);
        const auto tail = hex_encode(random_bytes(random_, TrailKey::tail_bytes));
        row.set("PK", table::Value(TrailKey::partition(entry.subject())));
        row.set("SK", table::Value(format_rfc3339(entry.at) + "#" + tail));
        row.set("day", table::Value(format_day(entry.at)));
        transaction.put(table_.name, std::move(row));
    }

    // The oldest first. `invalid` if `after` is not what a page said.
    Result<table::Slice<Entry>> of(const std::string& subject, const table::PageWish& wish) const {
        return page(table::from(table_.name).partition("PK", TrailKey::partition(subject)), wish);
    }
    // Of a day: "2025-09-01".
    Result<table::Slice<Entry>> of_day(const std::string& day, const table::PageWish& wish) const {
        return page(table::from(table_.name).index("DayIndex").partition("day", day), wish);
    }

private:
    Result<table::Slice<Entry>> page(const table::Query& query, const table::PageWish& wish) const {
        return table::read_page(store_, query, table_, wish, table::from_item<Entry>);
    }

    table::Store& store_;
    const Clock& clock_;
    Random& random_;
    table::CreateTable table_;
};

}  // namespace mailroom::program
