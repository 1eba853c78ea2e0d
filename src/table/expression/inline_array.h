// An array whose length is set once; on the heap only beyond `inline_count` elements.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace mailroom::table {

// For plain values. Making and moving one costs what its elements cost, not what it has room for.
template <class T, std::size_t inline_count>
class InlineArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    explicit InlineArray(std::size_t size)
        : size_(size), heap_(size > inline_count ? std::make_unique<T[]>(size) : nullptr) {
        if (!heap_) std::uninitialized_value_construct_n(inlined(), size_);
    }
    InlineArray(InlineArray&& other) noexcept { take(other); }
    InlineArray& operator=(InlineArray&& other) noexcept {
        if (this != &other) take(other);
        return *this;
    }

    std::size_t size() const { return size_; }
    T* begin() { return heap_ ? heap_.get() : inlined(); }
    const T* begin() const { return heap_ ? heap_.get() : inlined(); }
    T* end() { return begin() + size_; }
    const T* end() const { return begin() + size_; }
    T& operator[](std::size_t index) { return begin()[index]; }
    const T& operator[](std::size_t index) const { return begin()[index]; }

private:
    T* inlined() { return reinterpret_cast<T*>(bytes_); }
    const T* inlined() const { return reinterpret_cast<const T*>(bytes_); }
    void take(InlineArray& other) {
        size_ = std::exchange(other.size_, 0);
        heap_ = std::move(other.heap_);
        if (!heap_) std::uninitialized_copy_n(other.inlined(), size_, inlined());
    }

    std::size_t size_ = 0;
    std::unique_ptr<T[]> heap_;
    alignas(T) std::byte bytes_[inline_count * sizeof(T)];
};

}  // namespace mailroom::table
