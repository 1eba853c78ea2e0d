// The keys that Amazon signs with, fetched once a day from where a message says they are.
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "engagement/notifications/signatures.h"
#include "net/url.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::engagement::notifications {

// What an https server answered with 200 to a GET.
using Fetch = std::function<Result<std::string>(const net::Url&)>;

// Thread-safe.
class Certificates {
public:
    // The clock must outlive this object. `fetch` may block.
    Certificates(Fetch fetch, const Clock& clock) : fetch_(std::move(fetch)), clock_(clock) {}

    // `url` is_certificate_url(). `unavailable` if it cannot be fetched now, or too many were asked
    // for within a minute: whoever makes up names may not make us ask Amazon for each.
    Answer<PublicKey> key_at(const net::Url& url);

private:
    struct Kept {
        PublicKey key;
        Time until;
    };
    std::optional<PublicKey> kept(const net::Url& url);
    bool may_fetch();

    const Fetch fetch_;
    const Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Kept> kept_;
    Time minute_{};
    int fetches_ = 0;  // In that minute.
};

}  // namespace mailroom::engagement::notifications
