#include "net/dns_cache.h"

namespace mailroom::net {

namespace {

constexpr std::size_t entry_overhead_bytes = 256;  // Nodes of the list and the index.

std::size_t bytes_of(const DnsQuestion& question, const DnsOutcome& outcome) {
    std::size_t bytes = entry_overhead_bytes + 2 * question.first.size();
    if (!outcome) return bytes + outcome.error().message.size();
    bytes += outcome->addresses.size() * sizeof(IpAddress);
    for (const auto& host : outcome->mail_hosts) bytes += sizeof host + host.name.size();
    for (const auto& text : outcome->texts) bytes += sizeof text + text.size();
    return bytes;
}

}  // namespace

SharedOutcome DnsCache::find(const DnsQuestion& question) {
    const auto found = index_.find(question);
    if (found == index_.end()) return nullptr;
    const auto entry = found->second;
    // A clock that was set back must not make an answer last.
    const auto now = clock_.now();
    if (now >= entry->expires || now < entry->made) {
        erase(entry);
        return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->outcome;
}

void DnsCache::put(const DnsQuestion& question, SharedOutcome outcome,
                   std::chrono::milliseconds holds) {
    if (const auto found = index_.find(question); found != index_.end()) erase(found->second);
    if (holds <= std::chrono::milliseconds(0)) return;
    const auto bytes = bytes_of(question, *outcome);
    const auto now = clock_.now();
    entries_.push_front({question, std::move(outcome), now, now + holds, bytes});
    index_.emplace(question, entries_.begin());
    bytes_ += bytes;
    while (!entries_.empty() &&
           (entries_.size() > limits_.entries_max || bytes_ > limits_.bytes_max)) {
        erase(std::prev(entries_.end()));
    }
}

void DnsCache::erase(Entries::iterator entry) {
    bytes_ -= entry->bytes;
    index_.erase(entry->question);
    entries_.erase(entry);
}

}  // namespace mailroom::net
