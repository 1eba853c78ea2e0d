#include "people/segments/finder.h"

#include "people/segments/segments_fixture.h"

namespace mailroom::people {
namespace {

using namespace std::chrono_literals;

enum class From { memory, tables };

class FinderTest : public SegmentsTest, public ::testing::WithParamInterface<From> {
protected:
    void SetUp() override {
        SegmentsTest::SetUp();
        if (GetParam() == From::memory) crowd->start();
        for (int i = 0; i < 10; ++i) {
            put_person(std::string(1, static_cast<char>('j' - i)) + "@x.com",
                       {{"n", i}, {"createdAt", "2026-01-0" + std::to_string(i % 5 + 1)}});
        }
    }
    Texts sorted(Texts all) {
        std::ranges::sort(all);
        return all;
    }
};

TEST_P(FinderTest, CountsAndListsWhomTheFilterMeans) {
    EXPECT_EQ(count("all"), 10U);
    EXPECT_EQ(count("n < 4"), 4U);
    EXPECT_EQ(sorted(list("n < 4")), (Texts{"g@x.com", "h@x.com", "i@x.com", "j@x.com"}));
    EXPECT_EQ(sorted(list("all")).size(), 10U);
    EXPECT_EQ(list("n > 100"), Texts());
    const auto two = finder->count({filter("n = 1"), filter("n >= 2")}, clock.now());
    EXPECT_EQ(*two, (std::vector<std::size_t>{1, 8}));
}

TEST_P(FinderTest, AsksWhoeverKeepsTheAccountForDeedsWithSomeMails) {
    class Account : public MailDeeds {
    public:
        Result<DeedsByPerson> of(const Mails& mails, Deed deed,
                                 std::optional<Time> since) const override {
            if (is_away) return Error{Errc::unavailable, "away"};
            if (mails.id != "welcome" || deed != Deed::opened) return DeedsByPerson();
            DeedsByPerson deeds;
            deeds["a@x.com"] = {from_unix_ms(5000), 3, {from_unix_ms(1000), from_unix_ms(3000)}};
            deeds["b@x.com"] = {from_unix_ms(2000), 1};
            deeds["gone@x.com"] = {from_unix_ms(5000), 1};
            asked_since = since;
            return deeds;
        }
        bool is_away = false;
        mutable std::optional<Time> asked_since;
    };
    EXPECT_EQ(count("opened template \"welcome\""), 0U);
    Account account;
    finder->ask_deeds_of(account);
    EXPECT_EQ(count("opened template \"welcome\""), 2U);
    EXPECT_EQ(account.asked_since, std::nullopt);
    EXPECT_EQ(count("not opened template \"welcome\""), 8U);
    EXPECT_EQ(count("clicked template \"welcome\" or opened broadcast \"other\""), 0U);
    const auto since = filter("opened template \"welcome\" since 1970-01-01T00:00:03Z");
    EXPECT_EQ(count(since), 1U);
    EXPECT_EQ(account.asked_since, from_unix_ms(3000));
    const auto twice = "opened template \"welcome\" at least 2 times since 1970-01-01T00:00:03Z";
    EXPECT_EQ(list(twice), Texts{"a@x.com"});
    EXPECT_EQ(list(twice, PeopleOrder::newest), Texts{"a@x.com"});
    account.is_away = true;
    EXPECT_FALSE(finder->count({since}, clock.now()));
}

TEST_P(FinderTest, ListsTheNewestFirst) {
    EXPECT_EQ(list("n < 7", PeopleOrder::newest),
              (Texts{"f@x.com", "g@x.com", "h@x.com", "d@x.com", "i@x.com", "e@x.com", "j@x.com"}));
    EXPECT_EQ(list("all", PeopleOrder::newest, 1).size(), 10U);
    put_person("new@x.com", {{"n", 5}, {"createdAt", "2026-02-01"}});
    put_person("none@x.com", {{"n", 5}});
    EXPECT_EQ(list("n = 5", PeopleOrder::newest), (Texts{"new@x.com", "e@x.com", "none@x.com"}));
}

TEST_P(FinderTest, RowsAreThoseOfTheTable) {
    const table::Item odd{{"Age", 3}, {"zebra", table::Value::list({"a", 1})}, {"n", 50}};
    put_person("odd@x.com", odd);
    for (const auto order : {PeopleOrder::address, PeopleOrder::newest}) {
        table::PageWish wish{4, {}};
        std::size_t seen = 0;
        do {
            const auto rows = finder->rows(filter("n > 1"), order, wish, clock.now());
            ASSERT_TRUE(rows) << rows.error().message;
            for (const auto& row : rows->items) {
                EXPECT_EQ(get("Audience", {{"PK", *row.text("PK")}, {"SK", "PROFILE"}}), row);
                ++seen;
            }
            wish.after = rows->next;
        } while (wish.after);
        EXPECT_EQ(seen, 9U);
    }
}

TEST_P(FinderTest, AllAfterAnAddressAreInOrder) {
    EXPECT_EQ(*finder->addresses_after("g@x.com", filter("n != 0"), clock.now()),
              (Texts{"h@x.com", "i@x.com"}));
}

TEST_P(FinderTest, KnowsWhatPeopleDid) {
    did("a@x.com", Deed::opened, clock.now() - 24h * 10);
    did("b@x.com", Deed::opened, clock.now() - 24h * 10);
    did("b@x.com", Deed::clicked, clock.now() - 24h * 9);
    EXPECT_EQ(list("opened within 30 days and not clicked within 30 days"), (Texts{"a@x.com"}));
    clock.advance(24h * 21);
    EXPECT_EQ(count("opened within 30 days and not clicked within 30 days"), 0U);
}

TEST_P(FinderTest, ACursorOfAnotherListIsRefused) {
    const auto wish = [](const std::string& after) { return table::PageWish{3, after}; };
    const auto now = clock.now();
    EXPECT_FALSE(finder->page(Filter(), PeopleOrder::address, wish("nonsense"), now));
    EXPECT_FALSE(finder->page(Filter(), PeopleOrder::newest, wish("nonsense"), now));
    const auto first = finder->page(Filter(), PeopleOrder::newest, {3, {}}, now);
    EXPECT_FALSE(finder->page(Filter(), PeopleOrder::address, wish(*first->next), now));
}

INSTANTIATE_TEST_SUITE_P(FromBoth, FinderTest, ::testing::Values(From::memory, From::tables));

class FinderInMemoryTest : public SegmentsTest {};

TEST_F(FinderInMemoryTest, ListsByAddressWhateverComesBetweenPages) {
    crowd->start();
    for (const char c : std::string("dbca")) put_person(std::string(1, c) + "@x.com");
    const auto first = finder->page(Filter(), PeopleOrder::address, {2, {}}, clock.now());
    EXPECT_EQ(first->items, (Texts{"a@x.com", "b@x.com"}));
    put_person("aa@x.com");
    put_person("bb@x.com");
    erase_person("c@x.com");
    const auto second = finder->page(Filter(), PeopleOrder::address, {2, first->next}, clock.now());
    EXPECT_EQ(second->items, (Texts{"bb@x.com", "d@x.com"}));
    EXPECT_EQ(second->next, std::nullopt);
}

}  // namespace
}  // namespace mailroom::people
