// A store that behaves like the real DynamoDB on a bad day, on top of any other: indexes lag, reads
// are stale, it throttles, transactions meet, answers are lost after the write, batches stay
// undone in part, pages are cut short, tables take a while.
//
//   HarshStore store(engine, clock, seed, {.throttled = 50, .lost = 20, .lag = 3s});
//
// All chance comes from the seed: the same calls in the same order meet the same faults. Nothing
// waits: pauses that callers make between tries let time pass here alone.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/sleeper.h"
#include "harsh/late_copy.h"
#include "table/store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::table {

// Chances are in thousandths of the calls they are about.
struct Harshness {
    // Reads, writes and calls about tables are refused as `throttling`; transactions that, or
    // cancelled, with a reason for some of their items.
    int throttled = 0;
    // Transactions are cancelled, or in progress, because another one is at their items. The same
    // is said of other items of one that is refused for good.
    int conflicts = 0;
    // Of a batch some items stay undone; where all do, it is throttled.
    int unprocessed = 0;
    // The call is carried out, and its answer lost: `internal`.
    int lost = 0;
    // Pages end early: after some items, after none, or with a key behind which nothing comes.
    int cut = 0;
    // Reads of a table that are not asked to be consistent come from the past, as all reads of an
    // index do.
    int stale = 0;
    // How long at most, for each write anew, before those reads see it.
    std::chrono::milliseconds lag{0};
    // How long a table is being made, or changed.
    std::chrono::milliseconds table_work{0};
    // How often the client asks before it lets its caller know of a throttle, a conflict or a lost
    // answer; transactions with the same token, as RemoteStore does. With many nothing is seen of
    // them, but a write may be refused by itself.
    int attempts = 1;
};

// How often something happened.
struct HarshCounts {
    std::size_t throttled = 0, conflicts = 0, unprocessed = 0, lost = 0, cut = 0, late = 0;
};

// Thread-safe. Additions are made updates, as by a remote store, and nothing is asynchronous.
class HarshStore final : public Store {
public:
    // Both must outlive this object. Others may use `store`, too; of what they write the late reads
    // know after forget_past() only.
    HarshStore(Store& store, const Clock& clock, std::uint64_t seed, const Harshness& harshness);

    // From now on.
    void set(const Harshness& harshness);
    Harshness harshness() const;
    HarshCounts counts() const;
    // Late reads see all that was written so far.
    void catch_up() { past_.catch_up(); }
    // They see what the store below has: after it was written by others, or lost something.
    void forget_past() { past_.forget_all(); }

    Pauses pauses(const Pauses::Plan& plan) override;
    Outcome<GetResult> get(const GetItem& request) override;
    Outcome<WriteResult> put(const PutItem& request) override;
    Outcome<WriteResult> update(const UpdateItem& request) override;
    Outcome<WriteResult> erase(const DeleteItem& request) override;
    Outcome<Page> query(const Query& request) override;
    Outcome<Page> scan(const Scan& request) override;
    Outcome<BatchGetResult> batch_get(const BatchGet& request) override;
    Outcome<BatchWriteResult> batch_write(const BatchWrite& request) override;
    using Store::transact;
    Outcome<TransactWriteResult> transact(const TransactWrite& request) override;
    Outcome<TransactGetResult> transact_get(const TransactGet& request) override;
    Outcome<TableDescription> create_table(const CreateTable& request) override;
    Outcome<TableDescription> describe_table(const std::string& table) override;
    Outcome<TableDescription> update_table(const UpdateTable& request) override;
    Outcome<TableDescription> delete_table(const std::string& table) override;
    Outcome<TableNames> list_tables(const std::string& after, std::size_t limit) override;
    Outcome<TimeToLive> set_time_to_live(const std::string& table,
                                         const TimeToLive& setting) override;
    Outcome<TimeToLive> time_to_live(const std::string& table) override;
    Outcome<> tag(const std::string& arn, const Tags& tags) override;
    Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override;
    Outcome<Tags> tags(const std::string& arn) override;

private:
    // Time passes while callers pause.
    class PassingTime final : public Sleeper {
    public:
        bool sleep(std::chrono::milliseconds duration) override {
            passed_ms += duration.count();
            return true;
        }
        std::atomic<std::int64_t> passed_ms{0};
    };
    // A table that is being made, or has an index made.
    struct Work {
        Time until;
        bool is_new = false;
        std::string index = {};
    };

    Time now() const;
    std::uint64_t below(std::uint64_t end);
    bool happens(int Harshness::*chance, std::size_t HarshCounts::*count);
    Time visible_from_now();

    template <class T>
    Outcome<T> tried(const std::function<Outcome<T>()>& once);
    template <class T>
    Outcome<T> throttled_or(const std::function<Outcome<T>()>& once);
    template <class Request>
    Outcome<WriteResult> write(const Request& request, const Item& item,
                               Outcome<WriteResult> (Store::*call)(const Request&));
    template <class Request>
    Outcome<Page> read_page(const Request& request, Outcome<Page> (Store::*call)(const Request&));
    template <class Request>
    Outcome<Page> cut_page(Store& from, Request request,
                           Outcome<Page> (Store::*call)(const Request&));
    Outcome<TransactWriteResult> transact_once(const TransactWrite& request);
    std::optional<Failure> cancelled(std::size_t actions);
    Failure with_conflicts(Failure failure);
    Outcome<BatchGetResult> batch_get_once(const BatchGet& request);
    Outcome<BatchWriteResult> batch_write_once(const BatchWrite& request);
    template <class Batch>
    std::optional<std::pair<Batch, Batch>> split(const Batch& batch);
    Store& stale_or_fresh(const std::string& table, bool consistent);

    std::optional<Work> work_on(const std::string& table) const;
    std::optional<Failure> not_there_yet(const std::string& table) const;
    TableDescription as_it_stands(TableDescription description) const;

    Store& store_;
    const Clock& clock_;
    PassingTime passing_;
    SeededRandom random_;
    LateCopy past_;
    mutable std::mutex mutex_;
    Harshness harshness_;
    HarshCounts counts_;
    std::map<std::string, Work, std::less<>> works_;
};

}  // namespace mailroom::table
