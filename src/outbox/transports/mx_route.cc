#include "outbox/transports/mx_route.h"

#include "base/text.h"

#include <algorithm>
#include <utility>

namespace mailroom::outbox {
namespace {

// Together these bound how long one attempt may take: each address has its connect timeout.
constexpr std::size_t hosts_max = 5;
constexpr std::size_t addresses_per_host_max = 4;

smtp::Verdict refusal(smtp::EnhancedStatus status, std::string text) {
    return {.outcome = status.category == 5 ? smtp::Outcome::refused_for_good
                                            : smtp::Outcome::refused_for_now,
            .stage = smtp::Stage::connect,
            .status = status,
            .text = std::move(text)};
}

smtp::Verdict no_route(std::string_view domain, const net::DnsFailure& failure) {
    const std::string name(domain);
    switch (failure.reason) {
        case net::NoRecords::no_such_name:
            return refusal({5, 1, 2}, "there is no domain " + name);
        case net::NoRecords::no_data:
            return refusal({5, 4, 4}, "the domain " + name + " has no mail server");
        case net::NoRecords::bad_name:
            return refusal({5, 1, 2}, name + " cannot be the name of a domain");
        case net::NoRecords::temporary:
            break;
    }
    return refusal({4, 4, 3},
                   "the mail servers of " + name + " cannot be looked up now: " + failure.message);
}

std::vector<net::IpAddress> parse_literal(std::string_view domain) {
    if (!domain.starts_with('[') || !domain.ends_with(']')) return {};
    domain = domain.substr(1, domain.size() - 2);
    constexpr std::string_view tag = "ipv6:";  // RFC 5321, 4.1.3.
    if (ascii_equal_ignoring_case(domain.substr(0, tag.size()), tag)) {
        domain.remove_prefix(tag.size());
    }
    const auto address = net::IpAddress::parse(domain);
    if (!address) return {};
    return {*address};
}

}  // namespace

Result<MxRoute, smtp::Verdict> MxRoute::of_literal(const net::Guard& guard,
                                                   std::string_view domain) {
    MxRoute route(guard, domain);
    route.literal_ = parse_literal(domain);
    if (route.literal_.empty()) {
        return refusal({5, 1, 2}, route.domain_ + " holds no IP address");
    }
    return route;
}

Result<MxRoute, smtp::Verdict> MxRoute::of(const net::Guard& guard, std::string_view domain,
                                           std::string_view own_name,
                                           Result<net::MailRoute, net::DnsFailure> found) {
    MxRoute route(guard, domain);
    if (!found) return no_route(domain, found.error());
    if (found->kind == net::MailRoute::Kind::no_mail) {
        return refusal({5, 1, 10}, "the domain " + route.domain_ + " takes no mail");
    }
    const auto ours = std::ranges::find_if(found->hosts, [&](const net::MailHost& host) {
        return ascii_equal_ignoring_case(host.name, own_name);
    });
    const bool loops = ours != found->hosts.end();
    for (const auto& host : found->hosts) {
        if (loops && host.preference >= ours->preference) continue;
        if (route.hosts_.size() < hosts_max) route.hosts_.push_back(host.name);
    }
    if (loops && route.hosts_.empty()) {
        return refusal({5, 4, 6}, "mail for " + route.domain_ + " would come back to this server");
    }
    return route;
}

std::vector<std::string> MxRoute::permitted(const std::vector<net::IpAddress>& addresses) {
    std::vector<std::string> texts;
    for (const auto& address : addresses) {
        if (!guard_->permits(address)) {
            any_forbidden_ = true;
        } else if (texts.size() < addresses_per_host_max) {
            texts.push_back(address.text());
        }
    }
    return texts;
}

std::optional<MxServer> MxRoute::next_known() {
    auto addresses = permitted(std::exchange(literal_, {}));
    if (addresses.empty()) return std::nullopt;
    return MxServer{domain_, std::move(addresses)};
}

Result<std::string, smtp::Verdict> MxRoute::next_host() {
    if (at_ < hosts_.size()) return hosts_[at_++];
    return none_left();
}

std::optional<MxServer> MxRoute::server(
    const std::string& host, const Result<std::vector<net::IpAddress>, net::DnsFailure>& found) {
    if (!found) {
        if (found.error().reason == net::NoRecords::temporary) any_not_known_ = true;
        return std::nullopt;
    }
    auto addresses = permitted(*found);
    if (addresses.empty()) return std::nullopt;
    return MxServer{host, std::move(addresses)};
}

smtp::Verdict MxRoute::none_left() const {
    if (any_not_known_) {
        return refusal({4, 4, 3}, "the addresses of the mail servers of " + domain_ +
                                      " cannot be looked up now");
    }
    if (any_forbidden_) {
        return refusal({5, 4, 4}, "the mail servers of " + domain_ +
                                      " are at addresses that are not on the public Internet, and "
                                      "mail is not delivered there");
    }
    return refusal({5, 4, 4}, "the mail servers of " + domain_ + " have no address");
}

}  // namespace mailroom::outbox
