// The rows of ledger.h, as they are written and read. For the ledger's own files.
#pragma once

#include "base/result.h"
#include "outbox/mail/ledger.h"
#include "outbox/mail/mail.h"
#include "table/operations.h"
#include "table/records/storable.h"
#include "table/value.h"

#include <string>
#include <string_view>

namespace mailroom::outbox {

namespace attribute {
inline constexpr const char* id = "Id";
inline constexpr const char* status = "Status";
inline constexpr const char* attributes = "Attributes";
inline constexpr const char* latest = "Latest";
inline constexpr const char* updated_at = "UpdatedAt";
inline constexpr const char* entry = "Entry";
inline constexpr const char* shard = "Shard";
inline constexpr const char* day = "Day";
inline constexpr const char* keep_until = "KeepUntil";
inline constexpr const char* ttl = "TTL";
}  // namespace attribute

inline constexpr std::string_view meta_status = "_META";
// Beside the names of states: in LatestIndex, and in the counts.
inline constexpr std::string_view held_name = "HELD";
inline std::string_view index_name_of(const Mail& mail) {
    return mail.held ? held_name : name_of(mail.state);
}

// What a text of other people's making may take in a row; the rest is cut off. An item holds
// 400 KB.
inline constexpr std::size_t reason_bytes_max = 4 * 1024;
inline constexpr std::size_t transcript_bytes_max = 32 * 1024;
inline constexpr std::size_t peer_bytes_max = 512;

using table::storable;

// Whether a table takes it as a key at all. Ours are UUIDs; other programs' need not be.
inline bool may_be_id(std::string_view id) {
    constexpr std::size_t id_bytes_max = 2048;  // DynamoDB's limit on a partition key.
    return !id.empty() && id.size() <= id_bytes_max;
}

// What the row of the mail as it is now is to be counted as.
inline std::int64_t expiry_of_row(const Mail& mail) {
    return may_expire(mail.state) ? mail.expires_seconds : 0;
}

table::Item row_key(std::string_view id, std::string_view status);
table::Value recipients_value(const std::vector<Recipient>& recipients);
// `has_steps`: it has gone further than ACCEPTED, so there is a Reason, though an empty one.
table::Item meta_item(const Mail& mail, bool has_steps);
table::Item state_item(const Mail& mail, State state, std::string_view reason,
                       const Change& change);
table::Item log_item(const Mail& mail, const LogEntry& entry, std::string_view name);

// From `before` to `mail` (the same one later), of which `change` says what else is new. Refused
// unless the row is in the state of `before`, and counted as it was: held if that was.
struct StateBefore {
    State state;
    std::string counted;
};
table::UpdateItem meta_update(const std::string& table, const StateBefore& before, const Mail& mail,
                              const Change& change);
// The same for a row that another program wrote: its Attributes stay as they are.
table::UpdateItem following_update(const std::string& table, const std::string& counted_before,
                                   const Mail& mail, const Change& change);

// Rows that other programs wrote have none of our additions, and may be anything: see
// Mail::problem.
Mail read_mail(const table::ItemView& row);
// Absent parts are taken from `before`, the entry it follows.
StateEntry read_state(const table::ItemView& row, State state, Time before);
LogEntry read_log_entry(const table::ItemView& row);

}  // namespace mailroom::outbox
