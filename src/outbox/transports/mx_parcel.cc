#include "outbox/transports/mx_parcel.h"

#include "mime/domain.h"
#include "outbox/transports/handover.h"

#include <cassert>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mailroom::outbox {
namespace {

// A mail to many domains has as many peers and transcripts, and its row must stay small.
constexpr std::size_t peers_bytes_max = 512;
constexpr std::size_t transcripts_bytes_max = 16 * 1024;

void join(std::string& whole, std::string_view part, std::string_view separator,
          std::size_t bytes_max) {
    if (part.empty()) return;
    if (whole.empty()) {
        whole = part;
    } else if (whole.size() + separator.size() + part.size() <= bytes_max) {
        whole.append(separator).append(part);
    }
}

}  // namespace

std::vector<MxShare> shares_of(const std::vector<std::string>& recipients) {
    std::vector<MxShare> shares;
    std::unordered_map<std::string, std::size_t> by_domain;
    for (std::size_t i = 0; i < recipients.size(); ++i) {
        const auto at = recipients[i].rfind('@');
        auto domain = at == std::string::npos
                          ? std::string()
                          : mime::domain_to_ascii(recipients[i].substr(at + 1)).value_or("");
        const auto [found, is_new] = by_domain.try_emplace(domain, shares.size());
        if (is_new) shares.push_back({std::move(domain), {}});
        shares[found->second].indexes.push_back(i);
    }
    return shares;
}

MxParcel::MxParcel(Outgoing mail, std::size_t shares, Transport::Done done)
    : mail_(std::move(mail)), done_(std::move(done)), open_(shares) {
    whole_.recipients.resize(mail_.recipients.size());
}

std::vector<std::string> MxParcel::recipients(const MxShare& share) const {
    std::vector<std::string> recipients;
    for (const auto i : share.indexes) recipients.push_back(mail_.recipients[i]);
    return recipients;
}

Outgoing MxParcel::part(const MxShare& share) const {
    return {.id = mail_.id,
            .sender = mail_.sender,
            .recipients = recipients(share),
            .message = mail_.message,
            .utf8_header = mail_.utf8_header,
            .before_end = before_end(share),
            .ask_ahead = mail_.ask_ahead};
}

// The share's recipients by their place in the mail.
smtp::BeforeEnd MxParcel::before_end(const MxShare& share) const {
    if (!mail_.before_end) return {};
    return [ask = mail_.before_end, indexes = share.indexes](
               std::vector<std::size_t> recipients, std::function<void(smtp::Leave)> answer) {
        for (auto& recipient : recipients) recipient = indexes[recipient];
        ask(std::move(recipients), std::move(answer));
    };
}

void MxParcel::settle(const MxShare& share, smtp::Delivery delivery) {
    assert(delivery.recipients.size() == share.indexes.size());
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < share.indexes.size(); ++i) {
            whole_.recipients[share.indexes[i]] = std::move(delivery.recipients[i]);
        }
        join(whole_.peer, delivery.peer, ", ", peers_bytes_max);
        join(whole_.tls, delivery.tls, ", ", peers_bytes_max);
        join(whole_.transcript, delivery.transcript, "\n", transcripts_bytes_max);
        assert(open_ > 0);
        if (--open_ > 0) return;
    }
    // Nobody else touches it any more.
    done_(std::move(whole_));
}

void MxParcel::settle(const MxShare& share, const smtp::Verdict& verdict) {
    settle(share, refuse_all(recipients(share), verdict));
}

}  // namespace mailroom::outbox
