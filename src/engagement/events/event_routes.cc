#include "engagement/events/event_routes.h"

#include "base/time_format.h"
#include "engagement/events/event_record.h"
#include "engagement/scopes.h"
#include "people/canonical.h"
#include "program/forms.h"
#include "table/query_builder.h"

#include <optional>
#include <utility>

namespace mailroom::engagement {

namespace {

using namespace table::fields;
using program::Actor;
using table::PageWish;
using table::Slice;

struct EventsAsk {
    std::optional<EventType> type;
    std::optional<Time> from, to;

    static constexpr auto fields = std::tuple{
        asked("type", &EventsAsk::type, "Only those of one type."),
        spelled<table::FromDayOrTime>(asked("from", &EventsAsk::from, "A day or a time.")),
        spelled<table::DayOrTime>(asked("to", &EventsAsk::to, "A day or a time."))};
};
struct PersonAsk {
    std::string email;
    static constexpr auto fields =
        std::tuple{required("email", &PersonAsk::email, "In any spelling.")};
};
struct EventsOfPerson {
    PersonAsk person;
    EventsAsk events;
    static constexpr auto fields =
        std::tuple{part(&EventsOfPerson::person), part(&EventsOfPerson::events)};
};
struct EventsOfMails {
    std::string template_key, sequence;
    EventsAsk events;
    static constexpr auto fields = std::tuple{
        asked("template", &EventsOfMails::template_key, "Of mails made of this template, or:"),
        asked("sequence", &EventsOfMails::sequence, "Of this sequence or broadcast."),
        part(&EventsOfMails::events)};
    static void check(const EventsOfMails& ask, table::Reading& reading) {
        if (ask.template_key.empty() == ask.sequence.empty()) {
            reading.wrong_member("template", "or sequence must be said, and not both");
        }
    }
};

// Sort keys of events from one moment to another. '~' is behind all that follows a time.
void limit_times(table::QueryBuilder& query, const EventsAsk& ask) {
    const auto prefix = std::string(rows::event_prefix);
    const auto first = ask.from ? prefix + format_rfc3339(*ask.from) : prefix;
    const auto last = ask.to ? prefix + format_rfc3339(*ask.to) + "~" : prefix + "~";
    query.between(rows::sort_key, first, last).newest_first();
    if (ask.type) query.where("eventType", name_of(*ask.type));
}

Answer<Slice<EventRecord>> page_of(table::Store& store, const std::string& events,
                                   const table::Query& query, const PageWish& wish) {
    return TRY(table::read_page(store, query, rows::declared_events(events).made, wish,
                                table::from_item<EventRecord>));
}

Answer<std::string> canonical_in_path(const std::string& email) {
    auto canonical = people::canonical_of(email);
    if (!canonical) return Refusal::bad_field("email", canonical.error().message);
    return *std::move(canonical);
}

}  // namespace

void add_event_routes(program::Api& api, table::Store& store, std::string events,
                      const Timeline& timeline) {
    api.list("/v1/people/{email}/events",
             {.name = "list_person_events",
              .scope = scope::people_read,
              .summary = "What became of the mails to a person, the newest first",
              .agents = program::Agents::may},
             [&store, events](const EventsOfPerson& in, const PageWish& wish,
                              const Actor&) -> Answer<Slice<EventRecord>> {
                 const auto canonical = TRY(canonical_in_path(in.person.email));
                 auto query = table::from(events);
                 query.partition(rows::partition_key, rows::person(canonical)).consistent();
                 limit_times(query, in.events);
                 return page_of(store, events, query, wish);
             });
    api.list("/v1/people/{email}/timeline",
             {.name = "timeline",
              .scope = scope::people_read,
              .summary = "All that happened with a person, the newest first",
              .more = "Mails that left, what became of them, and what the person agreed to.",
              .agents = program::Agents::may},
             [&timeline](const PersonAsk& in, const PageWish& wish,
                         const Actor&) -> Answer<Slice<Moment>> {
                 const auto canonical = TRY(canonical_in_path(in.email));
                 return TRY(timeline.of(canonical, wish));
             });
    api.list(
        "/v1/engagement/events",
        {.name = "list_events",
         .scope = scope::events,
         .summary = "What became of the mails of a template or a sequence, the newest first",
         .agents = program::Agents::may},
        [&store, events](const EventsOfMails& in, const PageWish& wish,
                         const Actor&) -> Answer<Slice<EventRecord>> {
            auto query = table::from(events);
            if (in.sequence.empty()) {
                query.index(std::string(rows::template_index))
                    .partition("templateKey", in.template_key);
            } else {
                query.index(std::string(rows::sequence_index)).partition("sequenceId", in.sequence);
            }
            limit_times(query, in.events);
            return page_of(store, events, query, wish);
        });
}

}  // namespace mailroom::engagement
