// Answers of name servers, kept for as long as they hold.
#pragma once

#include "base/clock.h"
#include "net/dns_message.h"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace mailroom::net {

using DnsOutcome = Result<DnsRecords, DnsFailure>;
// Shared by the cache and everybody who waits for the same answer.
using SharedOutcome = std::shared_ptr<const DnsOutcome>;
using DnsQuestion = std::pair<std::string, RecordType>;

// Not thread-safe.
class DnsCache {
public:
    struct Limits {
        std::size_t entries_max;
        std::size_t bytes_max;  // Of names and records, roughly.
    };

    DnsCache(const Clock& clock, Limits limits) : clock_(clock), limits_(limits) {}

    // Null if there is none that still holds.
    SharedOutcome find(const DnsQuestion& question);
    // Until now + `holds`; nothing is kept if that is not positive. Those not used for longest make
    // room.
    void put(const DnsQuestion& question, SharedOutcome outcome, std::chrono::milliseconds holds);

    std::size_t entries() const { return index_.size(); }

private:
    struct Entry {
        DnsQuestion question;
        SharedOutcome outcome;
        Time made, expires;
        std::size_t bytes;
    };
    using Entries = std::list<Entry>;  // The one used last at the front.

    void erase(Entries::iterator entry);

    const Clock& clock_;
    const Limits limits_;
    Entries entries_;
    std::map<DnsQuestion, Entries::iterator> index_;
    std::size_t bytes_ = 0;
};

}  // namespace mailroom::net
