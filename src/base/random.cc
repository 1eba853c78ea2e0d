#include "base/random.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace mailroom {

std::string random_bytes(Random& random, std::size_t count) {
    std::string bytes(count, '\0');
    random.fill({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    return bytes;
}

std::uint64_t random_up_to(Random& random, std::uint64_t largest) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes;
    random.fill(bytes);
    std::uint64_t number = 0;
    for (const auto byte : bytes) number = number << 8 | byte;
    if (largest == std::numeric_limits<std::uint64_t>::max()) return number;
    return number % (largest + 1);
}

void SystemRandom::fill(std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const auto got = getrandom(bytes.data(), bytes.size(), 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            // Going on with predictable keys would be worse than stopping, and no caller could do
            // better.
            std::perror("mailroom: the system gives no random bytes");
            std::abort();
        }
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

void SeededRandom::fill(std::span<std::uint8_t> bytes) {
    const std::lock_guard lock(mutex_);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(engine_() >> 56);
}

}  // namespace mailroom
