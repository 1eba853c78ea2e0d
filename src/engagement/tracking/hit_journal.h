// Hits on their way to becoming events.
//
// Whoever opens a mail must not wait until an event is written with all that follows from it. So
// hits are first written down as they come, many in one row, with a job that makes events of them a
// little later; a hit is answered when its row is durable.
//
//   table of engagement   HITS#{name}   HITS   hits B (hit.h)
//   job of the queue      key: the name
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "engagement/tracking/hit.h"
#include "engagement/tracking/recent_hits.h"
#include "schedule/schedule.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::engagement {

inline constexpr std::string_view hits_queue = "engagement.hits";
// Digested so long after they came: what a machine does next is known by then.
inline constexpr auto digest_pause = std::chrono::seconds(3);
// While they come faster than that, as after a large mailing, whoever asks comes first: to make an
// event of a hit costs many times what it costs to keep and answer it.
inline constexpr std::int64_t busy_hits_per_second = 2000;
inline constexpr auto busy_digest_pause = std::chrono::minutes(1);

table::Item hits_key(std::string_view name);

struct HitJournalOptions {
    std::string table;                    // With PK and SK.
    std::size_t waiting_max = 100'000;    // More are not written down.
    std::size_t row_bytes_max = 200'000;  // Half of what a row can have.
    // While a row is on its way to the disk, others follow when there are so many hits for one.
    std::size_t rows_in_flight_max = 8, hits_worth_a_row = 64;
    bool has_thread = true;  // False: write() writes what waits.
};

// Thread-safe.
class HitJournal {
public:
    // All must outlive this object.
    HitJournal(schedule::Schedule& schedule, RecentHits& recent, const Clock& clock, Random& random,
               HitJournalOptions options);
    ~HitJournal();  // When every hit is answered.

    // Told once, from any thread, when the hit is durable, or cannot be: it must be quick. A hit of
    // a mail with too many lately is told at once, and so is one that comes while too many wait.
    enum class Kept { yes, no };
    using Told = std::function<void(Kept)>;
    void add(Hit hit, Told told);

    // Without a thread: writes all that waits, and waits for it. How many rows.
    std::size_t write();

    struct Counts {
        std::uint64_t kept = 0, lost = 0, too_many = 0;
    };
    Counts counts() const { return {kept_, lost_, too_many_}; }

private:
    struct Waiting {
        Hit hit;
        Told told;
    };
    using Batch = std::vector<Waiting>;

    void run();
    bool queue(Hit& hit, Told& told);
    // Under the lock.
    void note_pace(Time now);
    std::chrono::milliseconds pause_now();
    bool may_write() const;
    // What goes into one row, or nothing.
    Batch take();
    void commit(Batch batch, std::function<void()> done);
    void tell(Batch& batch, const table::Outcome<>& committed);
    std::string new_name();

    schedule::Schedule& schedule_;
    RecentHits& recent_;
    const Clock& clock_;
    Random& random_;
    const HitJournalOptions options_;
    const std::string process_;
    std::atomic<std::uint64_t> rows_{0}, kept_{0}, lost_{0}, too_many_{0};
    log::RateLimit failures_{std::chrono::seconds(1)};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Waiting> waiting_;
    std::size_t in_flight_ = 0;  // Rows.
    Time counted_from_ = {};     // Since when are counted:
    std::int64_t counted_ = 0;
    Time busy_until_ = {};
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace mailroom::engagement
