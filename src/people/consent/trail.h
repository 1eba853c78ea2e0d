// What somebody agreed to, and when they changed their mind: never changed, only added to, in the
// transactions of what it tells of.
//
//   MailroomPeople   CONSENT#{canonical address}   {time}#{tail}
//                    what S   from S   to S   at N (ms)   source, ip, form, wording, by S
// The tail tells entries of one millisecond apart and keeps those of one process in their order.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "people/consent/evidence.h"
#include "schedule/transaction.h"
#include "table/records/pages.h"
#include "table/records/record.h"
#include "table/schema.h"
#include "table/store.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

struct ConsentEntry {
    std::string what;      // "mail" (bulk), "every mail", "topic:news", "tracking", "address".
    std::string from, to;  // "in", "out", "pending", "subscribed", "suppressed: bounce", …
    Evidence evidence;
    Time at = {};  // Set when it is added.

    static constexpr std::string_view record_name = "ConsentEntry";
    static constexpr auto fields = std::tuple{
        table::must_have("what", &ConsentEntry::what,
                         "mail: unsubscribed or not; all: suppressed or not; topic:ID; tracking; "
                         "address."),
        table::kept("from", &ConsentEntry::from, "As it was; empty: nothing was known."),
        table::kept("to", &ConsentEntry::to, "As it is since then."),
        table::kept("at", &ConsentEntry::at), table::part(&ConsentEntry::evidence)};
};

// Thread-safe.
class ConsentTrail {
public:
    // `declared` as the table is made. All must outlive this object.
    ConsentTrail(table::Store& store, const Clock& clock, Random& random,
                 table::CreateTable declared);

    static std::string partition_of(std::string_view canonical);

    void add(schedule::Transaction& transaction, std::string_view canonical,
             ConsentEntry entry) const;
    // The oldest first. `invalid` if `after` is not what a page said.
    Result<table::Slice<ConsentEntry>> of(std::string_view canonical,
                                          const table::PageWish& wish) const;
    // All of it, as rows.
    Result<std::vector<table::Item>> rows_of(std::string_view canonical) const;

private:
    table::Store& store_;
    const Clock& clock_;
    const table::CreateTable table_;
    const std::string process_;  // Of tails.
    mutable std::atomic<std::uint32_t> added_ = 0;
};

}  // namespace mailroom::people
