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
    // Not a change yet: whoever prepares the commit makes changes of it, when all that comes before
    // is known (Committer::before_commit). A store takes no notice of it.
    void defer(std::string_view key, std::string_view what) {
        deferred_.push_back(place(Kind::put, key, what));
    }
    void append(const Batch& other) {
        const auto moved_by = bytes_.size();
        bytes_.append(other.bytes_);
        append(changes_, other.changes_, moved_by);
        append(deferred_, other.deferred_, moved_by);
    }
    // Keeps the memory for the next use.
    void clear() {
        bytes_.clear();
        changes_.clear();
        deferred_.clear();
    }

    bool empty() const { return changes_.empty() && deferred_.empty(); }
    std::size_t size() const { return changes_.size(); }
    std::size_t bytes() const { return bytes_.size(); }
    // Views into this batch, valid until it changes.
    Change change(std::size_t i) const { return at(changes_[i]); }
    std::size_t deferred_size() const { return deferred_.size(); }
    Change deferred(std::size_t i) const { return at(deferred_[i]); }

private:
    struct Place {
        Kind kind;
        std::size_t begin;
        std::uint32_t key_bytes, value_bytes;
    };
    void add(Kind kind, std::string_view key, std::string_view value) {
        changes_.push_back(place(kind, key, value));
    }
    Place place(Kind kind, std::string_view key, std::string_view value) {
        constexpr auto part_bytes_max = std::numeric_limits<std::uint32_t>::max();
        assert(key.size() <= part_bytes_max && value.size() <= part_bytes_max);
        const Place placed{kind, bytes_.size(), static_cast<std::uint32_t>(key.size()),
                           static_cast<std::uint32_t>(value.size())};
        bytes_.append(key).append(value);
        return placed;
    }
    Change at(const Place& place) const {
        const std::string_view all = bytes_;
        return {place.kind, all.substr(place.begin, place.key_bytes),
                all.substr(place.begin + place.key_bytes, place.value_bytes)};
    }
    static void append(std::vector<Place>& to, const std::vector<Place>& from,
                       std::size_t moved_by) {
        const auto count = from.size();  // Read once: both may be the same.
        for (std::size_t i = 0; i < count; ++i) {
            auto place = from[i];
            place.begin += moved_by;
            to.push_back(place);
        }
    }

    // One arena for all keys and values: a batch costs few allocations however many rows it has.
    std::string bytes_;
    std::vector<Place> changes_, deferred_;
};

}  // namespace mailroom::kv
