#include "engagement/events/personal_events.h"

#include "engagement/events/rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <set>

namespace mailroom::engagement {

namespace {

constexpr std::string_view mail_id_name = "mailroomMailId";
constexpr std::string_view email_name = "Email";  // Of what is kept of a mail: see facts.h.

}  // namespace

PersonalEvents::PersonalEvents(table::Store& store, const TableNames& tables)
    : store_(store), tables_(tables), events_(store, "events", tables.events, rows::person("")) {}

// Of mails nothing but whose they were; of events everything, last: they lead to the mails.
Result<> PersonalEvents::erase(const std::string& person) {
    std::set<std::string, std::less<>> mails;
    const table::Query query =
        table::from(tables_.events).partition("PK", rows::person(person)).consistent();
    for (const auto& row : TRY(table::query_all(store_, query))) {
        const auto mail_id = row.text(mail_id_name);
        if (mail_id) mails.emplace(*mail_id);
    }
    for (const auto& mail_id : mails) TRY(forget_mail(mail_id, person));
    return events_.erase(person);
}

Result<> PersonalEvents::forget_mail(const std::string& mail_id, const std::string& person) {
    TRY(store_.erase(table::write::Erase(tables_.own, rows::mail_by(mail_id, person))));
    const auto forgotten = store_.update(table::write::Update(tables_.own, rows::mail(mail_id))
                                             .remove(email_name)
                                             .when(email_name, table::Value(person)));
    if (forgotten) return Ok{};
    const Error error = forgotten.error();
    // It went to several, or expired.
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

}  // namespace mailroom::engagement
