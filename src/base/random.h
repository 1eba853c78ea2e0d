// Where unpredictable bytes come from. Nothing outside base/ asks the system for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <span>
#include <string>

namespace mailroom {

// Thread-safe.
class Random {
public:
    virtual ~Random() = default;
    // Overwrites all of `bytes`.
    virtual void fill(std::span<std::uint8_t> bytes) = 0;
};

// `count` bytes of `random`, as a string of raw bytes.
std::string random_bytes(Random& random, std::size_t count);

// From 0 to `largest`, both included, evenly but for a bias below 2^-32 where `largest` is below
// 2^32.
std::uint64_t random_up_to(Random& random, std::uint64_t largest);

// The kernel's generator: fit for keys and secrets.
class SystemRandom final : public Random {
public:
    void fill(std::span<std::uint8_t> bytes) override;
};

// The same bytes for the same seed, in the order they are asked for. For tests and simulation:
// never for anything secret.
class SeededRandom final : public Random {
public:
    explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
    void fill(std::span<std::uint8_t> bytes) override;

private:
    std::mutex mutex_;
    std::mt19937_64 engine_;
};

}  // namespace mailroom
