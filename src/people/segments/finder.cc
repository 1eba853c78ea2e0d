#include "people/segments/finder.h"

#include "people/segments/holds.h"
#include "people/segments/question.h"
#include "table/records/many.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace mailroom::people {

namespace {

// When somebody came, as their profile has it: these sort as the times do.
struct Newcomer {
    std::string created, address;
    // The newest is the first.
    friend bool operator<(const Newcomer& a, const Newcomer& b) {
        return a.created != b.created ? a.created > b.created : a.address < b.address;
    }
};

const table::KeyShape& newcomer_shape() {
    // One more than the keys of rows have, so that it is not taken for one.
    static const table::KeyShape shape = {{"order", table::Kind::string},
                                          {"createdAt", table::Kind::string},
                                          {"PK", table::Kind::string}};
    return shape;
}

// The first so many of those behind a place in the order.
class Newest {
public:
    Newest(std::optional<Newcomer> after, std::size_t limit)
        : after_(std::move(after)), limit_(limit) {}

    void add(std::string_view created, std::string_view address) {
        if (found_.size() > limit_ && created < found_.front().created) return;
        Newcomer one{std::string(created), std::string(address)};
        if (after_ && !(*after_ < one)) return;
        found_.push_back(std::move(one));
        std::push_heap(found_.begin(), found_.end());
        if (found_.size() <= limit_ + 1) return;
        std::pop_heap(found_.begin(), found_.end());
        found_.pop_back();
    }
    table::Slice<std::string> page() && {
        std::sort_heap(found_.begin(), found_.end());
        table::Slice<std::string> page;
        if (found_.size() > limit_) {
            found_.pop_back();
            const auto& last = found_.back();
            page.next = table::cursor_of(table::Item{{"order", name_of(PeopleOrder::newest)},
                                                     {"createdAt", last.created},
                                                     {"PK", last.address}},
                                         newcomer_shape());
        }
        for (auto& one : found_) page.items.push_back(std::move(one.address));
        return page;
    }

private:
    const std::optional<Newcomer> after_;
    const std::size_t limit_;
    std::vector<Newcomer> found_;  // A heap: the oldest is the first.
};

std::string_view text_of_column(const Crowd::Column* column, Crowd::Place place) {
    const auto number = column != nullptr ? column->at(place) : 0;
    if (number == 0) return {};
    const auto value = column->value(number);
    return value.kind() == table::Kind::string ? value.text() : std::string_view();
}

}  // namespace

Result<std::vector<std::size_t>> Finder::count(const std::vector<Filter>& filters, Time now) const {
    std::vector<std::size_t> counts(filters.size());
    const auto is_in_memory = crowd_.with(LiveCrowd::Order::any, [&](const Crowd& crowd) {
        for (std::size_t i = 0; i < filters.size(); ++i) {
            counts[i] = Question(crowd, filters[i], now).count();
        }
    });
    if (is_in_memory) return counts;
    for (std::size_t i = 0; i < filters.size(); ++i) {
        TRY(visit_table(filters[i], now, [&](std::string_view, const auto&) { ++counts[i]; }));
    }
    return counts;
}

struct Finder::Begin {
    PeopleOrder order = PeopleOrder::address;
    std::string address;               // By address: behind it. Empty: from the beginning.
    std::optional<Newcomer> newcomer;  // By age: behind it.

    LiveCrowd::Order needed() const {
        return order == PeopleOrder::address ? LiveCrowd::Order::by_address : LiveCrowd::Order::any;
    }
};

Result<Finder::Begin> Finder::begin_of(PeopleOrder order, const table::PageWish& wish) const {
    Begin begin;
    begin.order = order;
    if (!wish.after) return begin;
    if (order == PeopleOrder::newest) {
        const auto key = TRY(table::parse_cursor(*wish.after, newcomer_shape()));
        begin.newcomer = {std::string(*key.text("createdAt")), std::string(*key.text("PK"))};
        return begin;
    }
    const auto shape = table::key_shape(Books::audience_table(books_.tables.audience));
    const auto key = TRY(table::parse_cursor(*wish.after, shape));
    begin.address = person_of_partition(*key.text("PK")).value_or("");
    return begin;
}

Result<table::Slice<std::string>> Finder::page(const Filter& filter, PeopleOrder order,
                                               const table::PageWish& wish, Time now) const {
    const auto begin = TRY(begin_of(order, wish));
    Addresses page;
    const auto is_in_memory = crowd_.with(begin.needed(), [&](const Crowd& crowd) {
        page = page_of_crowd(crowd, filter, begin, wish.limit, now);
    });
    if (is_in_memory) return page;
    if (order == PeopleOrder::newest) return newest_of_table(filter, begin, wish.limit, now);
    return page_of_table(filter, wish, now);
}

Result<table::Slice<table::Item>> Finder::rows(const Filter& filter, PeopleOrder order,
                                               const table::PageWish& wish, Time now) const {
    const auto begin = TRY(begin_of(order, wish));
    table::Slice<table::Item> rows;
    const auto is_in_memory = crowd_.with(begin.needed(), [&](const Crowd& crowd) {
        auto page = page_of_crowd(crowd, filter, begin, wish.limit, now);
        rows.next = std::move(page.next);
        for (const auto& address : page.items) rows.items.push_back(*crowd.profile(address));
    });
    if (is_in_memory) return rows;
    auto page = TRY(this->page(filter, order, wish, now));
    std::vector<table::Item> keys;
    for (const auto& address : page.items) keys.push_back(profile_key(address));
    std::map<std::string, table::Item, std::less<>> known;
    for (auto& row : TRY(table::get_all(books_.store, books_.tables.audience, std::move(keys)))) {
        const auto address = person_of_partition(row.text("PK").value_or(""));
        if (address) known.emplace(*address, row);
    }
    rows.next = std::move(page.next);
    for (const auto& address : page.items) {
        const auto found = known.find(address);
        if (found != known.end()) rows.items.push_back(std::move(found->second));
    }
    return rows;
}

Finder::Addresses Finder::page_of_crowd(const Crowd& crowd, const Filter& filter,
                                        const Begin& begin, std::size_t limit, Time now) const {
    if (begin.order == PeopleOrder::address) {
        return page_by_address(crowd, filter, begin.address, limit, now);
    }
    Newest newest(begin.newcomer, limit);
    const auto* const created = crowd.column("createdAt");
    Question(crowd, filter, now).each([&](Crowd::Place place) {
        newest.add(text_of_column(created, place), crowd.address(place));
    });
    return std::move(newest).page();
}

Finder::Addresses Finder::page_by_address(const Crowd& crowd, const Filter& filter,
                                          std::string_view after, std::size_t limit,
                                          Time now) const {
    Question question(crowd, filter, now);
    Addresses page;
    const std::span<const Crowd::Place> all(crowd.by_address());
    for (auto at = after.empty() ? 0 : crowd.after(after); at < all.size();
         at += Question::block_places) {
        const auto block = all.subspan(at, std::min(Question::block_places, all.size() - at));
        const auto found = question.of(block);
        for (std::size_t i = 0; i < block.size(); ++i) {
            if ((found >> i & 1) == 0) continue;
            if (page.items.size() == limit) {
                const auto shape = table::key_shape(Books::audience_table(books_.tables.audience));
                page.next = table::cursor_of(profile_key(page.items.back()), shape);
                return page;
            }
            page.items.emplace_back(crowd.address(block[i]));
        }
    }
    return page;
}

Result<Finder::Addresses> Finder::newest_of_table(const Filter& filter, const Begin& begin,
                                                  std::size_t limit, Time now) const {
    Newest newest(begin.newcomer, limit);
    TRY(visit_table(filter, now, [&](std::string_view address, const table::ItemView& row) {
        newest.add(row.text("createdAt").value_or(""), address);
    }));
    return std::move(newest).page();
}

Result<std::vector<std::string>> Finder::addresses_after(const std::string& address,
                                                         const Filter& filter, Time now) const {
    std::vector<std::string> all;
    const auto add = [&](std::string_view one) {
        if (one > address) all.emplace_back(one);
    };
    const auto is_in_memory = crowd_.with(LiveCrowd::Order::any, [&](const Crowd& crowd) {
        Question(crowd, filter, now).each([&](Crowd::Place place) { add(crowd.address(place)); });
    });
    if (!is_in_memory) {
        TRY(visit_table(filter, now, [&](std::string_view one, const auto&) { add(one); }));
    }
    std::ranges::sort(all);
    return all;
}

Result<table::Slice<std::string>> Finder::page_of_table(const Filter& filter,
                                                        const table::PageWish& wish,
                                                        Time now) const {
    const auto shape = table::key_shape(Books::audience_table(books_.tables.audience));
    table::Scan scan;
    scan.table = books_.tables.audience;
    scan.consistent = true;
    scan.limit = static_cast<std::int64_t>(wish.limit);
    if (wish.after) scan.start_key = TRY(table::parse_cursor(*wish.after, shape));
    Addresses page;
    // Most rows are no profiles, or are not meant: on until there is something to show.
    do {
        const auto rows = TRY(books_.store.scan(scan));
        TRY(visit_some(rows.items, filter, now, [&](std::string_view address, const auto&) {
            page.items.emplace_back(address);
        }));
        scan.start_key = rows.last_key;
    } while (scan.start_key && page.items.empty());
    if (scan.start_key) page.next = table::cursor_of(*scan.start_key, shape);
    return page;
}

Result<> Finder::visit_some(const std::vector<table::Item>& rows, const Filter& filter, Time now,
                            const Visit& visit) const {
    std::vector<std::pair<std::string_view, table::ItemView>> people;
    std::vector<table::Item> keys;
    const bool with_deeds = asks_for_deeds(filter);
    for (const auto& row : rows) {
        const auto address = person_of_partition(row.text("PK").value_or(""));
        if (!address || row.text("SK") != "PROFILE") continue;
        people.emplace_back(*address, row);
        if (with_deeds) keys.push_back(Activities::key_of(*address));
    }
    std::map<std::string, Activity, std::less<>> activities;
    for (const auto& row :
         TRY(table::get_all(books_.store, books_.tables.people, std::move(keys)))) {
        activities.emplace(row.text("PK")->substr(Activities::prefix.size()), activity_of(row));
    }
    for (const auto& [address, profile] : people) {
        const auto activity = activities.find(address);
        const auto* const done = activity == activities.end() ? nullptr : &activity->second;
        if (holds(filter, {profile, done}, now)) visit(address, profile);
    }
    return Ok{};
}

Result<> Finder::visit_table(const Filter& filter, Time now, const Visit& visit) const {
    table::Scan scan;
    scan.table = books_.tables.audience;
    scan.consistent = true;
    do {
        const auto rows = TRY(books_.store.scan(scan));
        TRY(visit_some(rows.items, filter, now, visit));
        scan.start_key = rows.last_key;
    } while (scan.start_key);
    return Ok{};
}

}  // namespace mailroom::people
