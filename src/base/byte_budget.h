// How much memory a kind of thing may take in all.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace mailroom {

// Thread-safe.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t bytes_max) : bytes_max_(bytes_max) {}
    ByteBudget(const ByteBudget&) = delete;
    ByteBudget& operator=(const ByteBudget&) = delete;

    // False, and nothing is taken, if there is not so much left.
    bool take(std::size_t bytes) {
        auto taken = taken_.load();
        do {
            if (bytes > bytes_max_ || taken > bytes_max_ - bytes) return false;
        } while (!taken_.compare_exchange_weak(taken, taken + bytes));
        return true;
    }
    void give_back(std::size_t bytes) { taken_ -= bytes; }

    std::size_t taken() const { return taken_; }
    std::size_t bytes_max() const { return bytes_max_; }

private:
    const std::size_t bytes_max_;
    std::atomic<std::size_t> taken_ = 0;
};

// What one of those things has taken; given back when this goes. Without a budget it takes as much
// as it likes. The budget must outlive it. Not thread-safe.
class ByteShare {
public:
    ByteShare() = default;
    explicit ByteShare(ByteBudget* budget) : budget_(budget) {}
    ByteShare(ByteShare&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    ByteShare& operator=(ByteShare&& other) noexcept {
        if (this == &other) return *this;
        release();
        budget_ = std::exchange(other.budget_, nullptr);
        bytes_ = std::exchange(other.bytes_, 0);
        return *this;
    }
    ~ByteShare() { release(); }

    // So much in all from now on; less is not given back. False if there is not so much left.
    bool grow_to(std::size_t bytes) {
        if (budget_ == nullptr || bytes <= bytes_) return true;
        if (!budget_->take(bytes - bytes_)) return false;
        bytes_ = bytes;
        return true;
    }
    void release() {
        if (budget_ != nullptr && bytes_ > 0) budget_->give_back(bytes_);
        bytes_ = 0;
    }
    std::size_t bytes() const { return bytes_; }

private:
    ByteBudget* budget_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace mailroom
