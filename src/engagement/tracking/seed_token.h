// The unsubscribe token of the product whose tables we keep: links in mails that it sent still lead
// to us.
//
//   payload := email "|" sent "|" expiry            times as RFC 3339 in milliseconds
//   token   := base64url( payload "|" lower-case hex of HMAC-SHA256( secret, payload ) )
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

inline constexpr auto seed_token_holds = std::chrono::hours(24 * 90);

std::string make_seed_token(std::string_view secret, std::string_view address, Time now);

enum class SeedFault { none_of_ours, malformed, wrong_signature, expired };
// For people: "token expired".
std::string_view text_of(SeedFault fault);
struct SeedTokenError {
    SeedFault fault;
    operator Error() const { return {Errc::invalid, std::string(text_of(fault))}; }
};

// The address. Any of the secrets may have signed it.
Result<std::string, SeedTokenError> read_seed_token(const std::vector<std::string>& secrets,
                                                    std::string_view token, Time now);

}  // namespace mailroom::engagement
