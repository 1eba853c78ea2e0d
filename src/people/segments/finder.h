// Finds the people whom a filter means: in memory where they are there, in the tables otherwise.
#pragma once

#include "base/refusal.h"
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

// Filters must have been resolved (segments.h). While people are being read into memory, as a
// server does when it starts, all are refused: `unavailable`, "people_not_ready". Thread-safe.
class Finder {
public:
    // Both must outlive it.
    Finder(const Books& books, LiveCrowd& crowd) : books_(books), crowd_(crowd) {}
    // Before anybody asks. Must outlive all questions; without it nobody did anything with the
    // mails of one template, sequence or broadcast.
    void ask_deeds_of(const MailDeeds& mail_deeds) { mail_deeds_ = &mail_deeds; }

    // How many each of the filters means.
    Answer<std::vector<std::size_t>> count(const std::vector<Filter>& filters, Time now) const;
    // Addresses. By address is without order where people are not in memory. `invalid` if `after`
    // is not what a page said.
    Answer<table::Slice<std::string>> page(const Filter& filter, PeopleOrder order,
                                           const table::PageWish& wish, Time now) const;
    // The same people as rows of the table. Who is gone by the time it is read is left out.
    Answer<table::Slice<table::Item>> rows(const Filter& filter, PeopleOrder order,
                                           const table::PageWish& wish, Time now) const;
    // All of them that come after the address, in order.
    Answer<std::vector<std::string>> addresses_after(const std::string& address,
                                                     const Filter& filter, Time now) const;

private:
    using Addresses = table::Slice<std::string>;
    using Visit = std::function<void(std::string_view address, const table::ItemView& profile)>;

    // Whether people are in memory; then `ask` was called.
    Answer<bool> ask_crowd(LiveCrowd::Order order,
                           const std::function<void(const Crowd&)>& ask) const;
    // Where a page begins, as a cursor has it.
    struct Begin;
    Result<Begin> begin_of(PeopleOrder order, const table::PageWish& wish) const;
    // A filter, asked at a moment, with what had to be found out before.
    struct Asked {
        const Filter& filter;
        Time now;
        FoundDeeds found = {};
    };
    Result<Asked> asked(const Filter& filter, Time now) const;

    using Places = table::Slice<Crowd::Place>;
    Places page_of_crowd(const Crowd& crowd, const Asked& asked, const Begin& begin,
                         std::size_t limit) const;
    Places page_by_address(const Crowd& crowd, const Asked& asked, std::string_view after,
                           std::size_t limit) const;
    Result<Addresses> newest_of_table(const Asked& asked, const Begin& begin,
                                      std::size_t limit) const;
    Result<Addresses> page_of_table(const Asked& asked, const table::PageWish& wish) const;
    // Those of some rows whom the filter means.
    Result<> visit_some(const std::vector<table::Item>& rows, const Asked& asked,
                        const Visit& visit) const;
    Result<> visit_table(const Asked& asked, const Visit& visit) const;

    const Books& books_;
    LiveCrowd& crowd_;
    const MailDeeds* mail_deeds_ = nullptr;
};

}  // namespace mailroom::people
