#include "outbox/others/followed_writes.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {

namespace {

constexpr std::string_view mark_name = "Followed";
constexpr std::string_view all = "all", some = "some";
// More than these are found by looking through all mails.
constexpr std::size_t ids_max = 100'000;

auto steady_now() { return std::chrono::steady_clock::now(); }

}  // namespace

FollowedWrites::FollowedWrites(Follower& follower, Ledger& ledger, table::Store& store,
                               FollowedWritesOptions options)
    : follower_(follower), ledger_(ledger), store_(store), options_(std::move(options)) {
    const auto mark = ledger_.mark(mark_name);
    marked_ = mark && *mark == mark_of_all();
    // What was deleted or replaced before the last end is not known any more.
    look_wanted_ = recount_wanted_ = !marked_;
}

FollowedWrites::~FollowedWrites() { stop(); }

void FollowedWrites::start() {
    last_write_ = last_look_ = steady_now();
    thread_ = std::thread([this] { work(); });
}

void FollowedWrites::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void FollowedWrites::begin(const Rows&) {
    const std::lock_guard lock(mutex_);
    ++in_flight_;
    if (marked_) set_mark(false);
}

void FollowedWrites::end(Rows rows) {
    const std::lock_guard lock(mutex_);
    --in_flight_;
    last_write_ = steady_now();
    recount_wanted_ = recount_wanted_ || rows.may_vanish;
    for (auto& key : rows.keys) ids_.insert(std::move(key));
    if (ids_.size() > ids_max) {
        ids_.clear();
        look_wanted_ = true;
    }
    changed_.notify_all();
}

// The store writes in the order in which it is told, and nobody waits for it here.
void FollowedWrites::set_mark(bool all_followed) {
    marked_ = all_followed;
    table::write::Transaction together;
    ledger_.set_mark(together, mark_name, all_followed ? mark_of_all() : std::string(some));
    store_.transact(together, [](const table::Outcome<table::TransactWriteResult>& done) {
        if (!done) log::warn("a mark cannot be written", {{"reason", done.error().message}});
    });
}

std::string FollowedWrites::mark_of_all() const {
    return std::string(all) + (options_.settings.empty() ? "" : " " + options_.settings);
}

bool FollowedWrites::is_quiet() const {
    return in_flight_ == 0 && ids_.empty() && !look_wanted_ && !recount_wanted_ && !failed_ &&
           steady_now() - last_write_ >= options_.quiet;
}

std::chrono::milliseconds FollowedWrites::pause() const {
    const bool is_polling = options_.look_every.count() > 0;
    if (failed_) return options_.again;
    if (!marked_) return options_.quiet;
    return is_polling ? options_.look_every : std::chrono::hours(1);
}

void FollowedWrites::work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (failed_) changed_.wait_for(lock, options_.again, [this] { return stopping_; });
        if (stopping_) return;
        failed_ = false;
        auto ids = std::exchange(ids_, {});
        const bool is_time =
            options_.look_every.count() > 0 && steady_now() - last_look_ >= options_.look_every;
        const bool looks = std::exchange(look_wanted_, false) || is_time;
        // Counting reads everything: not while there is something to do.
        const bool counts =
            !looks && ids.empty() && recount_wanted_ && steady_now() >= next_recount_;
        if (counts) recount_wanted_ = false;
        lock.unlock();
        follow_all(std::move(ids));
        if (looks) look();
        if (counts) recount();
        lock.lock();
        if (!marked_ && is_quiet()) set_mark(true);
        changed_.wait_for(lock, pause(), [this] {
            const bool may_count = recount_wanted_ && steady_now() >= next_recount_;
            return stopping_ || !ids_.empty() || look_wanted_ || may_count || failed_;
        });
    }
}

void FollowedWrites::follow_all(std::set<std::string> ids) {
    for (const auto& id : ids) {
        const auto followed = follower_.follow(id);
        if (followed) continue;
        log::warn("a mail of another program cannot be taken up yet",
                  {{"mail", id}, {"reason", followed.error().message}});
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        // What the store refuses as such it refuses again; the rest passes.
        if (followed.error().code == Errc::invalid) continue;
        ids_.insert(id);
        failed_ = true;
    }
}

void FollowedWrites::look() {
    const auto stopping = [this] {
        const std::lock_guard lock(mutex_);
        return stopping_;
    };
    const auto followed = follower_.look(stopping);
    if (followed && *followed > 0) {
        log::info("mails of other programs were taken up", {{"count", *followed}});
    }
    const std::lock_guard lock(mutex_);
    last_look_ = steady_now();
    if (followed && !stopping_) return;
    look_wanted_ = failed_ = true;
}

void FollowedWrites::recount() {
    const auto counted = ledger_.recount();
    if (!counted) log::warn("mails were not counted", {{"reason", counted.error().message}});
    const std::lock_guard lock(mutex_);
    next_recount_ = steady_now() + options_.between_recounts;
    // Mails that moved meanwhile: a quieter moment will come.
    if (!counted || !*counted) recount_wanted_ = true;
}

}  // namespace mailroom::outbox
