// Double opt-in: what somebody asked for counts when whoever reads that address says so, by a link
// that only a mail to it has.
//
//   MailroomPeople   CONFIRM#{SHA-256 of the token}   CONFIRM   email S   topics L   at N …   ttl N
//                    PENDING#{canonical address}   {the same hash}   ttl N
// The token itself is in the mail alone: who reads the tables cannot confirm for others.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/refusal.h"
#include "people/consent/evidence.h"
#include "schedule/transaction.h"
#include "table/records/record.h"
#include "table/records/rows.h"
#include "table/schema.h"
#include "table/store.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct PendingOptIn {
    std::string email;                // Canonical.
    std::vector<std::string> topics;  // None: mail as such.
    Evidence asked;                   // Of whoever asked.
    Time at = {}, expires = {};       // Set when it is added.
    std::optional<Time> confirmed;

    static constexpr std::string_view record_name = "PendingOptIn";
    static constexpr auto fields = std::tuple{
        table::must_have("email", &PendingOptIn::email),
        table::kept("topics", &PendingOptIn::topics, "None: mail as such."),
        table::part(&PendingOptIn::asked),
        table::kept("at", &PendingOptIn::at),
        table::spelled<table::InSeconds>(table::kept("ttl", "expires_at", &PendingOptIn::expires)),
        table::kept_if_any("confirmed_at", &PendingOptIn::confirmed)};
};

// Thread-safe.
class Confirmations {
public:
    static constexpr std::chrono::hours valid_for = std::chrono::hours(24 * 14);
    // Of one address that wait: whoever enters a stranger's address cannot flood it.
    static constexpr std::size_t pending_max = 3;

    // `declared` as the table is made. All must outlive this object.
    Confirmations(table::Store& store, const Clock& clock, Random& random,
                  table::CreateTable declared);

    // The token of the link, which is good as soon as the transaction is durable. `too_many` if
    // enough wait for that address.
    Answer<std::string> add_to(schedule::Transaction& transaction, PendingOptIn wanted) const;
    // None if the token is none of ours, or too old.
    Result<std::optional<PendingOptIn>> find(std::string_view token) const;
    // The transaction is a `conflict` if it was confirmed meanwhile. To be asked for what find()
    // gave, if that is not confirmed yet.
    void confirm(schedule::Transaction& transaction, std::string_view token) const;

    // All that waits for an address, or did: as rows, and their keys.
    Result<std::vector<PendingOptIn>> of(std::string_view canonical) const;
    // Those that were asked for until then.
    Result<std::vector<table::Item>> keys_of(std::string_view canonical,
                                             Time until = Time::max()) const;

private:
    Result<std::vector<std::string>> hashes_of(std::string_view canonical) const;

    table::Store& store_;
    const Clock& clock_;
    Random& random_;
    const table::CreateTable table_;
    const table::Rows<PendingOptIn> rows_;
};

}  // namespace mailroom::people
