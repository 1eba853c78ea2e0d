// Sees to it that an AudienceFollower hears of every row that other programs write into Audience.
//
// The table endpoint tells whose rows are written: before that, so that the next mail to them asks,
// and after it, when they are followed. A mark says whether all that was written is followed; it is
// taken back before the first write that is not, so a server that finds none looks at everybody.
//   MailroomPeople   FOLLOWED   AUDIENCE   state S: "all" or "some"
#pragma once

#include "people/others/audience_follower.h"
#include "table/write_watch.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace mailroom::people {

struct FollowedAudienceOptions {
    // Without a write before the mark is set again.
    std::chrono::milliseconds quiet = std::chrono::seconds(5);
    // After a failure of the store.
    std::chrono::milliseconds again = std::chrono::seconds(2);
    // With a store that others reach on other ways than through us: how often to look at everybody.
    // Sending does not wait for it: it asks their rows. 0: never.
    std::chrono::milliseconds look_every{0};
};

// Thread-safe.
class FollowedAudience final : public table::WriteWatch {
public:
    // It must outlive this object.
    explicit FollowedAudience(Suppressions& suppressions, FollowedAudienceOptions options = {});
    ~FollowedAudience() override;  // As stop().
    FollowedAudience(const FollowedAudience&) = delete;
    FollowedAudience& operator=(const FollowedAudience&) = delete;

    // Before anything is sent: whoever was written of and not followed is asked about.
    Result<> open();
    void start();
    void stop();
    // What has been told so far, on this thread; how many there was something to do about.
    Result<std::size_t> follow_all();

    std::string_view table() const override { return books_.tables.audience; }
    std::string_view key_name() const override { return "PK"; }
    void begin(const Rows& rows) override;
    void end(Rows rows) override;

private:
    void work();
    void look();
    void know(const std::string& address);
    bool is_stopping() const;
    // Under the lock.
    void set_mark(bool all_followed);
    bool is_quiet() const;
    std::chrono::milliseconds pause() const;

    Suppressions& suppressions_;
    const Books& books_;
    const AudienceFollower follower_;
    const FollowedAudienceOptions options_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::string> addresses_;
    std::size_t in_flight_ = 0;
    bool look_wanted_ = true;
    bool marked_ = false;  // As followed.
    bool failed_ = false;  // The last round: the next one waits.
    bool stopping_ = false;
    std::chrono::steady_clock::time_point last_write_, last_look_;
    std::thread thread_;
};

}  // namespace mailroom::people
