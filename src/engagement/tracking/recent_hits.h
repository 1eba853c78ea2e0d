// What was asked for in the last minutes, by mail: what a machine did is seen by what it did just
// before and after.
//
// Of this process only. What is judged by it may differ after a restart, or where two nodes saw
// half of it each; so it decides how an event is shown, and never whether there is one.
#pragma once

#include "engagement/tracking/hit.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mailroom::engagement {

// Two different links of a mail within this time: nobody clicks so fast.
inline constexpr auto burst_time = std::chrono::milliseconds(1000);

struct RecentHit {
    Hit::Kind kind = Hit::Kind::open;
    std::uint16_t link = 0;
    Time at = {};

    bool is_burst_with(const RecentHit& other) const;
};

// Thread-safe.
class RecentHits {
public:
    static constexpr auto kept_for = std::chrono::minutes(2);
    static constexpr std::size_t kept_max = 500'000;
    // Of one mail within that time: more are not people.
    static constexpr std::size_t of_a_mail_max = 300;
    static constexpr std::size_t rows_max = 100'000;
    // Those that are a burst are remembered for longer, because they may be judged much later while
    // many others come.
    static constexpr auto bursts_kept_for = std::chrono::hours(1);
    static constexpr std::size_t bursts_kept_max = 200'000;

    // False if there are too many of that mail, and it was not noted.
    bool note(const Hit& hit, Time now);
    // And those that were a burst.
    std::vector<RecentHit> of(const std::string& mail_id) const;

    // Whether the hits of a row of the journal were noted here.
    void note_row(std::string_view name);
    bool has_row(std::string_view name) const;

private:
    // A mail, by a hash of its id: nobody can choose ids that are taken for one another.
    using Mail = std::size_t;
    // By mail, those of each in the order in which they were noted.
    class Memory {
    public:
        // None if nothing is remembered.
        const std::vector<RecentHit>* find(Mail mail) const;
        void add(Mail mail, const RecentHit& hit, Time now);
        void forget(Time noted_before, std::size_t left_max);

    private:
        struct Noted {
            Time noted;
            Mail mail;
        };
        std::deque<Noted> order_;
        std::unordered_map<Mail, std::vector<RecentHit>> by_mail_;
    };

    void note_burst(Mail mail, const RecentHit& hit, const std::vector<RecentHit>& others,
                    Time now);

    mutable std::mutex mutex_;
    Memory recent_, bursts_;
    std::deque<std::string> row_order_;
    std::set<std::string, std::less<>> rows_;
};

}  // namespace mailroom::engagement
