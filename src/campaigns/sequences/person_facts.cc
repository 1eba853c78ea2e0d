#include "campaigns/sequences/person_facts.h"

#include "base/time_format.h"
#include "table/query_builder.h"
#include "table/records/many.h"

namespace mailroom::campaigns {

namespace {

constexpr std::string_view sent_prefix = "SENT#";

// "SENT#2026-03-17T10:30:00.000Z", perhaps with more of ours behind it.
SentMail sent_mail(const table::ItemView& row) {
    constexpr std::size_t time_bytes = 24;
    const auto sort = row.text("SK").value_or("").substr(sent_prefix.size());
    const auto time = parse_rfc3339(sort.substr(0, time_bytes));
    return {time ? *time : Time(), std::string(row.text("templateKey").value_or(""))};
}

}  // namespace

Result<PersonFacts> facts_of(const people::Books& books, std::string_view canonical) {
    PersonFacts facts;
    facts.profile = TRY(books.get(books.tables.audience, people::profile_key(canonical)));
    facts.activity = TRY(people::Activities(books.store, books.tables.people).of(canonical));
    const auto rows = TRY(table::query_all(
        books.store, table::from(books.tables.audience)
                         .partition("PK", table::Value(people::partition_of_person(canonical)))
                         .begins_with("SK", sent_prefix)
                         .only({"SK", "templateKey"})
                         .consistent()));
    for (const auto& row : rows) facts.sent.push_back(sent_mail(row));
    return facts;
}

}  // namespace mailroom::campaigns
