#include "engagement/events/personal_events.h"

#include "engagement/events/rows.h"
#include "engagement/events/streaks.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <utility>

namespace mailroom::engagement {

namespace {

// Of what is kept of a mail: what says who got it, and what it said.
constexpr std::string_view email_name = "Email", subject_name = "Subject";

// What is not there needs not be changed.
Result<> unless_conflict(const table::Outcome<table::WriteResult>& written) {
    if (written) return Ok{};
    const Error error = written.error();
    if (error.code == Errc::conflict) return Ok{};
    return error;
}

}  // namespace

PersonalEvents::PersonalEvents(table::Store& store, const TableNames& tables, std::string audience)
    : store_(store),
      tables_(tables),
      audience_(std::move(audience)),
      events_(store, "events", tables.events, rows::person("")) {}

Result<std::set<std::string>> PersonalEvents::mails_of(const std::string& person,
                                                       Time until) const {
    std::set<std::string> mails;
    for (const auto& [table, prefix] : {std::pair(&tables_.events, rows::event_prefix),
                                        std::pair(&audience_, rows::sent_prefix)}) {
        const table::Query all = table::from(*table)
                                     .partition(rows::partition_key, rows::person(person))
                                     .begins_with(rows::sort_key, prefix)
                                     .only({rows::sort_key, "mailroomMailId"})
                                     .consistent();
        for (const auto& row : TRY(table::query_all(store_, all))) {
            const auto mail = row.text("mailroomMailId");
            if (!people::is_until(row.text(rows::sort_key).value_or(""), until)) continue;
            if (mail && !mail->empty()) mails.emplace(*mail);
        }
    }
    return mails;
}

// The events last: they say which mails there are, if this is interrupted.
Result<> PersonalEvents::erase(const std::string& person) {
    return erase_until(person, Time::max());
}

Result<> PersonalEvents::erase_until(const std::string& person, Time until) {
    for (const auto& mail : TRY(mails_of(person, until))) TRY(forget_mail(mail, person));
    TRY(unless_conflict(store_.erase(table::write::Erase(tables_.own, Streaks::key_of(person)))));
    return events_.erase_until(person, until);
}

Result<> PersonalEvents::forget_mail(const std::string& mail_id, const std::string& person) const {
    TRY(unless_conflict(
        store_.erase(table::write::Erase(tables_.own, rows::mail_by(mail_id, person)))));
    return unless_conflict(store_.update(table::write::Update(tables_.own, rows::mail(mail_id))
                                             .remove(email_name)
                                             .remove(subject_name)
                                             .when(email_name, person)));
}

Result<> PersonalEvents::move(const std::string& person, const std::string& to) {
    for (const auto& mail : TRY(mails_of(person))) TRY(move_mail(mail, person, to));
    // Whether mails arrive at one address says nothing of another.
    TRY(unless_conflict(store_.erase(table::write::Erase(tables_.own, Streaks::key_of(person)))));
    return events_.move(person, to);
}

Result<> PersonalEvents::move_mail(const std::string& mail_id, const std::string& person,
                                   const std::string& to) const {
    table::GetItem request;
    request.table = tables_.own;
    request.key = rows::mail_by(mail_id, person);
    request.consistent = true;
    const auto mine = TRY(store_.get(request)).item;
    if (mine) {
        table::write::Transaction together;
        auto& theirs = together.update(tables_.own, rows::mail_by(mail_id, to));
        for (const auto field : mine->view()) {
            if (field.name == rows::partition_key || field.name == rows::sort_key) continue;
            theirs.set_if_absent(field.name, table::Value(field.value));
        }
        together.erase(tables_.own, rows::mail_by(mail_id, person));
        TRY(store_.transact(together));
    }
    return unless_conflict(store_.update(table::write::Update(tables_.own, rows::mail(mail_id))
                                             .set(email_name, to)
                                             .when(email_name, person)));
}

}  // namespace mailroom::engagement
