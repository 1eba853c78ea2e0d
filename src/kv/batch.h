// A list of changes that are applied together, in order.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::kv {

class Batch {
public:
    enum class Kind : std::uint8_t { put, erase, erase_range };
    struct Change {
        Kind kind;
        std::string_view key;    // For erase_range: the first key.
        std::string_view value;  // For erase_range: one past the last key.
    };

    void put(std::string_view key, std::string_view value) { add(Kind::put, key, value); }
    void erase(std::string_view key) { add(Kind::erase, key, {}); }
    // Every key with from <= key < to. There is no open end: an empty `to` erases nothing.
    void erase_range(std::string_view from, std::string_view to) {
        add(Kind::erase_range, from, to);
    }
    void append(const Batch& other) {
        const auto moved_by = bytes_.size();
        const auto count = other.changes_.size();  // Read once: `other` may be this batch.
        bytes_.append(other.bytes_);
        for (std::size_t i = 0; i < count; ++i) {
            auto place = other.changes_[i];
            place.begin += moved_by;
            changes_.push_back(place);
        }
    }
    // Keeps the memory for the next use.
    void clear() {
        bytes_.clear();
        changes_.clear();
    }

    bool empty() const { return changes_.empty(); }
    std::size_t size() const { return changes_.size(); }
    std::size_t bytes() const { return bytes_.size(); }
    // Views into this batch, valid until it changes.
    Change change(std::size_t i) const {
        const auto& at = changes_[i];
        const std::string_view all = bytes_;
        return {at.kind, all.substr(at.begin, at.key_bytes),
                all.substr(at.begin + at.key_bytes, at.value_bytes)};
    }

private:
    struct Place {
        Kind kind;
        std::size_t begin;
        std::uint32_t key_bytes, value_bytes;
    };
    void add(Kind kind, std::string_view key, std::string_view value) {
        constexpr auto part_bytes_max = std::numeric_limits<std::uint32_t>::max();
        assert(key.size() <= part_bytes_max && value.size() <= part_bytes_max);
        changes_.push_back({kind, bytes_.size(), static_cast<std::uint32_t>(key.size()),
                            static_cast<std::uint32_t>(value.size())});
        bytes_.append(key).append(value);
    }

    // One arena for all keys and values: a batch costs two allocations however many rows it has.
    std::string bytes_;
    std::vector<Place> changes_;
};

}  // namespace mailroom::kv
