#include "outbox/accept/outbox.h"

#include "base/hex.h"

#include <openssl/sha.h>

namespace mailroom::outbox {

namespace {

constexpr std::int64_t count_interval_ms = 1000;

}  // namespace

std::string_view send_queue(Stream stream) {
    return stream == Stream::bulk ? "outbox.send.bulk" : "outbox.send.transactional";
}

std::string mail_id_for(const SendKey& key) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(key.text.data()), key.text.size(), digest);
    // RFC 9562, 5.8: version 8, whose other bits are ours.
    digest[6] = static_cast<unsigned char>((digest[6] & 0x0f) | 0x80);
    digest[8] = static_cast<unsigned char>((digest[8] & 0x3f) | 0x80);
    auto id = hex_encode({reinterpret_cast<const char*>(digest), 16});
    for (const std::size_t dash : {8U, 13U, 18U, 23U}) id.insert(dash, 1, '-');
    return id;
}

// The version that mail_id_for() writes.
bool may_have_guard(const Mail& mail) {
    constexpr std::size_t version_at = 14;
    return mail.id.size() > version_at && mail.id[version_at] == '8';
}

Refusal::operator Error() const {
    switch (kind) {
        case Kind::bad_field:
            return {Errc::invalid, field + " " + message};
        case Kind::duplicate:
        case Kind::condition:
            return {Errc::conflict, message};
        case Kind::full:
            return {Errc::throttled, message};
        case Kind::storage:
            break;
    }
    return {Errc::unavailable, message};
}

Outbox::Outbox(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, const Clock& clock,
               Random& random, OutboxOptions options)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      clock_(clock),
      random_(random),
      followers_(ledger, schedule, clock),
      options_(std::move(options)) {}

bool Outbox::is_full() {
    const auto now_ms = to_unix_ms(clock_.now());
    auto again_ms = count_again_ms_.load();
    // A clock that was set back must not keep us from counting.
    const bool is_due = now_ms >= again_ms || again_ms - now_ms > count_interval_ms;
    if (is_due && count_again_ms_.compare_exchange_strong(again_ms, now_ms + count_interval_ms)) {
        // If it cannot be read, the last count is the best there is.
        if (const auto counts = ledger_.counts()) waiting_ = counts->waiting();
    }
    return waiting_ >= options_.waiting_max;
}

Result<std::optional<std::string>> Outbox::payload(const Mail& mail) {
    if (mail.payload_path.empty()) return std::optional<std::string>();
    return blobs_.read(mail.payload_path);
}

Result<std::optional<std::string>> Outbox::message(const Mail& mail) {
    if (mail.eml_path.empty()) return std::optional<std::string>();
    return blobs_.read(mail.eml_path);
}

Result<Outbox::Stats> Outbox::stats() {
    Stats stats;
    stats.counts = TRY(ledger_.counts());
    for (const auto state : all_states) {
        if (is_settled(state)) continue;
        const auto since = TRY(ledger_.oldest(state));
        if (since) stats.oldest.emplace_back(state, *since);
    }
    return stats;
}

}  // namespace mailroom::outbox
