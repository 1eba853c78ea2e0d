// What a crew has to do: jobs found and not yet handed out, jobs in hand, posted work, and where to
// look next. One lock guards all of it, and no one holds it while the store is asked or a handler
// runs.
//
// Crew, schedule and jobs share it, so that each may go before the others.
#pragma once

#include "base/clock.h"
#include "schedule/partition.h"
#include "schedule/position.h"
#include "schedule/rows.h"
#include "schedule/schedule.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace mailroom::schedule {

struct BoardOptions {
    std::vector<std::string> queues;
    std::size_t jobs_max;
    std::chrono::milliseconds lease;
    std::chrono::milliseconds poll;
    Ownership ownership;
    std::string node;  // Claims of this process begin with it.
};

// Thread-safe.
class Board {
public:
    using Work = std::function<void()>;
    struct Look {
        std::size_t lane, shard;
        std::string partition;
        Partition::Look range;
        std::size_t rows_max;
    };
    // Nothing to do now, or for ever; posted work; a look, of which the board is told the result;
    // a job to be handed out.
    using Task = std::variant<std::monostate, Work, Look, Row>;

    // How long claims last, and what waits for the end of one, is by the steady clock, which must
    // outlive this object; all other times are those of the rows.
    Board(BoardOptions options, const Clock& steady);

    // Told by the schedule; ignored if the queue is none of this crew's. A job that comes is left
    // alone by looks, which may see it before the schedule says that it is there, or is not. One
    // that is due is then handed out without a look, unless many are waiting for that.
    void job_comes(const Position& position);
    void job_added(const Row& job, Time now);
    void job_not_added(const Position& position, Time now);

    // A job that is in hand before it is written; looks leave it alone. False if no more jobs are
    // handed out.
    bool hold(const Position& position, Time now);

    // Told by jobs in hand.
    void job_claimed(const Position& position, const Claim& claim);
    void job_ended(const Position& position);
    void job_dropped(const Position& position);

    // Told by the crew.
    void post(Work work);
    // Between await() and one of the others, close() waits for what will be posted.
    void await();
    void post_awaited(Work work);
    void await_no_more();
    // What a look brought: the jobs, the place of the last row of all, and whether there may be
    // more. False if the first row after the look must be asked for, and told to looked_later().
    bool looked(const Look& look, std::vector<Row> rows, const std::optional<std::string>& last,
                bool more);
    void looked_later(const Look& look, std::optional<Time> first_later);
    void look_failed(const Look& look, Time retry);
    // The claim holds until then, or not any more.
    void prolonged(const Position& position, const Claim& claim);
    void lost(const Position& position, const Claim& claim);

    // Whether a job in hand has a claim that nobody can have taken.
    bool is_claimed(const Position& position) const;

    // What to do next, without waiting; `monostate` if nothing is to be done now.
    Task take(Time now);
    // The same, waiting for it; `monostate` when close() was called and nothing is posted or
    // awaited any more.
    Task wait(const Clock& clock);
    // Waits until something is posted or nothing is awaited any more; false if that was so before
    // and nothing is posted.
    bool wait_for_awaited();
    // The claims of which at most `left` is left.
    std::vector<std::pair<Position, Claim>> claims_to_prolong(std::chrono::milliseconds left);
    // Waits for close(), at most so long; whether it was called.
    bool wait_for_close(std::chrono::milliseconds longest);

    // No more jobs are handed out.
    void stop();
    // Waits until no job is in hand; how many are.
    std::size_t wait_until_idle(std::chrono::milliseconds longest);
    // Whoever waits for work is told that there is none any more.
    void close();

    std::size_t in_hand() const;

private:
    struct Lane {
        std::string queue;
        std::vector<Partition> partitions;
        std::multimap<std::string, Row> ready;  // By place.
    };
    struct Hold {
        bool handed_out = false;
        std::optional<Claim> claim;
    };
    struct ByPlace {
        bool operator()(const Position& a, const Position& b) const {
            return std::tie(a.place, a.partition) < std::tie(b.place, b.partition);
        }
    };
    // A claim of somebody's who is not here.
    struct Sighting {
        std::string lease;
        Time until;  // As its row says: another one means that the holder is well.
        Time over;   // By the steady clock: seen like this for the time of a lease.
    };
    struct Resting {
        Time until;  // By the steady clock.
        Position position;
        bool operator<(const Resting& other) const {
            return until != other.until ? until < other.until : ByPlace()(position, other.position);
        }
    };

    // All of these with mutex_ held.
    Partition* find(const Position& position);
    void expect(const Position& position, Time now);
    bool take_in(const Row& job, Time now);
    void settle(Time now);
    Task decide(Time now);
    std::optional<Look> look_of(std::size_t lane, Time now);
    Row hand_out(Lane& lane);
    bool anything_for_others(Time now);
    // Until when it is to be left alone, by the steady clock; none if it can be taken.
    std::optional<Time> held_elsewhere(const Row& row, Time steady);
    void forget_sightings(Time steady);
    void release(const Position& position);
    // When something may become due by itself.
    Time next_event(Time now) const;
    void wait_until(std::unique_lock<std::mutex>& lock, Time now, Time until);
    void wake_one();

    const BoardOptions options_;
    const Clock& steady_;
    mutable std::mutex mutex_;
    std::condition_variable work_;    // For threads that wait for a task.
    std::condition_variable idle_;    // Nothing is in hand.
    std::condition_variable closed_;  // For the thread that prolongs.
    std::condition_variable came_;    // Something awaited was posted.
    std::multiset<Time> alarms_;      // When those who wait for a task look at the clock again.
    bool waking_ = false;             // One of them was told to look, and has not yet.
    std::vector<Lane> lanes_;
    std::deque<Work> posted_;
    std::size_t awaited_ = 0;
    std::map<Position, Hold, ByPlace> holds_;
    std::map<Position, Sighting, ByPlace> sightings_;
    std::set<Position, ByPlace> coming_;
    std::size_t handed_out_ = 0;
    // Dropped since settle(): their pause begins there.
    std::vector<std::pair<Position, std::optional<Claim>>> dropped_;
    // To be looked at again, by when.
    std::set<Resting> resting_;
    bool looking_ = false;
    // Ended or dropped since the look began, which may have read their rows before.
    std::set<Position, ByPlace> released_;
    std::optional<Time> next_poll_, next_round_;  // By the steady clock, as the next.
    Time next_forgetting_ = {};
    bool stopped_ = false, closing_ = false;
};

}  // namespace mailroom::schedule
