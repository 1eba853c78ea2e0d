// Names for new things: ULIDs, whose order is the order in which they were made, and UUIDs.
#pragma once

#include "base/clock.h"
#include "base/random.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom {

constexpr std::size_t ulid_chars = 26;

// Makes ULIDs: 26 characters of Crockford's base 32, upper case.
//   ulid := 48 bits of Unix milliseconds, 80 random bits; both big-endian
// Each is greater than every earlier one of the same generator, as text and as bytes, also when
// many are made in one millisecond and when the clock steps back: the random part is then counted
// up. Thread-safe.
class UlidGenerator {
public:
    // Both must outlive this object.
    UlidGenerator(const Clock& clock, Random& random) : clock_(clock), random_(random) {}

    std::string next();

private:
    const Clock& clock_;
    Random& random_;
    std::mutex mutex_;
    std::uint64_t last_ms_ = 0;
    std::array<std::uint8_t, 10> tail_{};
    bool any_ = false;
};

// When the ULID was made, or none if the text is not a ULID in canonical form (upper case).
std::optional<Time> ulid_time(std::string_view ulid);

// A random UUID (RFC 9562, version 4) in lower case: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx.
std::string make_uuid(Random& random);
// One that begins with the time (version 7): those of one millisecond are near each other in tables
// that are in order of ids, and earlier ones before them.
std::string make_uuid(const Clock& clock, Random& random);

}  // namespace mailroom
