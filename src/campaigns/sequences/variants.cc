#include "campaigns/sequences/variants.h"

#include "net/sigv4.h"

#include <cassert>
#include <charconv>
#include <cstdint>
#include <string>

namespace mailroom::campaigns {

std::size_t variant_of(std::string_view address, std::string_view sequence, std::size_t count) {
    assert(count > 0);
    const auto hash = net::sha256_hex(std::string(address) + ":" + std::string(sequence));
    std::uint32_t head = 0;
    std::from_chars(hash.data(), hash.data() + 8, head, 16);
    return head % count;
}

}  // namespace mailroom::campaigns
