// The counts of ledger.h. For the ledger's own files.
//
//   MailroomOutboxCounts     Shard S ("0" to "7")   one N for each name of a state, and HELD; and
//                            AcceptedTotal, SentTotal, FailedTotal, StepsTotal
//                            Shard S ("#" name)     Value S: Ledger::mark()
//   MailroomOutboxExpiring   Shard S, Day S         one N for each name of a state "@" hour:
//                            the mails whose rows go in that hour ("SENT@07")
// A mail is in one of the two tables: in the second if its _META row has a TTL. So nobody needs to
// count when rows go. Only the sums over all shards mean something. They are added to
// (table::Addition) and written in no other way. On disk: never change.
#pragma once

#include "outbox/mail/ledger.h"
#include "schedule/transaction.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// As many as nodes of a shared store are likely to write at the same moment; each read asks for
// all.
inline constexpr std::size_t count_shards = 8;

std::string shard_name(std::size_t shard);

// What a mail is counted as.
struct Counted {
    std::string_view name;             // Empty: it is not.
    std::int64_t expires_seconds = 0;  // 0: not until it is settled.

    bool operator==(const Counted&) const = default;
};

// From the one to the other, with the totals.
void count(schedule::Transaction& transaction, const TableNames& names, std::string_view id,
           const Counted& before, const Counted& after);

// By what counts of that kind are to be changed: without the totals.
void add_to_counts(table::write::Transaction& transaction, const TableNames& names,
                   std::size_t shard, const Counted& counted, std::int64_t by);

}  // namespace mailroom::outbox
