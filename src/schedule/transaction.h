// A transaction of the tables that also adds, claims or ends jobs.
#pragma once

#include "schedule/rows.h"
#include "table/write_builder.h"

#include <functional>
#include <utility>
#include <vector>

namespace mailroom::schedule {

// A transaction to which nothing is added any more.
struct SealedTransaction {
    table::TransactWrite request;
    // What is to be told once it is durable.
    std::vector<Row> added;
    std::vector<std::function<void()>> done;
};

// The caller's own writes and what becomes of jobs: all of it or nothing. Committed by
// Schedule::commit() only, once.
class Transaction : public table::write::Transaction {
public:
    // These for this folder.
    void note_added(Row job) { added_.push_back(std::move(job)); }
    void note_done(std::function<void()> done) { done_.push_back(std::move(done)); }
    SealedTransaction seal() && {
        table::TransactWrite request = static_cast<table::write::Transaction&&>(*this);
        return {std::move(request), std::move(added_), std::move(done_)};
    }

private:
    std::vector<Row> added_;
    std::vector<std::function<void()>> done_;
};

}  // namespace mailroom::schedule
