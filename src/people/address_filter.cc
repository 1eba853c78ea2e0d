#include "people/address_filter.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace mailroom::people {

namespace {

// With these, one address in a hundred is taken for another.
constexpr std::size_t bits_per_address = 10;
constexpr int bits_set = 6;
constexpr std::size_t word_bits = 64;
// 8 KB for a short list; 16 MB for a long one, of which 13 million addresses are told apart well.
constexpr std::size_t words_min = 1024;
constexpr std::size_t words_max = 2 * 1024 * 1024;

std::size_t words_for(std::size_t expected) {
    const auto wanted = std::min(expected, words_max * word_bits) * bits_per_address / word_bits;
    return std::bit_ceil(std::clamp(wanted, words_min, words_max));
}

}  // namespace

AddressFilter::AddressFilter(std::size_t expected) : words_(words_for(expected)) {}

// Until `visit` of one is false.
template <class Visit>
bool AddressFilter::all_bits(std::string_view address, Visit&& visit) const {
    const std::uint64_t hash = std::hash<std::string_view>{}(address);
    // Kirsch and Mitzenmacher: two hashes make as many as are wanted.
    const auto step = std::rotl(hash, 32) | 1;
    const auto mask = words_.size() * word_bits - 1;
    auto at = hash;
    for (int i = 0; i < bits_set; ++i, at += step) {
        const auto bit = at & mask;
        if (!visit(bit / word_bits, std::uint64_t{1} << (bit % word_bits))) return false;
    }
    return true;
}

void AddressFilter::add(std::string_view address) {
    all_bits(address, [this](std::size_t word, std::uint64_t bit) {
        words_[word].fetch_or(bit);
        return true;
    });
}

bool AddressFilter::may_have(std::string_view address) const {
    return all_bits(address, [this](std::size_t word, std::uint64_t bit) {
        return (words_[word].load() & bit) != 0;
    });
}

}  // namespace mailroom::people
