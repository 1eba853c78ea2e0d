// What is counted, by day: see program/day_counts.h.
#pragma once

#include "program/day_counts.h"
#include "reminders/fields.h"
#include "reminders/reminder_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

namespace counter {
inline constexpr std::string_view created = "templates_created";
inline constexpr std::string_view approved = "templates_approved";
inline constexpr std::string_view rejected = "drafts_rejected";
inline constexpr std::string_view cancelled = "drafts_cancelled";
inline constexpr std::string_view first = "first_reminders";
inline constexpr std::string_view second = "second_reminders";
inline constexpr std::string_view final_notice = "final_notices";
inline constexpr std::string_view sent = "emails_sent";
inline constexpr std::string_view failed = "emails_failed";
inline constexpr std::string_view delivered = "emails_delivered";
inline constexpr std::string_view bounced = "emails_bounced";
inline constexpr std::string_view complained = "emails_complained";
// Of the bounced: those whose server said so at once, and that were never sent.
inline constexpr std::string_view no_such_address = "addresses_refused";
}  // namespace counter
inline std::string_view sent_counter(ReminderType type) {
    constexpr std::string_view names[] = {counter::first, counter::second, counter::final_notice};
    return names[index_of(type)];
}

// The numbers of a day, or of several, as they are shown.
struct ReminderCounts : program::DayCounts {
    // Of those sent; none if none were.
    std::optional<double> delivery_rate() const {
        return share(of(counter::delivered), of(counter::sent));
    }
    // Of those sent, and those refused because there is no such address.
    std::optional<double> bounce_rate() const {
        return share(of(counter::bounced), of(counter::sent) + of(counter::no_such_address));
    }
    static std::optional<double> share(std::int64_t part, std::int64_t whole) {
        if (whole == 0) return std::nullopt;
        return static_cast<double>(part) / static_cast<double>(whole);
    }
    template <const std::string_view& counter>
    std::int64_t number() const {
        return of(counter);
    }

    static constexpr std::string_view record_name = "ReminderCounts";
    static constexpr auto fields =
        std::tuple{shown("date", &ReminderCounts::day),
                   shown("templates_created", &ReminderCounts::number<counter::created>),
                   shown("templates_approved", &ReminderCounts::number<counter::approved>),
                   shown("first_reminders", &ReminderCounts::number<counter::first>),
                   shown("second_reminders", &ReminderCounts::number<counter::second>),
                   shown("final_notices", &ReminderCounts::number<counter::final_notice>),
                   shown("emails_sent", &ReminderCounts::number<counter::sent>),
                   shown("emails_failed", &ReminderCounts::number<counter::failed>),
                   shown("emails_delivered", &ReminderCounts::number<counter::delivered>),
                   shown("emails_bounced", &ReminderCounts::number<counter::bounced>),
                   shown("emails_complained", &ReminderCounts::number<counter::complained>),
                   shown("drafts_rejected", &ReminderCounts::number<counter::rejected>),
                   shown("drafts_cancelled", &ReminderCounts::number<counter::cancelled>),
                   shown("delivery_rate", &ReminderCounts::delivery_rate, "Of those sent."),
                   shown("bounce_rate", &ReminderCounts::bounce_rate)};
};

}  // namespace mailroom::reminders
