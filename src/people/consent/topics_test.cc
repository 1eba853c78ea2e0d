#include "people/consent/topics.h"

#include "table/engine/engine_fixture.h"
#include "table/records/table_of.h"

#include <chrono>
#include <vector>

namespace mailroom::people {
namespace {

class TopicCatalogTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        const table::CreateTable made = table::TableOf("MailroomPeople", "PK", "SK");
        create(made);
        topics.emplace(*engine, clock, made);
    }
    std::string ids() {
        std::string all;
        const auto found = topics->all();
        for (const auto& topic : *found) all += topic.id + ";";
        return all;
    }

    std::optional<TopicCatalog> topics;
};

TopicDetails named(std::string name) {
    TopicDetails details;
    details.name = std::move(name);
    return details;
}

TEST_F(TopicCatalogTest, ATopicIsMadeChangedListedAndRemoved) {
    const auto made = topics->save("news", named("News"));
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->created, clock.now());
    clock.advance(std::chrono::hours(24));
    auto changed = named("The news");
    changed.double_opt_in = true;
    ASSERT_TRUE(topics->save("news", changed));
    ASSERT_TRUE(topics->save("beta", named("Beta")));
    const auto found = topics->require("news");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->details, changed);
    EXPECT_EQ(found->created, made->created);
    EXPECT_EQ(found->updated, clock.now());
    EXPECT_EQ(ids(), "beta;news;");
    ASSERT_TRUE(topics->remove("beta"));
    EXPECT_EQ(ids(), "news;");
    EXPECT_EQ(topics->remove("beta").error().kind, Refusal::Kind::not_found);
    EXPECT_EQ(topics->require("beta").error().kind, Refusal::Kind::not_found);
}

TEST_F(TopicCatalogTest, WhatIsNoIdIsRefusedAndNeverFound) {
    for (const char* id : {"", "News", "a b", "-a", "a#b", "ä", "a/b"}) {
        EXPECT_EQ(topics->save(id, named("x")).error().kind, Refusal::Kind::invalid) << id;
        EXPECT_FALSE(*topics->find(id)) << id;
    }
    EXPECT_FALSE(is_topic_id(std::string(topic_id_bytes_max + 1, 'a')));
    EXPECT_TRUE(is_topic_id("0product-updates.v2_x"));
}

TEST_F(TopicCatalogTest, ThereAreTwoHundredAtMost) {
    for (std::size_t i = 0; i < topics_max; ++i) {
        ASSERT_TRUE(topics->save("t" + std::to_string(i), named("x")));
    }
    EXPECT_EQ(topics->save("one-more", named("x")).error().kind, Refusal::Kind::too_many);
    EXPECT_TRUE(topics->save("t7", named("changed"))) << "what is there can be changed";
}

TEST_F(TopicCatalogTest, TextsComeInTheNearestLanguage) {
    auto details = named("News");
    details.texts = {{"de", "Neuigkeiten", "Monatlich"}, {"pt-BR", "Novidades", ""}};
    struct Case {
        std::string_view language, want;
    };
    const Case cases[] = {{"de", "Neuigkeiten"}, {"de-AT", "Neuigkeiten"}, {"PT-br", "Novidades"},
                          {"pt", "News"},        {"fr", "News"},           {"", "News"}};
    for (const auto& c : cases) EXPECT_EQ(details.text_in(c.language).name, c.want) << c.language;
}

TEST(TopicDetails, EverythingThatIsWrongIsNamed) {
    auto details = named(" ");
    details.description = std::string(1001, 'x');
    details.texts = {{"d", "ok", ""}, {"de", "", ""}};
    table::Reading reading;
    TopicDetails::check(details, reading);
    std::string all;
    for (const auto& wrong : reading.take()) all += wrong.field + ";";
    EXPECT_EQ(all, "name;description;texts[0].language;texts[1].name;");
}

}  // namespace
}  // namespace mailroom::people
