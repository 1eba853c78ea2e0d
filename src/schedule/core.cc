#include "schedule/core.h"

#include "base/hex.h"
#include "base/ids.h"
#include "base/pauses.h"
#include "schedule/rows.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <utility>

namespace mailroom::schedule {

namespace {

constexpr std::size_t data_bytes_max = 4 * 1024;
// Enough that two processes never have the same.
constexpr std::size_t node_bytes = 8;

// Refused for now: another transaction was at the same items, or there was too much to do.
constexpr Pauses::Plan commit_pauses = {
    .first = std::chrono::milliseconds(30), .longest = std::chrono::seconds(1), .tries_max = 8};

}  // namespace

Core::Core(table::Store& tables, const Clock& time, Random& chance, ScheduleOptions settings)
    : store_(tables),
      clock_(time),
      random_(chance),
      options_(std::move(settings)),
      steady_(options_.steady != nullptr ? *options_.steady : clock_),
      sleeper_(options_.sleeper != nullptr ? *options_.sleeper : own_sleeper_),
      node_(hex_encode(random_bytes(chance, node_bytes))) {}

Core::~Core() { own_sleeper_.stop(); }

Position Core::add(Transaction& transaction, const NewJob& job, std::int64_t attempts) {
    assert(job.data.bytes().size() <= data_bytes_max);
    auto position = position_of(job.queue, job.key, job.due);
    transaction.put(options_.table, row_item(position, job.data, attempts))
        .if_absent(attribute::queue);
    transaction.note_added({.position = position, .data = job.data, .attempts = attempts});
    return position;
}

std::string Core::new_lease() {
    return node_ + ":" + std::to_string(leases_.fetch_add(1, std::memory_order_relaxed));
}

void Core::join(std::shared_ptr<Board> board) {
    const std::lock_guard lock(boards_mutex_);
    boards_.push_back(std::move(board));
}

void Core::leave(const std::shared_ptr<Board>& board) {
    const std::lock_guard lock(boards_mutex_);
    std::erase(boards_, board);
}

table::Outcome<> Core::commit(const SealedTransaction& transaction) {
    announce(transaction);
    // The answer of a remote store may be lost, and the same request is sent again: it must not be
    // refused by its own conditions then. The embedded store loses no answers, and there a token
    // would cost a write.
    const bool needs_token =
        options_.ownership == Ownership::shared && transaction.request.token.empty();
    auto written = needs_token ? write_with_token(transaction.request) : write(transaction.request);
    if (written) {
        tell(transaction);
    } else {
        withdraw(transaction);
    }
    return written;
}

void Core::commit(std::shared_ptr<const SealedTransaction> transaction, Job::Then then) {
    if (options_.ownership == Ownership::shared) return then(commit(*transaction));
    announce(*transaction);
    const auto& request = transaction->request;
    auto done = [this, transaction = std::move(transaction),
                 then = std::move(then)](const auto& written) mutable {
        if (written) {
            tell(*transaction);
        } else {
            withdraw(*transaction);
        }
        // The jobs it names must not end with the store's copy, some time after `then`.
        transaction.reset();
        if (!written) return then(written.error());
        then(Ok{});
    };
    store_.transact(request, std::move(done));
}

void Core::announce(const SealedTransaction& transaction) {
    if (transaction.added.empty()) return;
    const std::shared_lock lock(boards_mutex_);
    for (const auto& job : transaction.added) {
        for (const auto& board : boards_) board->job_comes(job.position);
    }
}

void Core::withdraw(const SealedTransaction& transaction) {
    if (transaction.added.empty()) return;
    const auto now = clock_.now();
    const std::shared_lock lock(boards_mutex_);
    for (const auto& job : transaction.added) {
        for (const auto& board : boards_) board->job_not_added(job.position, now);
    }
}

// Whoever has to know that it is durable.
void Core::tell(const SealedTransaction& transaction) {
    // Jobs leave the hand first: one that was moved may be due at the same place again.
    for (const auto& done : transaction.done) done();
    if (transaction.added.empty()) return;
    const auto now = clock_.now();
    const std::shared_lock lock(boards_mutex_);
    for (const auto& job : transaction.added) {
        for (const auto& board : boards_) board->job_added(job, now);
    }
}

table::Outcome<> Core::write_with_token(table::TransactWrite request) {
    request.token = make_uuid(random_);
    return write(request);
}

table::Outcome<> Core::write(const table::TransactWrite& request) {
    Pauses pauses(commit_pauses, random_, sleeper_);
    for (;;) {
        auto written = store_.transact(request);
        if (written) return Ok{};
        if (!is_temporary(written.error()) || !pauses.again()) return std::move(written).error();
    }
}

}  // namespace mailroom::schedule
