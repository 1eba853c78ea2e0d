// How many mails of something were sent, arrived, were opened …: one row's counts, or sums of them.
#pragma once

#include "table/records/record.h"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace mailroom::engagement {

struct Figures {
    std::int64_t sent = 0, delivered = 0, opens = 0, unique_opens = 0, clicks = 0;
    std::int64_t unique_clicks = 0, machine_opens = 0, machine_clicks = 0, bounces = 0;
    std::int64_t hard_bounces = 0, soft_bounces = 0, complaints = 0, not_spam = 0, replies = 0;
    std::int64_t unsubscribes = 0, skipped = 0;

    Figures& operator+=(const Figures& other);
    bool operator==(const Figures&) const = default;

    static constexpr std::string_view record_name = "EngagementFigures";
    // The names in rows are those of counts.h.
    static constexpr auto fields = std::tuple{
        table::kept("sentCount", "sent", &Figures::sent, "Mails that left."),
        table::kept("deliveryCount", "delivered", &Figures::delivered, "A server took them."),
        table::kept("openCount", "opens", &Figures::opens, "By people, each as often as it was."),
        table::kept("uniqueOpenCount", "unique_opens", &Figures::unique_opens,
                    "Mails that a person opened at least once."),
        table::kept("clickCount", "clicks", &Figures::clicks, "By people."),
        table::kept("uniqueClickCount", "unique_clicks", &Figures::unique_clicks,
                    "Mails of which a person followed at least one link."),
        table::kept("machineOpenCount", "machine_opens", &Figures::machine_opens,
                    "By programs that fetch what is in a mail; not among the opens."),
        table::kept("machineClickCount", "machine_clicks", &Figures::machine_clicks,
                    "By programs that follow links; not among the clicks."),
        table::kept("bounceCount", "bounces", &Figures::bounces, "Mails that did not arrive."),
        table::kept("hardBounceCount", "hard_bounces", &Figures::hard_bounces,
                    "Because there is nobody at that address."),
        table::kept("softBounceCount", "soft_bounces", &Figures::soft_bounces, "This time."),
        table::kept("complaintCount", "complaints", &Figures::complaints),
        table::kept("notSpamCount", "not_spam", &Figures::not_spam, "Complaints taken back."),
        table::kept("replyCount", "replies", &Figures::replies),
        table::kept("unsubscribeCount", "unsubscribes", &Figures::unsubscribes),
        table::kept("skippedCount", "skipped", &Figures::skipped,
                    "Not sent, because the person may not be written to.")};
};

}  // namespace mailroom::engagement
