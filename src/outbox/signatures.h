// The DKIM keys of the domains we write for.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "mime/dkim/key.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// Immutable once it is filled; then thread-safe.
class Signatures {
public:
    // Several keys of one domain sign side by side. `invalid` if the domain or selector is none, or
    // the domain has that selector already.
    Result<> add(std::string domain, std::string selector, mime::dkim::PrivateKey key);

    // Signed by the keys of the domain of From, or the nearest domain above it; as it is when there
    // are none. `invalid` if it is no message that can be signed, `unavailable` if OpenSSL fails.
    Result<std::string> sign(std::string message, Time now) const;

private:
    struct Key {
        std::string selector;
        mime::dkim::PrivateKey key;
    };
    using Keys = std::map<std::string, std::vector<Key>, std::less<>>;

    // The end if there are none for the domain.
    Keys::const_iterator nearest(std::string_view domain) const;

    Keys keys_;  // By domain, in its ASCII form.
};

}  // namespace mailroom::outbox
