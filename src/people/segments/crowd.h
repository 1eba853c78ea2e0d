// All people in columns, for questions about all of them at once.
//
// Each attribute is a column of numbers, one for each person, that stand for the distinct values of
// that attribute. A test is made once for each distinct value, not for each person, and by the same
// code that tests a row of the table (holds.h): both always agree.
//
// Not thread-safe; but several may ask at once while nobody changes it.
#pragma once

#include "people/activity.h"
#include "people/segments/dictionary.h"
#include "table/value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

class Crowd {
public:
    using Place = std::uint32_t;  // Of a person. Good until somebody changes the crowd.

    // The profile as a whole, as it is now.
    void put(std::string_view address, const table::ItemView& profile);
    void erase(std::string_view address);
    // Also of somebody who has no profile, or has none yet.
    void put(std::string_view address, const Activity& activity);

    std::size_t size() const { return present_count_; }
    std::size_t bytes() const;

    // Puts those who came lately where they belong by address. After changes, before by_address().
    void sort();
    // As well, and gives all of them places in that order, so that who is listed together is kept
    // together. Costs about as much as putting all of them.
    void arrange();
    // Everybody who was ever there, in order of their addresses.
    const std::vector<Place>& by_address() const { return by_address_; }
    // Where in by_address() those after the address begin.
    std::size_t after(std::string_view address) const;

    // How many places there are, and whether somebody is there.
    std::size_t places() const { return addresses_.size(); }
    bool is_present(Place place) const { return (present_[place / 64] >> (place % 64) & 1) != 0; }
    std::uint64_t present_of(std::size_t block) const { return present_[block]; }  // Of 64 places.
    std::string_view address(Place place) const { return addresses_.at(place); }
    // None if nobody with that address was ever there.
    std::optional<Place> place(std::string_view address) const;

    // The profile as it was put, with its key, `PK` and `SK`; none if nobody is there.
    std::optional<table::Item> profile(std::string_view address) const;
    table::Item profile(Place place) const;  // Of somebody who is there.

    struct Column {
        Dictionary values;                   // As rows have them: kinds and payloads.
        std::vector<std::uint32_t> numbers;  // By place: 0, or one more than that of the value.

        std::uint32_t at(Place place) const { return place < numbers.size() ? numbers[place] : 0; }
        // Of a number that is not 0.
        table::ValueView value(std::uint32_t number) const;
    };
    // None if nobody ever had such an attribute.
    const Column* column(std::string_view attribute) const;

    // The last times, and how often, by place; those at the end who never did it are left out.
    struct DeedColumn {
        std::vector<std::int64_t> last_ms;
        std::vector<std::int64_t> counts;  // 0: never.
        // The times before the last one that are known; null: none. May be shorter than the others.
        std::vector<std::unique_ptr<const std::vector<Time>>> before;

        // Of somebody who did it. Costs as much as how much is known of them.
        Activity::Done done(Place place) const;
    };
    const DeedColumn& deed(Deed deed) const { return deeds_[static_cast<std::size_t>(deed)]; }

private:
    Place place_of(std::string_view address);
    void set(Column& column, Place place, std::uint32_t number);
    void set_activity(Place place, const Activity& activity);
    void set_before(DeedColumn& column, Place place, const std::vector<Time>& times);
    void forget_values(Column& column) const;
    void close_gaps();
    bool is_needed(Place place) const;

    Dictionary addresses_;
    std::vector<std::uint64_t> present_;
    std::size_t present_count_ = 0;
    std::size_t erased_count_ = 0;  // Since gaps were closed.
    std::vector<Place> by_address_;
    std::size_t sorted_count_ = 0;  // Of them: those behind are in the order in which they came.
    std::map<std::string, Column, std::less<>> columns_;
    std::array<DeedColumn, deed_count> deeds_;
    std::size_t times_bytes_ = 0;  // Of all `before`.
};

}  // namespace mailroom::people
