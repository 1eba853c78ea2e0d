// The table of campaigns, and what everybody who works on it needs.
//
//   MailroomCampaigns   PK S, SK S   ttl N (Unix seconds)   hidden
//     SEQUENCES, SEQUENCE#{id}   see sequences/sequence_rows.h
//     TEMPLATES, TEMPLATE#{key}, PARTS#{key}, FILE#{sha256}   see templates/template_rows.h
//     INSIDE#{address}, PAST#{address}   see sequences/execution_rows.h
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/refusal.h"
#include "base/result.h"
#include "program/commit.h"
#include "schedule/schedule.h"
#include "table/own_tables.h"
#include "table/records/rows.h"
#include "table/store.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::campaigns {

struct TableNames {
    std::string campaigns = "MailroomCampaigns";
    std::string audience = "Audience";  // Of people; what of campaigns others know stands there.
};

// All must outlive those who use them. Thread-safe.
struct Books {
    table::Store& store;
    schedule::Schedule& schedule;
    const Clock& clock;
    Random& random;
    TableNames tables = {};

    static std::vector<table::OwnTable> declared(const TableNames& names);
    static table::CreateTable campaigns_table(const std::string& name);
    // Makes the tables that are not there.
    Result<> open() const;
    // Those of our table that are Ts.
    template <class T>
    table::Rows<T> rows() const {
        return {store, campaigns_table(tables.campaigns)};
    }
    // `lost_race` when somebody else was faster.
    Answer<> commit(const schedule::Transaction& transaction) const {
        return program::commit(schedule, transaction);
    }
    // The row as of now; none if there is none.
    Result<std::optional<table::Item>> get(const std::string& table, table::Item key) const;
};

}  // namespace mailroom::campaigns
