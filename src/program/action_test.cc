#include "program/action.h"

#include "program/api.h"

#include <gtest/gtest.h>

namespace mailroom::program {
namespace {

using table::asked;
using table::required;

struct Dose {
    std::int64_t grams = 0;

    static constexpr auto fields = std::tuple{required("grams", &Dose::grams)};
    static void check(const Dose& dose, table::Reading& reading) {
        if (dose.grams < 1) reading.wrong_member("grams", "must be 1 at least");
    }
};
struct Told {
    std::string what;

    static constexpr std::string_view record_name = "Told";
    static constexpr auto fields = std::tuple{table::shown("what", &Told::what)};
};

class Keeper {
public:
    Answer<Told> feed(const std::string& id, const Dose& dose, const Actor& who) {
        return Told{who.name + " feeds " + id + " " + std::to_string(dose.grams)};
    }
    Answer<Told> find(const std::string& id) { return Told{id}; }
    Answer<Told> weigh(const Dose& dose, const Actor& who) {
        return Told{who.name + " weighs " + std::to_string(dose.grams)};
    }
};

class ActionTest : public ::testing::Test {
protected:
    ActionTest() {
        api.post("/v1/pets/{id}/feed", {.name = "feed", .scope = "pets", .summary = "Feed"},
                 act(keeper, &Keeper::feed));
        api.get("/v1/pets/{id}", {.name = "find", .scope = "pets", .summary = "Find"},
                act(keeper, &Keeper::find));
        api.post("/v1/pets/weigh", {.name = "weigh", .scope = "pets", .summary = "Weigh"},
                 act(keeper, &Keeper::weigh));
    }
    std::string ask(std::size_t route, std::string body = "") {
        const bool has_id = api.routes()[route].path.find("{id}") != std::string::npos;
        const Pairs none, path = has_id ? Pairs{{"id", "rex"}} : none;
        const auto rendered = api.routes()[route].act({path, none, body, ann});
        return std::to_string(rendered.status) + " " + rendered.body;
    }

    const Actor ann{"key", "ann", {}};
    Keeper keeper;
    Api api;
};

TEST_F(ActionTest, TheIdComesFromThePathAndTheRestFromTheBody) {
    EXPECT_EQ(ask(0, R"({"grams":5})"), R"(200 {"what":"ann feeds rex 5"})");
    EXPECT_EQ(ask(1), R"(200 {"what":"rex"})");
    EXPECT_EQ(ask(2, R"({"grams":7})"), R"(200 {"what":"ann weighs 7"})");
}

TEST_F(ActionTest, WhatIsWrongIsSaidAsOfAnyOtherRoute) {
    EXPECT_NE(ask(0, "{}").find(R"("field":"grams","reason":"is missing")"), std::string::npos);
    EXPECT_NE(ask(0, R"({"grams":0})").find(R"("reason":"must be 1 at least")"), std::string::npos);
    EXPECT_NE(ask(0, R"({"grams":1,"id":"other"})").find("is not known"), std::string::npos)
        << "the path has said which";
}

TEST_F(ActionTest, TheDescriptionTellsWhatComesFromWhere) {
    const auto& feed = api.routes()[0];
    ASSERT_EQ(feed.parameters.size(), 1u);
    EXPECT_EQ(feed.parameters[0].name, "id");
    ASSERT_EQ(feed.body.size(), 1u);
    EXPECT_EQ(feed.body[0].schema.find("\"id\""), std::string::npos);
    EXPECT_NE(feed.body[0].schema.find("\"grams\""), std::string::npos);
}

}  // namespace
}  // namespace mailroom::program
