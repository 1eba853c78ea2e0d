#include "kv/batch_order.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>

namespace mailroom::kv {

namespace {

// Most comparisons end within the first bytes, so these are at hand as a number.
struct Place {
    std::uint64_t first_bytes;
    std::string_view key;
    std::uint32_t number;

    bool operator<(const Place& other) const {
        if (first_bytes != other.first_bytes) return first_bytes < other.first_bytes;
        const int order = key.compare(other.key);
        return order != 0 ? order < 0 : number < other.number;
    }
};

// Orders as the bytes do; a key that is shorter counts as if it went on with zeros.
std::uint64_t first_bytes_of(std::string_view key) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(number); ++i) {
        number = number << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0u);
    }
    return number;
}

}  // namespace

std::vector<std::uint32_t> order_by_key(const Batch& batch) {
    assert(batch.size() <= std::numeric_limits<std::uint32_t>::max());
    std::vector<std::uint32_t> order(batch.size());
    std::vector<Place> places;
    places.reserve(batch.size());
    for (std::uint32_t i = 0; i < batch.size(); ++i) {
        const auto change = batch.change(i);
        if (change.kind == Batch::Kind::erase_range) {
            std::iota(order.begin(), order.end(), 0u);
            return order;
        }
        places.push_back({first_bytes_of(change.key), change.key, i});
    }
    std::sort(places.begin(), places.end());
    order.clear();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool replaced = i + 1 < places.size() && places[i].key == places[i + 1].key;
        if (!replaced) order.push_back(places[i].number);
    }
    return order;
}

}  // namespace mailroom::kv
