#include "engagement/tracking/token_keys.h"

#include "base/text.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr int id_max = 255;

// A key of its own for each purpose.
std::array<std::uint8_t, 32> derived(const std::string& secret, std::string_view purpose) {
    std::array<std::uint8_t, 32> key{};
    unsigned int bytes = 0;
    [[maybe_unused]] const auto* made = HMAC(
        EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
        reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size(), key.data(), &bytes);
    assert(made != nullptr && bytes == key.size());
    return key;
}

}  // namespace

Result<TokenSecret> TokenSecret::parse(std::string_view text) {
    const Error wrong{Errc::invalid, "must be ID:SECRET, with an id from 1 to 255"};
    const auto colon = text.find(':');
    if (colon == text.npos) return wrong;
    int id = 0;
    const auto* end = text.data() + colon;
    const auto read = std::from_chars(text.data(), end, id);
    if (read.ec != std::errc() || read.ptr != end || id < 1 || id > id_max) return wrong;
    const auto secret = trim(text.substr(colon + 1));
    if (secret.size() < token_secret_bytes_min) {
        return Error{Errc::invalid, "needs a secret of at least " +
                                        std::to_string(token_secret_bytes_min) + " characters"};
    }
    return TokenSecret{static_cast<std::uint8_t>(id), std::string(secret)};
}

Result<TokenKeys> TokenKeys::make(std::vector<TokenSecret> secrets) {
    if (secrets.empty()) return Error{Errc::invalid, "there is no secret to sign links with"};
    TokenKeys keys;
    for (const auto& [id, secret] : secrets) {
        if (keys.find(id) != nullptr) {
            return Error{Errc::invalid, "two secrets have the id " + std::to_string(id)};
        }
        keys.keys_.push_back({id, derived(secret, "mark"), derived(secret, "seal")});
    }
    return keys;
}

const TokenKeys::Key* TokenKeys::find(std::uint8_t id) const {
    const auto found = std::ranges::find(keys_, id, &Key::id);
    return found == keys_.end() ? nullptr : &*found;
}

}  // namespace mailroom::engagement
