// Which items the measured requests are about.
#pragma once

#include <cassert>
#include <cstdint>

namespace mailroom::bench {

inline constexpr std::uint32_t items_per_partition = 10;  // What the Query reads.
inline constexpr std::uint32_t items_per_batch = 25;      // DynamoDB's limit.

// Partitions from here on are made by the measured writes; those below are preloaded.
inline constexpr std::uint64_t new_partitions_from = 10'000'000;
inline constexpr std::uint64_t new_partitions_max = 90'000'000;  // All that eight digits have left.

// The `count`th new partition, never the same for two counts below `new_partitions_max`. The
// multiplier shares no factor with the range, so every partition comes up once, in no order: new
// items in key order would flatter a store that keeps its keys sorted.
inline std::uint64_t new_partition(std::uint64_t count) {
    assert(count < new_partitions_max);
    return new_partitions_from + count * 7'368'787 % new_partitions_max;
}

// SplitMix64: a full-period generator whose state is one number. The same numbers for one seed.
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        auto bits = (state_ += 0x9e3779b97f4a7c15);
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        return bits ^ (bits >> 31);
    }

private:
    std::uint64_t state_;
};

}  // namespace mailroom::bench
