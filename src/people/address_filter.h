// Which addresses are surely not in a list.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mailroom::people {

// A Bloom filter that only grows: what was added is always found, and of the rest about one in a
// hundred, while no more are added than were expected. Thread-safe: who adds before writing an
// address down may rely on it that whoever asks after that finds it.
class AddressFilter {
public:
    explicit AddressFilter(std::size_t expected);

    void add(std::string_view address);
    bool may_have(std::string_view address) const;

private:
    template <class Visit>
    bool all_bits(std::string_view address, Visit&& visit) const;

    std::vector<std::atomic<std::uint64_t>> words_;
};

}  // namespace mailroom::people
