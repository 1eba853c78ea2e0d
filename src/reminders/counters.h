// How many of what, by day. Kept by atomic additions in the transactions of what they count.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "reminders/books.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

namespace counter {
inline constexpr std::string_view created = "templates_created";
inline constexpr std::string_view approved = "templates_approved";
inline constexpr std::string_view rejected = "drafts_rejected";
inline constexpr std::string_view cancelled = "drafts_cancelled";
inline constexpr std::string_view sent = "emails_sent";
inline constexpr std::string_view failed = "emails_failed";
inline constexpr std::string_view delivered = "emails_delivered";
inline constexpr std::string_view bounced = "emails_bounced";
inline constexpr std::string_view complained = "emails_complained";
// Of the bounced: those whose server said so at once, and that were never sent.
inline constexpr std::string_view no_such_address = "addresses_refused";
}  // namespace counter
std::string_view sent_counter(ReminderType type);  // "first_reminders", …, "final_notices"

// Adds 1 to each. Once in a transaction.
void count(schedule::Transaction& transaction, const Books& books, Time at,
           std::initializer_list<std::string_view> counters);

struct DayCounts {
    std::string day;                                          // "2025-09-01"
    std::map<std::string, std::int64_t, std::less<>> counts;  // Those that are not 0.

    std::int64_t of(std::string_view name) const;
    // Of those sent; none if none were.
    std::optional<double> delivery_rate() const;
    // Of those sent, and those refused because there is no such address.
    std::optional<double> bounce_rate() const;
};

inline constexpr int count_days_max = 366;
// Each day from the one of `from` to that of `to`, at most count_days_max of them.
Result<std::vector<DayCounts>> daily_counts(const Books& books, Time from, Time to);

}  // namespace mailroom::reminders
