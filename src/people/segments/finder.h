// Finds the people whom a filter means: in memory where they are there, in the tables otherwise.
#pragma once

#include "base/result.h"
#include "people/books.h"
#include "people/segments/filter.h"
#include "people/segments/live_crowd.h"
#include "table/records/cursor.h"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::people {

enum class PeopleOrder { address, newest };
constexpr auto names_of(PeopleOrder) {
    return std::array{Name{PeopleOrder::address, "address"}, Name{PeopleOrder::newest, "newest"}};
}

// Filters must have been resolved (segments.h). Thread-safe.
class Finder {
public:
    // Both must outlive it.
    Finder(const Books& books, LiveCrowd& crowd) : books_(books), crowd_(crowd) {}

    // How many each of the filters means.
    Result<std::vector<std::size_t>> count(const std::vector<Filter>& filters, Time now) const;
    // Addresses. By address is without order where people are not in memory. `invalid` if `after`
    // is not what a page said.
    Result<table::Slice<std::string>> page(const Filter& filter, PeopleOrder order,
                                           const table::PageWish& wish, Time now) const;
    // The same people as rows of the table. Who is gone by the time it is read is left out.
    Result<table::Slice<table::Item>> rows(const Filter& filter, PeopleOrder order,
                                           const table::PageWish& wish, Time now) const;
    // All of them that come after the address, in order.
    Result<std::vector<std::string>> addresses_after(const std::string& address,
                                                     const Filter& filter, Time now) const;

private:
    using Addresses = table::Slice<std::string>;
    using Visit = std::function<void(std::string_view address, const table::ItemView& profile)>;

    // Where a page begins, as a cursor has it.
    struct Begin;
    Result<Begin> begin_of(PeopleOrder order, const table::PageWish& wish) const;
    Addresses page_of_crowd(const Crowd& crowd, const Filter& filter, const Begin& begin,
                            std::size_t limit, Time now) const;
    Addresses page_by_address(const Crowd& crowd, const Filter& filter, std::string_view after,
                              std::size_t limit, Time now) const;
    Result<Addresses> newest_of_table(const Filter& filter, const Begin& begin, std::size_t limit,
                                      Time now) const;
    Result<Addresses> page_of_table(const Filter& filter, const table::PageWish& wish,
                                    Time now) const;
    // Those of some rows whom the filter means.
    Result<> visit_some(const std::vector<table::Item>& rows, const Filter& filter, Time now,
                        const Visit& visit) const;
    Result<> visit_table(const Filter& filter, Time now, const Visit& visit) const;

    const Books& books_;
    LiveCrowd& crowd_;
};

}  // namespace mailroom::people
