// Counts durations so that a percentile can be told without keeping every one of them.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace mailroom::bench {

// Buckets are 1/32 of a power of two wide, so a percentile is at most 3.2 % above the truth and
// never below it. Adding costs a few instructions.
class Histogram {
public:
    void add(std::chrono::nanoseconds duration) {
        const auto ns = duration.count() < 0 ? 0 : static_cast<std::uint64_t>(duration.count());
        ++buckets_[bucket_of(ns)];
        ++count_;
    }

    void add_all(const Histogram& other) {
        for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
            buckets_[bucket] += other.buckets_[bucket];
        }
        count_ += other.count_;
    }

    std::uint64_t count() const { return count_; }

    // The duration that `percent` of all added ones do not exceed; zero when none was added.
    std::chrono::nanoseconds percentile(double percent) const {
        const auto wanted = percent / 100 * static_cast<double>(count_);
        std::uint64_t seen = 0;
        for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
            seen += buckets_[bucket];
            if (seen > 0 && static_cast<double>(seen) >= wanted) {
                return std::chrono::nanoseconds(upper_bound_of(bucket));
            }
        }
        return std::chrono::nanoseconds(0);
    }

private:
    static constexpr unsigned steps_bits = 5;
    static constexpr std::size_t steps = 1 << steps_bits;
    static constexpr std::size_t bucket_count = (64 - steps_bits + 1) * steps;

    // Values below `steps` have a bucket each; above, the leading bit and the five after it count.
    static std::size_t bucket_of(std::uint64_t ns) {
        if (ns < steps) return static_cast<std::size_t>(ns);
        const auto shift = static_cast<unsigned>(std::bit_width(ns)) - 1 - steps_bits;
        return (shift + 1) * steps + static_cast<std::size_t>((ns >> shift) - steps);
    }

    static std::int64_t upper_bound_of(std::size_t bucket) {
        if (bucket < steps) return static_cast<std::int64_t>(bucket);
        const auto shift = bucket / steps - 1;
        const auto lower = (std::uint64_t{steps} + bucket % steps) << shift;
        return static_cast<std::int64_t>(lower + (std::uint64_t{1} << shift) - 1);
    }

    std::array<std::uint64_t, bucket_count> buckets_{};
    std::uint64_t count_ = 0;
};

}  // namespace mailroom::bench
