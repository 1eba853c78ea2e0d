// Filters that make hashes: to name a person in a link without showing the address.
#include "base/hex.h"
#include "liquid/filter.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace mailroom::liquid {

namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

using Digest = std::array<unsigned char, EVP_MAX_MD_SIZE>;

Value hexadecimal(FilterCall& call, const Digest& digest, unsigned size) {
    return call.keep(hex_encode({reinterpret_cast<const char*>(digest.data()), size}));
}

Value sha256(FilterCall& call) {
    const auto text = call.text(call.input);
    Digest digest;
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
        return call.fail("sha256 could not be computed");
    }
    return hexadecimal(call, digest, size);
}

Value hmac_sha256(FilterCall& call) {
    const auto key = call.text(call.argument(0));
    const auto text = call.text(call.input);
    Digest digest;
    unsigned size = 0;
    if (HMAC(EVP_sha256(), key.empty() ? "" : key.data(), static_cast<int>(key.size()),
             bytes_of(text), text.size(), digest.data(), &size) == nullptr) {
        return call.fail("hmac_sha256 could not be computed");
    }
    return hexadecimal(call, digest, size);
}

constexpr FilterEntry hash_entries[] = {
    {"hmac_sha256", hmac_sha256},
    {"sha256", sha256},
};

}  // namespace

std::span<const FilterEntry> hash_filters() { return hash_entries; }

}  // namespace mailroom::liquid
