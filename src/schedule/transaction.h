// A transaction of the tables that also adds, claims or ends jobs.
#pragma once

#include "schedule/position.h"
#include "table/write_builder.h"

#include <functional>
#include <utility>
#include <vector>

namespace mailroom::schedule {

// The caller's own writes and what becomes of jobs: all of it or nothing. Committed by
// Schedule::commit() only, once.
class Transaction : public table::write::Transaction {
public:
    // For this folder: what is to be told once the transaction is durable.
    void note_added(Position position) { added_.push_back(std::move(position)); }
    void note_done(std::function<void()> done) { done_.push_back(std::move(done)); }
    const std::vector<Position>& added() const { return added_; }
    const std::vector<std::function<void()>>& done() const { return done_; }

private:
    std::vector<Position> added_;
    std::vector<std::function<void()>> done_;
};

}  // namespace mailroom::schedule
