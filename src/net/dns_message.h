// Reads what a name server answered (RFC 1035, 4). The bytes are from the network and may be
// anything.
#pragma once

#include "base/result.h"
#include "net/address.h"
#include "net/resolver.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::net {

enum class RecordType : std::uint16_t { a = 1, mx = 15, txt = 16, aaaa = 28 };

// Of each kind; more in one answer are left out. Real names have far fewer.
inline constexpr std::size_t records_max = 64;

// The records of one name and type. Empty when the name has none.
struct DnsRecords {
    std::vector<IpAddress> addresses;
    std::vector<MailHost> mail_hosts;  // A `name` of "" is the root: see RFC 7505.
    std::vector<std::string> texts;
    // There were records, but their names are not host names: they are not in the lists.
    bool has_unusable = false;
    // How long this answer holds: the lowest time of all records used, aliases included; when there
    // are none, the time of the zone for such answers (RFC 2308, 5). None: do not keep it.
    std::optional<std::uint32_t> ttl_seconds;

    bool empty() const { return addresses.empty() && mail_hosts.empty() && texts.empty(); }
};

// `name` must be a normal_name(). Aliases (CNAME) in the answer are followed; records of other
// names are ignored. `corrupt` if the message breaks the format.
Result<DnsRecords> parse_dns_answer(std::string_view message, std::string_view name,
                                    RecordType type);

// Lower case, without a dot at the end. None unless it is labels of letters, digits, "-" and "_",
// each of 1 to 63, and 253 in all.
std::optional<std::string> normal_name(std::string_view name);

}  // namespace mailroom::net
