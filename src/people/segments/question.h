// A filter, asked of a crowd at a moment.
#pragma once

#include "people/segments/crowd.h"
#include "people/segments/filter.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace mailroom::people {

// As long as nobody changes the crowd, which must outlive it, as must the filter. It remembers what
// it found out about values, so many people are asked sooner by one question than by several. Not
// thread-safe.
class Question {
public:
    Question(const Crowd& crowd, const Filter& filter, Time now, const FoundDeeds& found = {});
    ~Question();

    // How many people it is true of.
    std::size_t count();
    // Calls visit(place) for each of them, in the order of places.
    void each(const std::function<void(Crowd::Place)>& visit);
    // Which of up to 64 people it is true of: a bit for each.
    static constexpr std::size_t block_places = 64;
    std::uint64_t of(std::span<const Crowd::Place> places);

private:
    class Test;
    struct Block;
    class Groups;
    std::uint64_t of_block(std::size_t block);

    const Crowd& crowd_;
    std::unique_ptr<Test> test_;
};

}  // namespace mailroom::people
