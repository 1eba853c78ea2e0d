// Questions to the domain name system.
#pragma once

#include "base/result.h"
#include "net/address.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::net {

// Why there is no answer. The first two are answers themselves: asking again soon gives the same.
enum class NoRecords {
    no_such_name,  // NXDOMAIN: the name does not exist, with no type of record.
    no_data,       // The name exists, but has no record of this type.
    temporary,     // No server answered, or none could: the truth is not known.
    bad_name,      // It cannot be the name of anything; nobody was asked.
};

struct DnsFailure {
    NoRecords reason;
    std::string message;  // For people.

    // `not_found` for the first two, `unavailable` when it is not known, `invalid` for a bad name.
    operator Error() const;
};

struct MailHost {
    std::uint16_t preference;  // Lower ones are tried first.
    std::string name;
    bool operator==(const MailHost&) const = default;
};

struct MailRoute {
    enum class Kind {
        by_mx,     // `hosts` are from MX records.
        implicit,  // There are none: `hosts` is the domain itself (RFC 5321, 5.1). It may have no
                   // address.
        no_mail,   // The domain says that it takes no mail (RFC 7505). `hosts` is empty.
    };
    Kind kind;
    std::vector<MailHost> hosts;  // In the order to try them.
};

enum class Family { any, v4, v6 };

// Names are taken as they are, never with a local domain added; a dot at the end makes no
// difference. Thread-safe.
class Resolver {
public:
    virtual ~Resolver() = default;

    // Where mail for `domain` goes: by preference, at random among equals (RFC 5321, 5.1).
    virtual Result<MailRoute, DnsFailure> mail_route(std::string_view domain) = 0;

    // At least one. With `any`, IPv4 first; then it is a success when one of the two is found, and
    // `temporary` when neither is found and one is not known.
    virtual Result<std::vector<IpAddress>, DnsFailure> addresses(std::string_view name,
                                                                 Family family = Family::any) = 0;

    // The same without waiting: `done` is called once, before these return or later, on a thread
    // that it must not block.
    using RouteDone = std::function<void(Result<MailRoute, DnsFailure>)>;
    virtual void find_mail_route(std::string_view domain, RouteDone done) {
        done(mail_route(domain));
    }
    using AddressesDone = std::function<void(Result<std::vector<IpAddress>, DnsFailure>)>;
    virtual void find_addresses(std::string_view name, AddressesDone done) {
        done(addresses(name));
    }

    // At least one: each TXT record with its strings joined.
    virtual Result<std::vector<std::string>, DnsFailure> texts(std::string_view name) = 0;
};

}  // namespace mailroom::net
