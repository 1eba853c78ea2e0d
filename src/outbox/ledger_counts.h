// The counts of ledger.h. For the ledger's own files.
//
//   MailroomOutboxCounts   Shard S ("0" to "7")   one N for each name of a state, and HELD
// Only the sums over all shards mean something. They are added to (table::Addition) and written in
// no other way.
#pragma once

#include "schedule/transaction.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// As many as nodes of a shared store are likely to write at the same moment; each read asks for
// all.
inline constexpr std::size_t count_shards = 8;

// One more, or one less, of the mails that go by that name.
void count(schedule::Transaction& transaction, const std::string& table, std::string_view id,
           std::string_view name, int by);

std::string shard_name(std::size_t shard);

}  // namespace mailroom::outbox
