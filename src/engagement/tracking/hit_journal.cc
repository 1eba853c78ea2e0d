#include "engagement/tracking/hit_journal.h"

#include "base/hex.h"
#include "base/thread_name.h"

#include <future>
#include <iterator>
#include <memory>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t process_bytes = 8;
// How long hits are counted to know how fast they come, and how long that is believed.
constexpr auto counting_time = std::chrono::milliseconds(100);
constexpr auto believed_time = std::chrono::seconds(1);

}  // namespace

table::Item hits_key(std::string_view name) {
    return {{"PK", "HITS#" + std::string(name)}, {"SK", "HITS"}};
}

HitJournal::HitJournal(schedule::Schedule& schedule, RecentHits& recent, const Clock& clock,
                       Random& random, HitJournalOptions options)
    : schedule_(schedule),
      recent_(recent),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      process_(hex_encode(random_bytes(random_, process_bytes))) {
    if (options_.has_thread) thread_ = std::thread([this] { run(); });
}

HitJournal::~HitJournal() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void HitJournal::add(Hit hit, Told told) {
    if (!recent_.note(hit, hit.at)) {
        ++too_many_;
        return told(Kept::no);
    }
    if (!queue(hit, told)) {
        ++lost_;
        told(Kept::no);
    }
}

bool HitJournal::queue(Hit& hit, Told& told) {
    bool is_time = false;
    {
        const std::lock_guard lock(mutex_);
        note_pace(hit.at);
        if (waiting_.size() >= options_.waiting_max) return false;
        const bool was_time = may_write();
        waiting_.push_back({std::move(hit), std::move(told)});
        is_time = !was_time && may_write();
    }
    if (is_time) changed_.notify_all();
    return true;
}

void HitJournal::note_pace(Time now) {
    using std::chrono::milliseconds;
    ++counted_;
    const auto passed = std::chrono::duration_cast<milliseconds>(now - counted_from_);
    if (passed >= milliseconds(0) && passed < counting_time) return;
    if (counted_ * 1000 > busy_hits_per_second * passed.count()) busy_until_ = now + believed_time;
    counted_from_ = now;
    counted_ = 0;
}

std::chrono::milliseconds HitJournal::pause_now() {
    const std::lock_guard lock(mutex_);
    const auto left = busy_until_ - clock_.now();
    // More, if the clock was set back.
    const bool is_busy = left > left.zero() && left <= believed_time;
    if (is_busy) return busy_digest_pause;
    return digest_pause;
}

bool HitJournal::may_write() const {
    if (in_flight_ == 0) return !waiting_.empty();
    return waiting_.size() >= options_.hits_worth_a_row && in_flight_ < options_.rows_in_flight_max;
}

std::size_t HitJournal::write() {
    std::size_t rows = 0;
    for (auto batch = take(); !batch.empty(); batch = take()) {
        std::promise<void> durable;
        commit(std::move(batch), [&] { durable.set_value(); });
        durable.get_future().wait();
        ++rows;
    }
    return rows;
}

// What comes while a row is written gathers for the next.
void HitJournal::run() {
    name_thread("hits");
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return may_write() || (stopping_ && in_flight_ == 0); });
            if (waiting_.empty()) return;
            ++in_flight_;
        }
        commit(take(), [this] {
            const std::lock_guard lock(mutex_);
            --in_flight_;
            changed_.notify_all();
        });
    }
}

HitJournal::Batch HitJournal::take() {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0, count = 0;
    while (count < waiting_.size() && bytes < options_.row_bytes_max) {
        bytes += encoded_bytes(waiting_[count++].hit);
    }
    if (count == waiting_.size()) return std::exchange(waiting_, {});
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    Batch batch(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return batch;
}

std::string HitJournal::new_name() { return process_ + "-" + std::to_string(++rows_); }

void HitJournal::commit(Batch batch, std::function<void()> done) {
    std::vector<Hit> hits;
    hits.reserve(batch.size());
    for (auto& waiting : batch) hits.push_back(std::move(waiting.hit));
    const auto name = new_name();
    recent_.note_row(name);
    auto row = hits_key(name);
    row.set("hits", table::Value::binary(encode_hits(hits)));
    schedule::Transaction together;
    together.put(options_.table, std::move(row)).if_absent("PK");
    schedule_.add(
        together,
        {.queue = std::string(hits_queue), .key = name, .due = clock_.now() + pause_now()});
    const auto shared = std::make_shared<Batch>(std::move(batch));
    schedule_.commit(std::move(together),
                     [this, shared, done = std::move(done)](const table::Outcome<>& committed) {
                         tell(*shared, committed);
                         done();
                     });
}

void HitJournal::tell(Batch& batch, const table::Outcome<>& committed) {
    (committed ? kept_ : lost_) += batch.size();
    if (!committed) {
        if (const auto dropped = failures_.pass(clock_.now())) {
            log::error("hits could not be stored",
                       {{"reason", committed.error().message}, {"more", *dropped}});
        }
    }
    for (auto& waiting : batch) waiting.told(committed ? Kept::yes : Kept::no);
}

}  // namespace mailroom::engagement
