// The tables of people, and what everybody who works on them needs.
//
//   Audience         PK S, SK S   ttl N (Unix seconds)   as other programs know it
//     SUB#{canonical address}   PROFILE              see profile.h
//     SUB#{canonical address}   SUPPRESSION          that nothing may be sent: see change.h
//     SUB#{canonical address}   SENT#{time}          a mail that left
//     TAG#{tag}                 SUB#{canonical}      email S, taggedAt S
//   MailroomPeople   PK S, SK S   ttl N              hidden
//     CONSENT#{canonical}       {time}#{tail}        see consent/trail.h
//     PENDING#{canonical}, CONFIRM#{hash}            see consent/confirmations.h
//     TOPICS                    {id}                 see consent/topics.h
//     IMPORT#{id}               …                    see import/import.h
//     FOLLOWED                  AUDIENCE             see others/followed_audience.h
//   MailroomSuppressions      see suppressions.h
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "people/consent/trail.h"
#include "people/lifecycle/personal_data.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct TableNames {
    std::string audience = "Audience";
    std::string people = "MailroomPeople";
    std::string suppressions = "MailroomSuppressions";
};

// All must outlive those who use them. Thread-safe.
struct Books {
    table::Store& store;
    const Clock& clock;
    Random& random;
    TableNames tables = {};
    ConsentTrail trail{store, clock, random, people_table(tables.people)};
    PersonalParts parts = {};  // What else is known of people.

    static std::vector<table::OwnTable> declared(const TableNames& names);
    static table::CreateTable audience_table(const std::string& name);
    static table::CreateTable people_table(const std::string& name);
    // Makes the tables that are not there.
    Result<> open();
    // The row as of now; none if there is none.
    Result<std::optional<table::Item>> get(const std::string& table, table::Item key) const;
};

// The keys of rows in Audience. An address is in canonical form.
std::string partition_of_person(std::string_view canonical);  // SUB#ann@example.com
// None for a partition that is no person's.
std::optional<std::string_view> person_of_partition(std::string_view partition);
std::string partition_of_tag(std::string_view tag);  // TAG#beta
table::Item profile_key(std::string_view canonical);
table::Item suppression_key(std::string_view canonical);
table::Item tag_key(std::string_view tag, std::string_view canonical);

}  // namespace mailroom::people
