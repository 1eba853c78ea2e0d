// What the schedule, its crews and their jobs have in common.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/sleeper.h"
#include "schedule/board.h"
#include "schedule/job.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace mailroom::schedule {

// Thread-safe.
class Core {
public:
    Core(table::Store& tables, const Clock& time, Random& chance, ScheduleOptions settings);
    ~Core();

    // Adds a row to the transaction; see Schedule::add().
    Position add(Transaction& transaction, const NewJob& job, std::int64_t attempts);
    table::Outcome<> commit(const SealedTransaction& transaction);
    // See Schedule::commit(); this object must live until `then` was told.
    void commit(std::shared_ptr<const SealedTransaction> transaction, Job::Then then);

    const std::string& table() const { return options_.table; }
    Ownership ownership() const { return options_.ownership; }
    const std::string& node() const { return node_; }
    table::Store& store() { return store_; }
    const Clock& clock() const { return clock_; }
    const Clock& steady() const { return steady_; }
    Random& random() { return random_; }

    // Not given out before, by any process.
    std::string new_lease();

    // Crews that want to know of jobs added.
    void join(std::shared_ptr<Board> board);
    void leave(const std::shared_ptr<Board>& board);

    // Makes the table and waits until it can be used.

private:
    table::Outcome<> write(const table::TransactWrite& request);
    table::Outcome<> write_with_token(table::TransactWrite request);
    void announce(const SealedTransaction& transaction);
    void tell(const SealedTransaction& transaction);
    void withdraw(const SealedTransaction& transaction);

    table::Store& store_;
    const Clock& clock_;
    Random& random_;
    const ScheduleOptions options_;
    const Clock& steady_;
    SystemSleeper own_sleeper_;
    Sleeper& sleeper_;
    const std::string node_;
    std::atomic<std::uint64_t> leases_{0};
    std::shared_mutex boards_mutex_;
    std::vector<std::shared_ptr<Board>> boards_;
};

}  // namespace mailroom::schedule
