#include "engagement/events/peoples_deeds.h"

#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "engagement/numbers/counts.h"
#include "people/books.h"
#include "table/query_builder.h"

#include <utility>

namespace mailroom::engagement {

namespace {

using people::Deed;

// None: what was sent is not among the events.
std::optional<EventType> type_of(Deed deed) {
    switch (deed) {
        case Deed::sent:
            return std::nullopt;
        case Deed::delivered:
            return EventType::delivery;
        case Deed::opened:
            return EventType::open;
        case Deed::clicked:
            return EventType::click;
        case Deed::bounced:
            return EventType::bounce;
        case Deed::complained:
            return EventType::complaint;
        case Deed::replied:
            return EventType::reply;
    }
    return std::nullopt;
}

// When it was, as its key has it: also of rows of other programs.
std::optional<Time> time_of(const table::ItemView& row) {
    auto text = row.text(rows::sort_key).value_or("");
    if (!text.starts_with(rows::event_prefix)) return std::nullopt;
    text.remove_prefix(rows::event_prefix.size());
    const auto time = parse_rfc3339(text.substr(0, text.find('#')));
    return time ? std::optional(*time) : std::nullopt;
}

bool is_of_person(const table::ItemView& row, EventType type) {
    if (row.text("eventType") != name_of(type)) return false;
    return !row.boolean("machine").value_or(false) && row.text("feedbackType") != not_spam_feedback;
}

table::Query query_of(const std::string& table, const people::Mails& mails,
                      std::optional<Time> since) {
    const bool is_template = mails.group == people::MailGroup::of_template;
    auto query = table::from(table);
    query.index(std::string(is_template ? rows::template_index : rows::sequence_index));
    query.partition(is_template ? "templateKey" : "sequenceId", mails.id);
    const std::string from = since ? format_rfc3339(*since) : "";
    query.at_least(rows::sort_key, std::string(rows::event_prefix) + from);
    query.only({rows::partition_key, rows::sort_key, "eventType", "machine", "feedbackType"});
    return query;
}

}  // namespace

Result<people::DeedsByPerson> PeoplesDeeds::of(const people::Mails& mails, Deed deed,
                                               std::optional<Time> since) const {
    people::DeedsByPerson deeds;
    const auto type = type_of(deed);
    if (!type) return deeds;
    auto query = query_of(table_, mails, since);
    do {
        const auto page = TRY(store_.query(query));
        for (const auto& row : page.items) {
            const auto person =
                people::person_of_partition(row.text(rows::partition_key).value_or(""));
            const auto time = time_of(row);
            if (person && time && is_of_person(row, *type)) deeds[std::string(*person)].add(*time);
        }
        query.start_key = page.last_key;
    } while (query.start_key);
    return deeds;
}

}  // namespace mailroom::engagement
