#include "schedule/board.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::schedule {

namespace {

// What one query brings. More would save little and keep jobs from more urgent ones' shards longer.
constexpr std::size_t look_rows_max = 32;
// Of those taken in as they were added: the others are looked for when it is their turn, so that no
// more than these are in memory.
constexpr std::size_t taken_in_max = 256;
// Before a job that was dropped unclaimed is tried again: what made it fail may need a moment.
constexpr auto dropped_pause = std::chrono::seconds(5);

}  // namespace

Board::Board(BoardOptions options, const Clock& steady)
    : options_(std::move(options)), steady_(steady) {
    for (const auto& queue : options_.queues) {
        lanes_.push_back({queue, std::vector<Partition>(shards), {}});
    }
}

Partition* Board::find(const Position& position) {
    const auto lane = std::ranges::find(lanes_, position.queue(), &Lane::queue);
    if (lane == lanes_.end()) return nullptr;
    return &lane->partitions[shard_of(position.key())];
}

void Board::expect(const Position& position, Time now) {
    if (auto* partition = find(position)) partition->expect(position.place, now);
}

void Board::job_comes(const Position& position) {
    const std::lock_guard lock(mutex_);
    if (find(position) != nullptr) coming_.insert(position);
}

void Board::job_not_added(const Position& position, Time now) {
    const std::lock_guard lock(mutex_);
    // A store that did not answer may have it all the same.
    if (coming_.erase(position) > 0) expect(position, now);
}

void Board::job_added(const Row& job, Time now) {
    const std::lock_guard lock(mutex_);
    const auto& position = job.position;
    auto* partition = find(position);
    if (partition == nullptr) return;
    if (coming_.erase(position) > 0 && take_in(job, now)) {
        // A look may end with less than all; others may have added rows before this one.
        if (!looking_ && options_.ownership == Ownership::sole) {
            partition->seen(position.place, now);
        }
        return wake_one();
    }
    partition->expect(position.place, now);
    if (!alarms_.empty() && position.due() < *alarms_.begin()) wake_one();
}

bool Board::take_in(const Row& job, Time now) {
    auto& ready = std::ranges::find(lanes_, job.position.queue(), &Lane::queue)->ready;
    if (stopped_ || job.position.due() > now || ready.size() >= taken_in_max) return false;
    if (!holds_.try_emplace(job.position).second) return false;
    ready.emplace(job.position.place, job);
    return true;
}

bool Board::hold(const Position& position, Time now) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    const auto [hold, is_new] = holds_.try_emplace(position);
    if (!is_new) return false;
    hold->second.handed_out = true;
    ++handed_out_;
    if (!looking_ && options_.ownership == Ownership::sole) {
        if (auto* partition = find(position)) partition->seen(position.place, now);
    }
    return true;
}

void Board::job_claimed(const Position& position, const Claim& claim) {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(position);
    if (hold != holds_.end()) hold->second.claim = claim;
}

void Board::job_ended(const Position& position) {
    const std::lock_guard lock(mutex_);
    release(position);
}

void Board::job_dropped(const Position& position) {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(position);
    if (hold == holds_.end()) return;
    dropped_.emplace_back(position, std::move(hold->second.claim));
    release(position);
    wake_one();
}

void Board::release(const Position& position) {
    const auto hold = holds_.find(position);
    if (hold == holds_.end()) return;
    assert(hold->second.handed_out);
    if (looking_) released_.insert(position);
    holds_.erase(hold);
    if (handed_out_-- == options_.jobs_max) wake_one();
    if (handed_out_ == 0) idle_.notify_all();
}

void Board::post(Work work) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
    wake_one();
}

void Board::await() {
    const std::lock_guard lock(mutex_);
    ++awaited_;
}

void Board::post_awaited(Work work) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
    --awaited_;
    wake_one();
    came_.notify_all();
}

void Board::await_no_more() {
    const std::lock_guard lock(mutex_);
    if (--awaited_ > 0) return;
    came_.notify_all();
    if (closing_) work_.notify_all();
}

bool Board::wait_for_awaited() {
    std::unique_lock lock(mutex_);
    if (awaited_ == 0) return !posted_.empty();
    came_.wait(lock, [&] { return awaited_ == 0 || !posted_.empty(); });
    return true;
}

// The holder's clock, which made LeaseUntil, may say anything: what counts is that nothing was
// heard of the holder for as long as a lease lasts here.
std::optional<Time> Board::held_elsewhere(const Row& row, Time steady) {
    if (!row.claim) return std::nullopt;
    const auto& claim = *row.claim;
    const bool ours = claim.lease.starts_with(options_.node + ":");
    if (options_.ownership == Ownership::sole && !ours) return std::nullopt;
    auto& seen = sightings_[row.position];
    if (seen.lease != claim.lease || seen.until != claim.until) {
        seen = {claim.lease, claim.until, steady + options_.lease};
    }
    if (seen.over <= steady) return std::nullopt;
    return seen.over;
}

// Of jobs that have long ended, or were taken. What was not looked at for so long counts no more:
// when the store was away, holders could not prolong, and get the time for it.
void Board::forget_sightings(Time steady) {
    if (steady < next_forgetting_) return;
    next_forgetting_ = steady + options_.lease;
    std::erase_if(sightings_, [&](const auto& sighting) {
        return sighting.second.over + options_.lease < steady;
    });
}

bool Board::looked(const Look& look, std::vector<Row> rows, const std::optional<std::string>& last,
                   bool more) {
    const std::lock_guard lock(mutex_);
    const auto steady = steady_.now();
    auto& lane = lanes_[look.lane];
    auto& partition = lane.partitions[look.shard];
    bool complete = true;
    if (more && last) {
        partition.end_with_more(*last);
    } else {
        complete = partition.end_with_all(look.range, last, options_.ownership == Ownership::sole);
    }
    for (auto& row : rows) {
        if (stopped_) break;
        if (holds_.contains(row.position) || released_.contains(row.position) ||
            coming_.contains(row.position)) {
            continue;
        }
        if (const auto until = held_elsewhere(row, steady)) {
            resting_.insert({*until, std::move(row.position)});
            continue;
        }
        holds_.try_emplace(row.position);
        auto place = row.position.place;
        lane.ready.emplace(std::move(place), std::move(row));
    }
    // If it is complete, the thread that looked goes on with what it found.
    if (!complete && !lane.ready.empty()) wake_one();
    looking_ = !complete;
    return complete;
}

void Board::looked_later(const Look& look, std::optional<Time> first_later) {
    const std::lock_guard lock(mutex_);
    lanes_[look.lane].partitions[look.shard].end_at(first_later);
    looking_ = false;
}

void Board::look_failed(const Look& look, Time retry) {
    const std::lock_guard lock(mutex_);
    lanes_[look.lane].partitions[look.shard].end_with_failure(retry);
    looking_ = false;
}

void Board::prolonged(const Position& position, const Claim& claim) {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(position);
    if (hold == holds_.end() || !hold->second.claim) return;
    if (hold->second.claim->lease == claim.lease) hold->second.claim = claim;
}

bool Board::is_claimed(const Position& position) const {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(position);
    return hold != holds_.end() && hold->second.claim &&
           hold->second.claim->safe_until > steady_.now();
}

void Board::lost(const Position& position, const Claim& claim) {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(position);
    if (hold == holds_.end() || !hold->second.claim) return;
    if (hold->second.claim->lease == claim.lease) hold->second.claim.reset();
}

std::vector<std::pair<Position, Claim>> Board::claims_to_prolong(std::chrono::milliseconds left) {
    const std::lock_guard lock(mutex_);
    const auto steady = steady_.now();
    std::vector<std::pair<Position, Claim>> claims;
    for (const auto& [position, hold] : holds_) {
        if (!hold.claim || hold.claim->safe_until - steady > left) continue;
        claims.emplace_back(position, *hold.claim);
    }
    return claims;
}

void Board::settle(Time now) {
    const auto steady = steady_.now();
    for (auto& [position, claim] : dropped_) {
        if (claim) sightings_[position] = {claim->lease, claim->until, claim->safe_until};
        resting_.insert({claim ? claim->safe_until : steady + dropped_pause, std::move(position)});
    }
    dropped_.clear();
    while (!resting_.empty() && resting_.begin()->until <= steady) {
        expect(resting_.begin()->position, now);
        resting_.erase(resting_.begin());
    }
    forget_sightings(steady);
    if (options_.ownership == Ownership::sole) return;
    const bool poll = !next_poll_ || steady >= *next_poll_;
    const bool round = next_round_ && steady >= *next_round_;
    if (poll) next_poll_ = steady + options_.poll;
    if (round || !next_round_) next_round_ = steady + options_.lease;
    if (!poll && !round) return;
    for (auto& lane : lanes_) {
        for (auto& partition : lane.partitions) {
            partition.poll(now);
            if (round) partition.start_over();
        }
    }
}

std::optional<Board::Look> Board::look_of(std::size_t lane, Time now) {
    if (looking_) return std::nullopt;
    auto& partitions = lanes_[lane].partitions;
    const auto first = std::ranges::min_element(partitions, {}, &Partition::next);
    if (first->next() > now) return std::nullopt;
    const auto& ready = lanes_[lane].ready;
    if (!ready.empty() && first->next() >= due_of(ready.begin()->first)) return std::nullopt;
    const auto shard = static_cast<std::size_t>(first - partitions.begin());
    // What is read and not handed out soon is likely to be taken by another node.
    const auto free = options_.jobs_max - handed_out_;
    const auto rows_max =
        options_.ownership == Ownership::sole ? look_rows_max : std::min(free, look_rows_max);
    return Look{lane, shard, partition_name(lanes_[lane].queue, shard), {}, rows_max};
}

Row Board::hand_out(Lane& lane) {
    auto row = std::move(lane.ready.begin()->second);
    lane.ready.erase(lane.ready.begin());
    holds_[row.position].handed_out = true;
    ++handed_out_;
    return row;
}

Board::Task Board::decide(Time now) {
    if (!posted_.empty()) {
        auto work = std::move(posted_.front());
        posted_.pop_front();
        return work;
    }
    if (stopped_) return {};
    settle(now);
    if (handed_out_ >= options_.jobs_max) return {};
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        if (auto look = look_of(lane, now)) {
            looking_ = true;
            released_.clear();
            look->range = lanes_[lane].partitions[look->shard].begin(now);
            return *std::move(look);
        }
        if (!lanes_[lane].ready.empty()) return hand_out(lanes_[lane]);
    }
    return {};
}

bool Board::anything_for_others(Time now) {
    if (!posted_.empty()) return true;
    if (stopped_ || handed_out_ >= options_.jobs_max) return false;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        if (!lanes_[lane].ready.empty() || look_of(lane, now)) return true;
    }
    return false;
}

Board::Task Board::take(Time now) {
    const std::lock_guard lock(mutex_);
    return decide(now);
}

Board::Task Board::wait(const Clock& clock) {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto now = clock.now();
        auto task = decide(now);
        if (!std::holds_alternative<std::monostate>(task)) {
            // One wakes the next: a burst of jobs wakes no more threads than it needs, and somebody
            // always waits for the right time.
            const bool needed = !alarms_.empty() &&
                                (anything_for_others(now) || next_event(now) < *alarms_.begin());
            if (needed) wake_one();
            return task;
        }
        if (closing_ && awaited_ == 0) {
            work_.notify_all();
            return {};
        }
        wait_until(lock, now, next_event(now));
    }
}

Time Board::next_event(Time now) const {
    // The clock may not be the system's, so it is asked again after `poll` whatever it said.
    auto until = now + options_.poll;
    if (stopped_) return until;
    const auto steady = steady_.now();
    if (!resting_.empty()) until = std::min(until, now + (resting_.begin()->until - steady));
    if (next_poll_) until = std::min(until, now + (*next_poll_ - steady));
    // When all hands are full, or somebody looks, the end of that is an event.
    if (looking_ || handed_out_ >= options_.jobs_max) return until;
    for (const auto& lane : lanes_) {
        for (const auto& partition : lane.partitions) until = std::min(until, partition.next());
    }
    return until;
}

void Board::wait_until(std::unique_lock<std::mutex>& lock, Time now, Time until) {
    const auto alarm = alarms_.insert(until);
    work_.wait_for(lock, std::max(until, now + std::chrono::milliseconds(1)) - now);
    alarms_.erase(alarm);
    waking_ = false;
}

// Whoever was told already will see all that is there by then, and wakes the next if there is more
// than it can take.
void Board::wake_one() {
    if (alarms_.empty() || std::exchange(waking_, true)) return;
    work_.notify_one();
}

bool Board::wait_for_close(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return closed_.wait_for(lock, longest, [&] { return closing_; });
}

void Board::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (auto& lane : lanes_) lane.ready.clear();
    std::erase_if(holds_, [](const auto& hold) { return !hold.second.handed_out; });
}

std::size_t Board::wait_until_idle(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    idle_.wait_for(lock, longest, [&] { return handed_out_ == 0; });
    return handed_out_;
}

void Board::close() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_all();
    closed_.notify_all();
}

std::size_t Board::in_hand() const {
    const std::lock_guard lock(mutex_);
    return handed_out_;
}

}  // namespace mailroom::schedule
