#include "base/ids.h"

#include "base/hex.h"

#include <algorithm>
#include <span>

namespace mailroom {

namespace {

constexpr std::string_view crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::uint64_t ulid_ms_max = (std::uint64_t{1} << 48) - 1;  // Year 10889.

// Adds one to a big-endian number. False if it wrapped to zero.
bool increment(std::span<std::uint8_t> number) {
    for (auto digit = number.rbegin(); digit != number.rend(); ++digit) {
        if (++*digit != 0) return true;
    }
    return false;
}

std::string ulid_text(std::uint64_t ms, std::span<const std::uint8_t, 10> tail) {
    std::string text(ulid_chars, '0');
    for (std::size_t i = 0; i < 10; ++i) text[i] = crockford[ms >> (45 - 5 * i) & 31];
    // 80 bits are 16 characters: two groups of 40 bits that fill 8 characters each.
    for (std::size_t group = 0; group < 2; ++group) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < 5; ++i) bits = bits << 8 | tail[group * 5 + i];
        for (std::size_t i = 0; i < 8; ++i) {
            text[10 + group * 8 + i] = crockford[bits >> (35 - 5 * i) & 31];
        }
    }
    return text;
}

// RFC 9562, section 4.
std::string uuid_text(std::array<std::uint8_t, 16> bytes, unsigned version) {
    bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | version << 4);
    bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
    auto text = hex_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (const std::size_t at : {8u, 13u, 18u, 23u}) text.insert(at, 1, '-');
    return text;
}

}  // namespace

std::string UlidGenerator::next() {
    const auto now_ms =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_unix_ms(clock_.now())));
    const std::lock_guard lock(mutex_);
    if (!any_ || now_ms > last_ms_) {
        last_ms_ = std::min(now_ms, ulid_ms_max);
        random_.fill(tail_);
        any_ = true;
    } else if (!increment(tail_)) {
        // All 2^80 of this millisecond are used up: borrow from the next one.
        ++last_ms_;
        random_.fill(tail_);
    }
    return ulid_text(last_ms_, tail_);
}

std::optional<Time> ulid_time(std::string_view ulid) {
    if (ulid.size() != ulid_chars || ulid[0] > '7') return std::nullopt;
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < ulid_chars; ++i) {
        const auto digit = crockford.find(ulid[i]);
        if (digit == crockford.npos) return std::nullopt;
        if (i < 10) ms = ms << 5 | static_cast<std::int64_t>(digit);
    }
    return from_unix_ms(ms);
}

std::string make_uuid(Random& random) {
    std::array<std::uint8_t, 16> bytes;
    random.fill(bytes);
    return uuid_text(bytes, 4);
}

std::string make_uuid(const Clock& clock, Random& random) {
    std::array<std::uint8_t, 16> bytes;
    random.fill(bytes);
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(to_unix_ms(clock.now()), 0));
    for (std::size_t i = 0; i < 6; ++i) bytes[i] = static_cast<std::uint8_t>(ms >> (40 - 8 * i));
    return uuid_text(bytes, 7);
}

}  // namespace mailroom
