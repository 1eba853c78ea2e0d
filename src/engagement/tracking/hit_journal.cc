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
    bool is_first = false;
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() >= options_.waiting_max) return false;
        is_first = waiting_.empty();
        waiting_.push_back({std::move(hit), std::move(told)});
    }
    if (is_first) changed_.notify_all();
    return true;
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

// One row at a time: those that come while it is written are the next.
void HitJournal::run() {
    name_thread("hits");
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return !is_writing_ && (stopping_ || !waiting_.empty()); });
            if (waiting_.empty()) return;
            is_writing_ = true;
        }
        commit(take(), [this] {
            const std::lock_guard lock(mutex_);
            is_writing_ = false;
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
        {.queue = std::string(hits_queue), .key = name, .due = clock_.now() + digest_pause});
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
