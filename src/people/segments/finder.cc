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

Answer<bool> Finder::ask_crowd(LiveCrowd::Order order,
                               const std::function<void(const Crowd&)>& ask) const {
    while (!crowd_.with(order, ask)) {
        const auto state = crowd_.state();
        if (state == LiveCrowd::State::reading) {
            return Refusal(Refusal::Kind::unavailable, "people_not_ready",
                           "people are being read into memory, " +
                               std::to_string(crowd_.read_so_far()) +
                               " so far; ask again in a moment");
        }
        if (state != LiveCrowd::State::ready) return false;
    }
    return true;
}

Result<Finder::Asked> Finder::asked(const Filter& filter, Time now) const {
    Asked asked{filter, now};
    for (const auto* test : deeds_in(filter)) {
        if (test->mails) TRY(asked.found.find(mail_deeds_, *test, now));
    }
    return asked;
}

Answer<std::vector<std::size_t>> Finder::count(const std::vector<Filter>& filters, Time now) const {
    std::vector<std::size_t> counts(filters.size());
    std::vector<Asked> all;
    for (const auto& filter : filters) all.push_back(TRY(asked(filter, now)));
    const bool is_in_memory = TRY(ask_crowd(LiveCrowd::Order::any, [&](const Crowd& crowd) {
        for (std::size_t i = 0; i < filters.size(); ++i) {
            counts[i] = Question(crowd, filters[i], now, all[i].found).count();
        }
    }));
    if (is_in_memory) return counts;
    for (std::size_t i = 0; i < filters.size(); ++i) {
        TRY(visit_table(all[i], [&](std::string_view, const auto&) { ++counts[i]; }));
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

Answer<table::Slice<std::string>> Finder::page(const Filter& filter, PeopleOrder order,
                                               const table::PageWish& wish, Time now) const {
    const auto begin = TRY(begin_of(order, wish));
    const auto asked = TRY(this->asked(filter, now));
    Addresses page;
    const bool is_in_memory = TRY(ask_crowd(begin.needed(), [&](const Crowd& crowd) {
        auto places = page_of_crowd(crowd, asked, begin, wish.limit);
        page.next = std::move(places.next);
        for (const auto place : places.items) page.items.emplace_back(crowd.address(place));
    }));
    if (is_in_memory) return page;
    if (order == PeopleOrder::newest) {
        return TRY(newest_of_table(asked, begin, wish.limit));
    }
    return TRY(page_of_table(asked, wish));
}

Answer<table::Slice<table::Item>> Finder::rows(const Filter& filter, PeopleOrder order,
                                               const table::PageWish& wish, Time now) const {
    const auto begin = TRY(begin_of(order, wish));
    const auto asked = TRY(this->asked(filter, now));
    table::Slice<table::Item> rows;
    const bool is_in_memory = TRY(ask_crowd(begin.needed(), [&](const Crowd& crowd) {
        auto page = page_of_crowd(crowd, asked, begin, wish.limit);
        rows.next = std::move(page.next);
        for (const auto place : page.items) rows.items.push_back(crowd.profile(place));
    }));
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

Finder::Places Finder::page_of_crowd(const Crowd& crowd, const Asked& asked, const Begin& begin,
                                     std::size_t limit) const {
    if (begin.order == PeopleOrder::address) {
        return page_by_address(crowd, asked, begin.address, limit);
    }
    Newest newest(begin.newcomer, limit);
    const auto* const created = crowd.column("createdAt");
    Question question(crowd, asked.filter, asked.now, asked.found);
    question.each([&](Crowd::Place place) {
        newest.add(text_of_column(created, place), crowd.address(place));
    });
    auto found = std::move(newest).page();
    Places page;
    page.next = std::move(found.next);
    for (const auto& address : found.items) page.items.push_back(*crowd.place(address));
    return page;
}

Finder::Places Finder::page_by_address(const Crowd& crowd, const Asked& asked,
                                       std::string_view after, std::size_t limit) const {
    Question question(crowd, asked.filter, asked.now, asked.found);
    Places page;
    const std::span<const Crowd::Place> all(crowd.by_address());
    for (auto at = after.empty() ? 0 : crowd.after(after); at < all.size();
         at += Question::block_places) {
        const auto block = all.subspan(at, std::min(Question::block_places, all.size() - at));
        const auto found = question.of(block);
        for (std::size_t i = 0; i < block.size(); ++i) {
            if ((found >> i & 1) == 0) continue;
            if (page.items.size() == limit) {
                const auto shape = table::key_shape(Books::audience_table(books_.tables.audience));
                const auto last = profile_key(crowd.address(page.items.back()));
                page.next = table::cursor_of(last, shape);
                return page;
            }
            page.items.push_back(block[i]);
        }
    }
    return page;
}

Result<Finder::Addresses> Finder::newest_of_table(const Asked& asked, const Begin& begin,
                                                  std::size_t limit) const {
    Newest newest(begin.newcomer, limit);
    TRY(visit_table(asked, [&](std::string_view address, const table::ItemView& row) {
        newest.add(row.text("createdAt").value_or(""), address);
    }));
    return std::move(newest).page();
}

Answer<std::vector<std::string>> Finder::addresses_after(const std::string& address,
                                                         const Filter& filter, Time now) const {
    const auto asked = TRY(this->asked(filter, now));
    std::vector<std::string> all;
    const auto add = [&](std::string_view one) {
        if (one > address) all.emplace_back(one);
    };
    const bool is_in_memory = TRY(ask_crowd(LiveCrowd::Order::any, [&](const Crowd& crowd) {
        Question question(crowd, filter, now, asked.found);
        question.each([&](Crowd::Place place) { add(crowd.address(place)); });
    }));
    if (!is_in_memory) {
        TRY(visit_table(asked, [&](std::string_view one, const auto&) { add(one); }));
    }
    std::ranges::sort(all);
    return all;
}

Result<table::Slice<std::string>> Finder::page_of_table(const Asked& asked,
                                                        const table::PageWish& wish) const {
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
        TRY(visit_some(rows.items, asked, [&](std::string_view address, const auto&) {
            page.items.emplace_back(address);
        }));
        scan.start_key = rows.last_key;
    } while (scan.start_key && page.items.empty());
    if (scan.start_key) page.next = table::cursor_of(*scan.start_key, shape);
    return page;
}

Result<> Finder::visit_some(const std::vector<table::Item>& rows, const Asked& asked,
                            const Visit& visit) const {
    std::vector<std::pair<std::string_view, table::ItemView>> people;
    std::vector<table::Item> keys;
    const bool with_deeds = !deeds_in(asked.filter).empty();
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
        const PersonSeen person{profile, done, &asked.found, std::string(address)};
        if (holds(asked.filter, person, asked.now)) visit(address, profile);
    }
    return Ok{};
}

Result<> Finder::visit_table(const Asked& asked, const Visit& visit) const {
    table::Scan scan;
    scan.table = books_.tables.audience;
    scan.consistent = true;
    do {
        const auto rows = TRY(books_.store.scan(scan));
        TRY(visit_some(rows.items, asked, visit));
        scan.start_key = rows.last_key;
    } while (scan.start_key);
    return Ok{};
}

}  // namespace mailroom::people
