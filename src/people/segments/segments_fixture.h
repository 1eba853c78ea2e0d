// What tests of segments share: the tables of people, and somebody in them.
#pragma once

#include "people/segments/expansions.h"
#include "people/segments/filter_text.h"
#include "people/segments/finder.h"
#include "people/segments/holds.h"
#include "people/segments/segments.h"
#include "table/engine/engine_fixture.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mailroom::people {

class SegmentsTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        books.emplace(*engine, clock, random);
        ASSERT_TRUE(books->open());
        crowd.emplace(*engine, books->tables);
        finder.emplace(*books, *crowd);
        segments.emplace(*books);
        expansions.emplace(*books, *finder, *segments);
    }
    // As another program does.
    void put_person(const std::string& address, table::Item columns = {}) {
        columns.set("PK", table::Value(partition_of_person(address)));
        columns.set("SK", table::Value("PROFILE"));
        ASSERT_TRUE(engine->put(put("Audience", std::move(columns))));
    }
    void erase_person(const std::string& address) {
        ASSERT_TRUE(engine->erase(table::write::Erase("Audience", profile_key(address))));
    }
    void did(const std::string& address, Deed deed, Time at) {
        table::write::Transaction together;
        ASSERT_TRUE(Activities(*engine, "MailroomPeople").add_to(together, address, deed, at));
        ASSERT_TRUE(engine->transact(together));
    }

    static Filter filter(std::string_view text) {
        const auto parsed = parse_filter(text);
        EXPECT_TRUE(parsed) << text << ": " << parsed.error().text();
        return parsed ? *parsed : Filter();
    }
    std::size_t count(const Filter& wanted) {
        const auto counts = finder->count({wanted}, clock.now());
        EXPECT_TRUE(counts);
        return counts ? counts->front() : 0;
    }
    std::size_t count(std::string_view text) { return count(filter(text)); }
    // Page after page.
    std::vector<std::string> list(std::string_view text, PeopleOrder order = PeopleOrder::address,
                                  std::size_t limit = 3) {
        std::vector<std::string> all;
        table::PageWish wish{limit, {}};
        do {
            const auto page = finder->page(filter(text), order, wish, clock.now());
            EXPECT_TRUE(page) << page.error().message;
            if (!page) break;
            EXPECT_LE(page->items.size(), limit);
            all.insert(all.end(), page->items.begin(), page->items.end());
            wish.after = page->next;
        } while (wish.after);
        return all;
    }
    Answer<Segment> save(const std::string& id, const std::string& text) {
        return segments->save(id, {"Name of " + id, "", {text, std::nullopt}},
                              program::mailroom_itself());
    }

    using Texts = std::vector<std::string>;

    std::optional<Books> books;
    std::optional<LiveCrowd> crowd;
    std::optional<Finder> finder;
    std::optional<Segments> segments;
    std::optional<Expansions> expansions;
};

}  // namespace mailroom::people
