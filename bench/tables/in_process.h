// The same operations through table::Store, in this process: what is left of a request when HTTP
// and JSON are taken away.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "keys.h"
#include "kv/store.h"
#include "load.h"
#include "table/store.h"
#include "workload.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace mailroom::bench {

// Operation::empty has no counterpart here.
constexpr bool in_process_offers(Operation operation) { return operation != Operation::empty; }

class InProcess {
public:
    // Opens a new store in `directory`, every write durable, and writes the items that a Workload
    // of as many partitions would.
    static Result<std::unique_ptr<InProcess>> open(const std::filesystem::path& directory,
                                                   std::uint32_t partitions);
    ~InProcess();

    // `threads` callers, each with one call at a time. The first refusal, or an answer without what
    // was asked for, ends the run with its Error.
    Result<LoadResult> run(Operation operation, std::size_t threads,
                           std::chrono::nanoseconds warm_up, std::chrono::nanoseconds measured);

    // How often the hot item was counted up, by the item itself.
    Result<std::uint64_t> hot_item_count();

private:
    struct Caller;

    explicit InProcess(std::uint32_t partitions) : partitions_(partitions) {}

    Result<> fill();
    void repeat(Operation operation, Caller& caller);
    Result<> perform(Operation operation, Caller& caller);
    Result<> get(Caller& caller);
    Result<> query(Caller& caller);
    Result<> put(Caller& caller);
    Result<> update(Caller& caller);
    Result<> count_hot_item();
    Result<> transact(Caller& caller);
    Result<> write_batch(Caller& caller);
    table::Item new_item(Caller& caller);

    std::uint32_t partitions_;
    std::atomic<std::uint64_t> new_partitions_ = 0;
    SystemClock clock_;
    SystemRandom random_;
    std::unique_ptr<kv::Store> disk_;
    std::unique_ptr<table::Store> store_;  // Refers to the three above.
};

}  // namespace mailroom::bench
