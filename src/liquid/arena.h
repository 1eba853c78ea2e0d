// Memory and effort of one render: what filters make lives here until the render ends, and every
// loop, recursion and allocation is paid for here, so that no template can run away.
#pragma once

#include "base/clock.h"
#include "liquid/value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>

namespace mailroom::liquid {

enum class Exhausted : std::uint8_t { no, steps, scratch_bytes, time };

// Not thread-safe: one render, one thread.
class Budget {
public:
    Budget(std::uint64_t steps, std::size_t scratch_bytes, const Clock& clock,
           std::chrono::milliseconds time)
        : steps_left_(steps), bytes_left_(scratch_bytes), clock_(clock), time_(time) {}

    // False once anything ran out; from then on always false.
    bool spend_steps(std::uint64_t steps) {
        if (state_ != Exhausted::no) return false;
        if (steps > steps_left_) return refuse(Exhausted::steps);
        steps_left_ -= steps;
        return tick(steps);
    }
    bool spend_bytes(std::size_t bytes) {
        if (state_ != Exhausted::no) return false;
        if (bytes > bytes_left_) return refuse(Exhausted::scratch_bytes);
        bytes_left_ -= bytes;
        return true;
    }
    // Called for each node, so that long templates without loops are timed as well.
    bool tick(std::uint64_t ticks = 1) {
        ticks_ += ticks;
        return ticks_ < ticks_per_look || look_at_clock();
    }
    // For work on so many bytes, which is a fraction of a nanosecond for each: a filter on a long
    // text is timed like the many turns of a loop.
    bool spend_reading(std::size_t bytes) {
        constexpr std::size_t bytes_per_tick = 64;
        return state_ == Exhausted::no && tick(1 + bytes / bytes_per_tick);
    }
    std::size_t bytes_left() const { return bytes_left_; }
    Exhausted state() const { return state_; }

private:
    // A look costs some 25 ns and a tick a few, so the clock stays below one per cent.
    static constexpr std::uint64_t ticks_per_look = 512;

    bool look_at_clock() {
        ticks_ = 0;
        if (!started_) {
            started_ = true;
            deadline_ = clock_.now() + time_;
        }
        return clock_.now() <= deadline_ || refuse(Exhausted::time);
    }
    bool refuse(Exhausted reason) {
        state_ = reason;
        return false;
    }

    std::uint64_t steps_left_;
    std::size_t bytes_left_;
    std::uint64_t ticks_ = 0;
    const Clock& clock_;
    std::chrono::milliseconds time_;
    Time deadline_{};
    bool started_ = false;
    Exhausted state_ = Exhausted::no;
};

// A list of values made during a render.
struct ValueList {
    const Value* items;
    std::size_t count;
};

class Arena {
public:
    explicit Arena(Budget& budget) : budget_(budget) {}

    // A copy of `text`; empty when the budget is exhausted.
    std::string_view keep(std::string_view text) {
        if (text.empty() || !budget_.spend_bytes(text.size())) return {};
        auto* copy = static_cast<char*>(memory_.allocate(text.size(), 1));
        std::memcpy(copy, text.data(), text.size());
        return {copy, text.size()};
    }
    // Uninitialised room for `count` values; empty when the budget is exhausted.
    std::span<Value> values(std::size_t count) {
        if (count == 0 || !budget_.spend_bytes(count * sizeof(Value))) return {};
        auto* room = static_cast<Value*>(memory_.allocate(count * sizeof(Value), alignof(Value)));
        std::uninitialized_value_construct_n(room, count);
        return {room, count};
    }
    // Only for types that need no destructor.
    template <class T>
    T* make(const T& value) {
        static_assert(std::is_trivially_destructible_v<T>);
        budget_.spend_bytes(sizeof(T));
        return new (memory_.allocate(sizeof(T), alignof(T))) T(value);
    }

private:
    Budget& budget_;
    std::array<std::byte, 2048> first_;  // Most mails need no heap memory beside their output.
    std::pmr::monotonic_buffer_resource memory_{first_.data(), first_.size()};
};

}  // namespace mailroom::liquid
