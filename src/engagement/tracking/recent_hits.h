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

struct RecentHit {
    Hit::Kind kind = Hit::Kind::open;
    std::uint16_t link = 0;
    Time at = {};
};

// Thread-safe.
class RecentHits {
public:
    static constexpr auto kept_for = std::chrono::minutes(2);
    static constexpr std::size_t kept_max = 500'000;
    // Of one mail within that time: more are not people.
    static constexpr std::size_t of_a_mail_max = 300;
    static constexpr std::size_t rows_max = 50'000;

    // False if there are too many of that mail, and it was not noted.
    bool note(const Hit& hit, Time now);
    std::vector<RecentHit> of(const std::string& mail_id) const;

    // Whether the hits of a row of the journal were noted here.
    void note_row(std::string_view name);
    bool has_row(std::string_view name) const;

private:
    void forget(Time now);

    struct Noted {
        Time noted;
        std::string mail_id;
    };
    mutable std::mutex mutex_;
    std::deque<Noted> order_;
    std::unordered_map<std::string, std::vector<RecentHit>> by_mail_;
    std::deque<std::string> row_order_;
    std::set<std::string, std::less<>> rows_;
};

}  // namespace mailroom::engagement
