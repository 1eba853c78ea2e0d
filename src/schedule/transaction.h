// A transaction of the tables that also adds, claims or ends jobs.
#pragma once

#include "schedule/rows.h"
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
    void note_added(Row job) { added_.push_back(std::move(job)); }
    void note_done(std::function<void()> done) { done_.push_back(std::move(done)); }
    const std::vector<Row>& added() const { return added_; }
    const std::vector<std::function<void()>>& done() const { return done_; }

private:
    std::vector<Row> added_;
    std::vector<std::function<void()>> done_;
};

}  // namespace mailroom::schedule
