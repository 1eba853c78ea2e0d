#include "people/segments/dictionary.h"

#include <functional>

namespace mailroom::people {

namespace {

constexpr std::size_t first_places = 16;

}  // namespace

std::size_t Dictionary::place_of(std::string_view text) const {
    const auto mask = places_.size() - 1;
    auto place = std::hash<std::string_view>{}(text)&mask;
    while (places_[place] != none && at(places_[place]) != text) place = (place + 1) & mask;
    return place;
}

std::uint32_t Dictionary::find(std::string_view text) const {
    return places_.empty() ? none : places_[place_of(text)];
}

std::uint32_t Dictionary::add(std::string_view text) {
    if (2 * (ends_.size() + 1) > places_.size()) grow();
    auto& place = places_[place_of(text)];
    if (place != none) return place;
    texts_ += text;
    ends_.push_back(texts_.size());
    return place = static_cast<std::uint32_t>(ends_.size() - 1);
}

void Dictionary::grow() {
    const auto count = places_.empty() ? first_places : 2 * places_.size();
    places_.assign(count, none);
    for (std::uint32_t number = 0; number < ends_.size(); ++number) {
        places_[place_of(at(number))] = number;
    }
}

std::size_t Dictionary::bytes() const {
    return texts_.capacity() + ends_.capacity() * sizeof(std::size_t) +
           places_.capacity() * sizeof(std::uint32_t);
}

}  // namespace mailroom::people
