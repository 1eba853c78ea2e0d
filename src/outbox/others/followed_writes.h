// Sees to it that a Follower hears of every row that other programs write into EmailOutbox.
//
// The table endpoint tells which mails were written, and they are followed at once. A mark says
// whether all that was written is followed (Ledger::mark: "Followed" is "all" and the settings):
// it is taken back
// before the first write that is not, so a server that finds no mark looks through all mails.
#pragma once

#include "outbox/mail/ledger.h"
#include "outbox/others/follower.h"
#include "table/store.h"
#include "table/write_watch.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace mailroom::outbox {

struct FollowedWritesOptions {
    std::string table = "EmailOutbox";
    // Without a write before the mark is set again.
    std::chrono::milliseconds quiet = std::chrono::seconds(5);
    // After a failure of the store.
    std::chrono::milliseconds again = std::chrono::seconds(2);
    // Counting anew reads the whole table.
    std::chrono::milliseconds between_recounts = std::chrono::minutes(10);
    // What is followed depends on it: another text at the next start, and all is looked at again.
    std::string settings = {};
    // With a store that others reach on other ways than through us: how often to look through all
    // mails. 0: never.
    std::chrono::milliseconds look_every{0};
};

// Thread-safe.
class FollowedWrites final : public table::WriteWatch {
public:
    // All must outlive this object.
    FollowedWrites(Follower& follower, Ledger& ledger, table::Store& store,
                   FollowedWritesOptions options = {});
    ~FollowedWrites() override;  // As stop().
    FollowedWrites(const FollowedWrites&) = delete;
    FollowedWrites& operator=(const FollowedWrites&) = delete;

    void start();
    void stop();

    std::string_view table() const override { return options_.table; }
    std::string_view key_name() const override { return "Id"; }
    void begin(const Rows& rows) override;
    void end(Rows rows) override;

private:
    void work();
    void look();
    void follow_all(std::set<std::string> ids);
    void recount();
    // Under the lock.
    void set_mark(bool all_followed);
    std::string mark_of_all() const;
    bool is_quiet() const;
    std::chrono::milliseconds pause() const;

    Follower& follower_;
    Ledger& ledger_;
    table::Store& store_;
    const FollowedWritesOptions options_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::string> ids_;
    std::size_t in_flight_ = 0;
    bool look_wanted_ = false, recount_wanted_ = false;
    bool marked_ = false;  // As followed.
    bool failed_ = false;  // The last round: the next one waits.
    bool stopping_ = false;
    std::chrono::steady_clock::time_point last_write_, last_look_, next_recount_;
    std::thread thread_;
};

}  // namespace mailroom::outbox
