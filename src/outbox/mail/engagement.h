// What a mail says about itself to whoever keeps account of what people do with it: of which
// template and sequence it is, to which topic it belongs, and what is to be added to it for the
// person who gets it. It is asked for with the member `engagement` of a request, and kept on the
// row of the mail.
#pragma once

#include "table/records/record.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::outbox {

inline constexpr std::size_t engagement_name_bytes_max = 256;  // Of a template or a sequence.
inline constexpr std::size_t topic_bytes_max = 64;
inline constexpr std::size_t utm_bytes_max = 128;

// What is added to the query of its links, each if it is there.
struct Utm {
    std::string source, medium, campaign, term, content;

    bool empty() const { return *this == Utm(); }
    bool operator==(const Utm&) const = default;

    static constexpr std::string_view record_name = "MailUtm";
    static constexpr auto fields =
        std::tuple{table::Member{"Source", "source", &Utm::source, table::Need::omitted, ""},
                   table::Member{"Medium", "medium", &Utm::medium, table::Need::omitted, ""},
                   table::Member{"Campaign", "campaign", &Utm::campaign, table::Need::omitted, ""},
                   table::Member{"Term", "term", &Utm::term, table::Need::omitted, ""},
                   table::Member{"Content", "content", &Utm::content, table::Need::omitted, ""}};
    static void check(const Utm& utm, table::Reading& reading);
};

struct Engagement {
    std::string template_key, sequence_id;  // Empty: of none. A broadcast's id is a sequence's.
    std::string topic;                      // Empty: of none.
    bool track_opens = false, track_clicks = false;
    bool unsubscribe = false;  // One click takes whoever gets it off the list.
    Utm utm;
    std::string subject;  // As the mail has it: not asked for, but kept with it.

    // Whether each who gets the mail must get one of their own.
    bool is_personal() const { return track_opens || track_clicks || unsubscribe; }
    bool operator==(const Engagement&) const = default;

    static constexpr std::string_view record_name = "MailEngagement";
    // The names in the row are on disk: never change.
    static constexpr auto fields =
        std::tuple{table::Member{"Template", "template_key", &Engagement::template_key,
                                 table::Need::omitted, "Its events are counted for this template."},
                   table::Member{"Sequence", "sequence_id", &Engagement::sequence_id,
                                 table::Need::omitted, "The same for a sequence or a broadcast."},
                   table::Member{"Topic", "topic", &Engagement::topic, table::Need::omitted,
                                 "Who does not want that topic does not get the mail."},
                   table::Member{"Opens", "track_opens", &Engagement::track_opens,
                                 table::Need::omitted, "A picture tells when the mail is opened."},
                   table::Member{"Clicks", "track_clicks", &Engagement::track_clicks,
                                 table::Need::omitted, "Links lead past us."},
                   table::Member{"Unsubscribe", "unsubscribe", &Engagement::unsubscribe,
                                 table::Need::omitted, "With List-Unsubscribe, by one click."},
                   table::Member{"Utm", "utm", &Engagement::utm, table::Need::omitted,
                                 "What is added to the query of its links."},
                   table::Member{"Subject", "", &Engagement::subject, table::Need::omitted, ""}};
    static void check(const Engagement& engagement, table::Reading& reading);
};

}  // namespace mailroom::outbox
