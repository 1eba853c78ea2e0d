#include "people/suppressions.h"

#include "table/engine/engine_fixture.h"

#include <algorithm>

namespace mailroom::people {
namespace {

class SuppressionsTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        open(Suppressions::Writers::others_too);
    }
    void open(Suppressions::Writers writers) {
        auto opened = Suppressions::open(*engine, clock, random, writers);
        ASSERT_TRUE(opened) << opened.error().message;
        list.emplace(*std::move(opened));
    }

    std::string refusal(Stream stream, std::string_view address) {
        const auto refused = list->refusal(stream, address);
        EXPECT_TRUE(refused) << refused.error().message;
        return refused ? refused->value_or("") : "?";
    }

    std::optional<Suppressions> list;
};

TEST_F(SuppressionsTest, ASuppressionIsOneRowUnderTheCanonicalAddress) {
    const auto added = list->add(" Ann@EXAMPLE.com ", Extent::every(), "complaint");
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(added->address, "Ann@EXAMPLE.com");
    const table::Item want{{"Address", "ann@example.com"},  {"Stream", "*"},
                           {"Reason", "complaint"},         {"Source", "api"},
                           {"At", to_unix_ms(clock.now())}, {"Given", "Ann@EXAMPLE.com"}};
    EXPECT_EQ(get("MailroomSuppressions", {{"Address", "ann@example.com"}, {"Stream", "*"}}), want);
}

TEST_F(SuppressionsTest, WhoIsTheOnlyWriterKnowsWhatIsListedNowAndBefore) {
    ASSERT_TRUE(list->add("before@example.com", Extent::every(), "complaint"));
    open(Suppressions::Writers::only_this);
    EXPECT_EQ(refusal(Stream::bulk, "Before@example.com"), "suppressed: complaint");
    EXPECT_EQ(refusal(Stream::bulk, "now@example.com"), "");
    ASSERT_TRUE(list->add("now@example.com", Stream::bulk, "bounce"));
    EXPECT_EQ(refusal(Stream::bulk, "now@example.com"), "unsubscribed: bounce");
    EXPECT_EQ(refusal(Stream::transactional, "now@example.com"), "");
    schedule::Transaction together;
    ASSERT_TRUE(list->add_to(together, "too@example.com", Extent::every(), "request"));
    ASSERT_TRUE(engine->transact(together));
    EXPECT_EQ(refusal(Stream::bulk, "too@example.com"), "suppressed: request");
    ASSERT_TRUE(*list->remove("too@example.com"));
    EXPECT_EQ(refusal(Stream::bulk, "too@example.com"), "");
    EXPECT_EQ(refusal(Stream::bulk, "nobody").find("not an address"), 0U);
}

TEST_F(SuppressionsTest, TheOnlyWriterReadsAListOfManyPages) {
    const std::string reason(4000, 'r');
    for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(list->add("a" + std::to_string(i) + "@example.com", Extent::every(), reason));
    }
    open(Suppressions::Writers::only_this);
    for (int i = 0; i < 600; ++i) {
        EXPECT_NE(refusal(Stream::bulk, "a" + std::to_string(i) + "@example.com"), "") << i;
    }
}

TEST_F(SuppressionsTest, AnAddressIsRefusedInItsStreamsHoweverItIsWritten) {
    ASSERT_TRUE(list->add("all@example.com", Extent::every(), "bounce"));
    ASSERT_TRUE(list->add("news@example.com", Stream::bulk, "request"));
    struct Case {
        const char* address;
        Stream stream;
        const char* want;
    };
    const Case cases[] = {
        {"all@example.com", Stream::bulk, "suppressed: bounce"},
        {"all@example.com", Stream::transactional, "suppressed: bounce"},
        {"ALL@Example.COM", Stream::transactional, "suppressed: bounce"},
        {"\"all\"@example.com", Stream::transactional, "suppressed: bounce"},
        {"news@example.com", Stream::bulk, "unsubscribed: request"},
        {"news@example.com", Stream::transactional, ""},
        {"other@example.com", Stream::bulk, ""},
        {"all@example.org", Stream::bulk, ""},
    };
    for (const auto& c : cases) EXPECT_EQ(refusal(c.stream, c.address), c.want) << c.address;
    EXPECT_EQ(refusal(Stream::bulk, "nobody").substr(0, 14), "not an address");
}

TEST_F(SuppressionsTest, ALaterOneReplacesAnEarlierAndRemoveTakesAll) {
    ASSERT_TRUE(list->add("a@example.com", Extent::every(), "bounce"));
    ASSERT_TRUE(list->add("A@example.com", Extent::every(), "complaint"));
    ASSERT_TRUE(list->add("a@example.com", Stream::bulk, "request"));
    const auto found = list->find("a@EXAMPLE.com");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 2u);
    EXPECT_EQ((*found)[0].extent, Extent::every());
    EXPECT_EQ((*found)[0].reason, "complaint");
    EXPECT_EQ((*found)[0].address, "A@example.com");
    EXPECT_EQ((*found)[1].extent, Stream::bulk);
    EXPECT_EQ(*list->remove("a@example.com"), true);
    EXPECT_EQ(*list->remove("a@example.com"), false);
    EXPECT_EQ(refusal(Stream::bulk, "a@example.com"), "");
    EXPECT_TRUE(list->find("a@example.com")->empty());
}

TEST_F(SuppressionsTest, ATransactionCanRestOnAnAddressBeingFree) {
    const auto commit = [&](Stream stream) {
        table::write::Transaction transaction;
        transaction.put("MailroomSuppressions", {{"Address", "mark@example.com"}, {"Stream", "*"}});
        EXPECT_TRUE(list->require_none(transaction, stream, "News@Example.com"));
        return bool(engine->transact(transaction));
    };
    EXPECT_TRUE(commit(Stream::bulk));
    schedule::Transaction adding;
    ASSERT_TRUE(list->add_to(adding, "news@example.com", Stream::bulk, "bounce"));
    ASSERT_TRUE(engine->transact(adding));
    EXPECT_EQ(refusal(Stream::bulk, "news@example.com"), "unsubscribed: bounce");
    EXPECT_FALSE(commit(Stream::bulk));
    EXPECT_TRUE(commit(Stream::transactional));
    schedule::Transaction wrong;
    EXPECT_FALSE(list->require_none(wrong, Stream::bulk, "nobody"));
    EXPECT_FALSE(list->add_to(wrong, "nobody", Stream::bulk, "bounce"));
}

TEST_F(SuppressionsTest, WhatOthersListedIsUnknownUntilItIsAskedForAndFoundThen) {
    auto others = Suppressions::open(*engine, clock, random);
    ASSERT_TRUE(others->add("a@example.com", Extent::every(), "complaint"));
    ASSERT_TRUE(others->add("b@example.com", Stream::bulk, "bounce"));
    ASSERT_TRUE(others->add("b@example.com", Extent::every(), "request"));
    const std::vector<std::string> asked = {"A@example.com", "a@example.com", "b@example.com",
                                            "c@example.com", "nobody"};
    const auto known = list->known_refusals(Stream::bulk, asked);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->size(), 1u);
    EXPECT_TRUE(known->contains("nobody"));
    const auto all = list->refusals(Stream::bulk, asked);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->size(), 4u);
    EXPECT_EQ(all->at("A@example.com"), "suppressed: complaint");
    EXPECT_EQ(all->at("a@example.com"), "suppressed: complaint");
    EXPECT_EQ(all->at("b@example.com"), "unsubscribed: bounce") << "what comes first";
    EXPECT_EQ(*list->known_refusals(Stream::bulk, asked), *all);
}

TEST_F(SuppressionsTest, ATransactionRestsOnSixRowsOfEachAddressAsLongAsTheyFindRoom) {
    table::write::Transaction few;
    const std::vector<std::string> same = {"a@example.com", "A@Example.com", "b@example.com", "x"};
    EXPECT_EQ(list->require(few, Stream::bulk, same), Sure::by_condition);
    EXPECT_EQ(few.size(), 12u);
    EXPECT_TRUE(engine->transact(few));
    ASSERT_TRUE(list->add("b@example.com", Stream::bulk, "request"));
    EXPECT_FALSE(engine->transact(few));

    std::vector<std::string> many;
    for (int i = 0; i < 16; ++i) many.push_back("r" + std::to_string(i) + "@example.com");
    table::write::Transaction full, too_full;
    EXPECT_EQ(list->require(full, Stream::bulk, many), Sure::by_condition);
    EXPECT_EQ(full.size(), 96u);
    EXPECT_TRUE(engine->transact(full));
    many.push_back("one.more@example.com");
    too_full.put("MailroomSuppressions", {{"Address", "mark@example.com"}, {"Stream", "*"}});
    EXPECT_EQ(list->require(too_full, Stream::bulk, many), Sure::by_another_look);
    EXPECT_EQ(too_full.size(), 1u);

    open(Suppressions::Writers::only_this);
    table::write::Transaction alone;
    EXPECT_EQ(list->require(alone, Stream::bulk, same), Sure::by_another_look);
    EXPECT_TRUE(alone.empty());
}

TEST_F(SuppressionsTest, WhatIsNoAddressIsInvalid) {
    for (const auto* text : {"", "ann", "ann@", "@example.com", "a@b.c\r\nBcc: x@y.z", "a b@c.d"}) {
        SCOPED_TRACE(text);
        const auto added = list->add(text, Extent::every(), "x");
        ASSERT_FALSE(added);
        EXPECT_EQ(added.error().code, Errc::invalid);
        EXPECT_FALSE(list->remove(text));
        EXPECT_FALSE(list->find(text));
    }
}

TEST_F(SuppressionsTest, ThePagesHaveEachOnce) {
    std::vector<std::string> want, got;
    for (int i = 0; i < 25; ++i) {
        want.push_back("a" + std::to_string(i + 10) + "@example.com");
        ASSERT_TRUE(list->add(want.back(), Extent::every(), "x"));
    }
    std::optional<std::string> after;
    do {
        const auto page = list->list(10, after);
        ASSERT_TRUE(page) << page.error().message;
        for (const auto& item : page->items) got.push_back(item.address);
        after = page->next;
    } while (after);
    std::ranges::sort(got);
    EXPECT_EQ(got, want);
    for (const auto* bad : {"", "x", "KiBub3QgYW4gYWRkcmVzcw", "IA"}) {
        const auto page = list->list(10, bad);
        ASSERT_FALSE(page) << bad;
        EXPECT_EQ(page.error().code, Errc::invalid);
    }
}

}  // namespace
}  // namespace mailroom::people
