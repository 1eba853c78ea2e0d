// A mail on its way to several domains, and the one Delivery that their answers make.
#pragma once

#include "outbox/transports/transport.h"
#include "smtp/delivery.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mailroom::outbox {

// The recipients of a mail in one domain.
struct MxShare {
    std::string domain;                // In ASCII, or a literal. Empty: it is no domain.
    std::vector<std::size_t> indexes;  // Into the mail's recipients.
};
// In the order in which the domains first come.
std::vector<MxShare> shares_of(const std::vector<std::string>& recipients);

// Thread-safe. Shared by the shares of one mail.
class MxParcel {
public:
    // `done` is called once, when `shares` answers have come.
    MxParcel(Outgoing mail, std::size_t shares, Transport::Done done);

    std::vector<std::string> recipients(const MxShare& share) const;
    Outgoing part(const MxShare& share) const;
    void settle(const MxShare& share, smtp::Delivery delivery);
    void settle(const MxShare& share, const smtp::Verdict& verdict);

private:
    smtp::BeforeEnd before_end(const MxShare& share) const;

    const Outgoing mail_;
    const Transport::Done done_;
    std::mutex mutex_;
    std::size_t open_;
    smtp::Delivery whole_;
};

}  // namespace mailroom::outbox
