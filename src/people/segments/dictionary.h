// Byte strings with numbers: each distinct one is kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

// Numbers begin at 0 and stay; nothing is forgotten. Views are good until the next add().
class Dictionary {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t add(std::string_view text);
    // None if it is not there.
    std::uint32_t find(std::string_view text) const;
    std::string_view at(std::uint32_t number) const {
        const auto begin = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(texts_).substr(begin, ends_[number] - begin);
    }
    std::size_t size() const { return ends_.size(); }
    std::size_t bytes() const;

private:
    // Where the text is, or the free place where it would be.
    std::size_t place_of(std::string_view text) const;
    void grow();

    std::string texts_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> places_;  // A power of two of them, at most half of them taken.
};

}  // namespace mailroom::people
