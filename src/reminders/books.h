// The tables of reminders, and what everybody who works on them needs.
//
//   EmailTrackingTable   PK S, SK S   index GSI1 (GSI1PK, GSI1SK)   expires_at N (Unix seconds)
//     CUSTOMER#{customer}   DRAFT#{stamp}_{customer}    STATUS#{status}, created_date
//     CUSTOMER#{customer}   SENT#{stamp}_{type}         STATUS#sent, sent_date
//     TEMPLATE#{template}   VERSION#{number}            STATUS#active or inactive, created_date
//     A key that is taken gets "_" and four characters more. A draft that was sent is listed under
//     STATUS#draft_sent, so that STATUS#sent holds each mail once.
//   MailroomCustomers    customer_id S   indexes OverdueIndex (overdue_group, earliest_due),
//                        LateIndex (late_group, late_rate): see customer.h
//   MailroomInvoices     invoice_id S    index CustomerIndex (customer_id, due_ms): see invoice.h
//   MailroomReminders    PK S, SK S      index DayIndex (day, SK)   expires_at N
//     ADDRESS#{address}     REMINDERS       what was sent there: see addresses.h
//     TEMPLATE#{template}   HEAD            latest N, active N
//     ANALYTICS#{day}       DAILY_SUMMARY, DAILY_SUMMARY#1, …   counters, to be summed
//     AUDIT#{customer}      {time}#{ulid}   who did what; day S
//     PAYMENTS#{invoice}    {stamp}_{tail}  what was paid: see payments.h
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "program/actor.h"
#include "program/commit.h"
#include "program/day_counts.h"
#include "program/trail.h"
#include "reminders/audit.h"
#include "reminders/calendar.h"
#include "reminders/policy.h"
#include "reminders/refusal.h"
#include "schedule/schedule.h"
#include "table/own_tables.h"
#include "table/records/rows.h"
#include "table/store.h"

#include <string>
#include <vector>

namespace mailroom::reminders {

struct TableNames {
    std::string tracking = "EmailTrackingTable";
    std::string customers = "MailroomCustomers";
    std::string invoices = "MailroomInvoices";
    std::string reminders = "MailroomReminders";
};

// All must outlive those who use them. Thread-safe.
struct Books {
    table::Store& store;
    schedule::Schedule& schedule;
    const Clock& clock;
    Random& random;
    Policy policy = {};
    TableNames tables = {};
    Calendar calendar{policy.times};
    program::Trail<AuditEntry> audit{store, clock, random, declared(tables.reminders)};
    program::DayCounters counters{store, random, tables.reminders};

    static std::vector<table::OwnTable> declared(const TableNames& names);
    // One of them, as it is made.
    table::CreateTable declared(const std::string& table) const;
    // Makes the tables that are not there.
    Result<> open();
    // Those of one of the tables that are Ts.
    template <class T>
    table::Rows<T> rows(const std::string& table) const {
        return {store, declared(table)};
    }
    // See table/records/pages.h.
    template <class Request, class Read>
    auto page(const Request& request, const table::PageWish& wish, const Read& read) const {
        return table::read_page(store, request, declared(request.table), wish, read);
    }
    // `lost_race` when somebody else was faster.
    Answer<> commit(const schedule::Transaction& transaction) {
        return program::commit(schedule, transaction);
    }
    // The row as of now; none if there is none.
    Result<std::optional<table::Item>> get(const std::string& table, table::Item key) const;
};

using program::mailroom_itself;
// By what an author is known: the key, and whoever holds it.
std::vector<std::string> names_of_author(const program::Actor& who);
// Managers may decide against the rules.
inline bool is_manager(const program::Actor& who) { return who.may(program::scope::admin); }

}  // namespace mailroom::reminders
