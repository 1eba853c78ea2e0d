#include "people/others/followed_audience.h"

#include "base/log.h"
#include "people/canonical.h"
#include "table/write_builder.h"

#include <utility>

namespace mailroom::people {

namespace {

constexpr std::string_view all = "all", some = "some";
// More than these are found by looking at everybody.
constexpr std::size_t addresses_max = 100'000;

table::Item mark_key() { return {{"PK", "FOLLOWED"}, {"SK", "AUDIENCE"}}; }
auto steady_now() { return std::chrono::steady_clock::now(); }

}  // namespace

FollowedAudience::FollowedAudience(Suppressions& suppressions, FollowedAudienceOptions options)
    : suppressions_(suppressions),
      books_(suppressions.books()),
      follower_(suppressions),
      options_(options) {}

FollowedAudience::~FollowedAudience() { stop(); }

Result<> FollowedAudience::open() {
    const auto mark = TRY(books_.get(books_.tables.people, mark_key()));
    const std::lock_guard lock(mutex_);
    marked_ = mark && mark->text("state") == all;
    look_wanted_ = !marked_;
    return marked_ ? Result<>(Ok{}) : follower_.note_refused();
}

void FollowedAudience::start() {
    last_write_ = last_look_ = steady_now();
    thread_ = std::thread([this] { work(); });
}

void FollowedAudience::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

bool FollowedAudience::is_stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

void FollowedAudience::begin(const Rows& rows) {
    for (const auto& key : rows.keys) {
        const auto address = person_of_partition(key);
        const auto canonical = address ? canonical_of(*address) : Error{Errc::invalid, ""};
        if (canonical) suppressions_.note(*canonical, *address);
    }
    const std::lock_guard lock(mutex_);
    ++in_flight_;
    if (marked_) set_mark(false);
}

void FollowedAudience::end(Rows rows) {
    const std::lock_guard lock(mutex_);
    --in_flight_;
    last_write_ = steady_now();
    for (const auto& key : rows.keys) {
        const auto address = person_of_partition(key);
        if (!address) continue;
        addresses_.emplace(*address);
    }
    if (addresses_.size() > addresses_max) {
        addresses_.clear();
        look_wanted_ = true;
    }
    changed_.notify_all();
}

// The store writes in the order in which it is told, and nobody waits for it here.
void FollowedAudience::set_mark(bool all_followed) {
    marked_ = all_followed;
    table::write::Transaction together;
    auto row = mark_key();
    row.set("state", table::Value(all_followed ? all : some));
    together.put(books_.tables.people, std::move(row));
    books_.store.transact(together, [](const table::Outcome<table::TransactWriteResult>& done) {
        if (!done) log::warn("a mark cannot be written", {{"reason", done.error().message}});
    });
}

bool FollowedAudience::is_quiet() const {
    return in_flight_ == 0 && addresses_.empty() && !look_wanted_ && !failed_ &&
           steady_now() - last_write_ >= options_.quiet;
}

std::chrono::milliseconds FollowedAudience::pause() const {
    if (failed_) return options_.again;
    if (!marked_) return options_.quiet;
    return options_.look_every.count() > 0 ? options_.look_every : std::chrono::hours(1);
}

void FollowedAudience::work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (failed_) changed_.wait_for(lock, options_.again, [this] { return stopping_; });
        if (stopping_) return;
        failed_ = false;
        const bool is_time =
            options_.look_every.count() > 0 && steady_now() - last_look_ >= options_.look_every;
        const bool looks = std::exchange(look_wanted_, false) || is_time;
        lock.unlock();
        const auto followed = follow_all();
        if (looks) look();
        lock.lock();
        failed_ = failed_ || !followed;
        if (!marked_ && is_quiet()) set_mark(true);
        changed_.wait_for(lock, pause(), [this] {
            return stopping_ || !addresses_.empty() || look_wanted_ || failed_;
        });
    }
}

Result<std::size_t> FollowedAudience::follow_all() {
    std::unique_lock lock(mutex_);
    auto addresses = std::exchange(addresses_, {});
    lock.unlock();
    std::size_t followed = 0;
    std::optional<Error> failure;
    for (const auto& address : addresses) {
        const auto done = follower_.follow(address);
        if (done) {
            followed += *done ? 1 : 0;
            know(address);
            continue;
        }
        log::warn("what another program wrote of a person cannot be taken up yet",
                  {{"reason", done.error().message}});
        // What the store refuses as such it refuses again; the rest passes.
        if (done.error().code == Errc::invalid) continue;
        failure = done.error();
        const std::lock_guard again(mutex_);
        addresses_.insert(address);
    }
    if (failure) return *failure;
    return followed;
}

// What somebody writes at this moment is followed again.
void FollowedAudience::know(const std::string& address) {
    const auto canonical = canonical_of(address);
    const std::lock_guard lock(mutex_);
    if (canonical && in_flight_ == 0 && !addresses_.contains(address)) {
        suppressions_.followed(*canonical, address);
    }
}

void FollowedAudience::look() {
    const auto followed = follower_.look([this] { return is_stopping(); });
    if (followed && *followed > 0) {
        log::info("people were brought in step with other programs", {{"count", *followed}});
    }
    const std::lock_guard lock(mutex_);
    last_look_ = steady_now();
    if (followed && in_flight_ == 0 && addresses_.empty()) suppressions_.all_followed();
    if (followed && !stopping_) return;
    look_wanted_ = failed_ = true;
}

}  // namespace mailroom::people
