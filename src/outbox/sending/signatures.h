// The DKIM keys of the domains we write for.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "mime/dkim/key.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// Thread-safe.
class Signatures {
public:
    // Several keys of one domain sign side by side. `invalid` if the domain or selector is none, or
    // the domain has that selector already.
    Result<> add(std::string domain, std::string selector, mime::dkim::PrivateKey key);

    // Has the keys of `other` from now on, and those only.
    void replace_by(Signatures& other);

    // Whether mails from there are signed.
    bool signs_for(std::string_view domain) const;
    // Signed by the keys of the domain of From, or the nearest domain above it; as it is when there
    // are none. `invalid` if it is no message that can be signed, `unavailable` if OpenSSL fails.
    Result<std::string> sign(std::string message, Time now) const;

private:
    struct Key {
        std::string selector;
        // Shared by the maps before and after another was added.
        std::shared_ptr<const mime::dkim::PrivateKey> key;
    };
    using Keys = std::map<std::string, std::vector<Key>, std::less<>>;

    std::shared_ptr<const Keys> keys() const;

    mutable std::mutex mutex_;
    // By domain, in its ASCII form. Shared with whoever signs while they are replaced.
    std::shared_ptr<const Keys> keys_ = std::make_shared<const Keys>();
};

}  // namespace mailroom::outbox
