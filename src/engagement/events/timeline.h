// Everything that is known to have happened with one person, the newest first: mails that left,
// what became of them, and what the person agreed to.
#pragma once

#include "base/result.h"
#include "engagement/events/event_record.h"
#include "people/consent/trail.h"
#include "table/records/pages.h"
#include "table/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::engagement {

struct Moment {
    std::string at;    // As rows have it.
    std::string what;  // "sent", the type of an event, or "consent".
    std::string subject, template_key, sequence_id, mail_id, link_url, reason;
    bool is_machine = false;
    std::string about, from, to, source;  // Of consent.

    static constexpr std::string_view record_name = "TimelineMoment";
    static constexpr auto fields = std::tuple{
        table::shown("at", &Moment::at),
        table::shown("what", &Moment::what,
                     "sent; the type of an event; consent: a change of what the person wants."),
        table::shown_or_omitted("subject", &Moment::subject),
        table::shown_or_omitted("templateKey", &Moment::template_key),
        table::shown_or_omitted("sequenceId", &Moment::sequence_id),
        table::shown_or_omitted("mailroomMailId", &Moment::mail_id),
        table::shown_or_omitted("linkUrl", &Moment::link_url),
        table::shown_or_omitted("reason", &Moment::reason, "Or what a server said."),
        table::shown_or_omitted("machine", &Moment::is_machine),
        table::shown_or_omitted("about", &Moment::about, "Of consent: mail, all, topic:ID …"),
        table::shown_or_omitted("from", &Moment::from),
        table::shown_or_omitted("to", &Moment::to),
        table::shown_or_omitted("source", &Moment::source)};
};

// Thread-safe.
class Timeline {
public:
    struct Tables {
        std::string audience, events, people;
    };
    // The store must outlive this object.
    Timeline(table::Store& store, Tables tables) : store_(store), tables_(std::move(tables)) {}

    // `invalid` if `after` is not what a page said.
    Result<table::Slice<Moment>> of(std::string_view canonical, const table::PageWish& wish) const;

private:
    struct Source;
    Result<std::vector<Source>> sources_of(std::string_view canonical,
                                           const table::PageWish& wish) const;
    Result<> read(Source& source, std::size_t limit) const;

    table::Store& store_;
    const Tables tables_;
};

}  // namespace mailroom::engagement
