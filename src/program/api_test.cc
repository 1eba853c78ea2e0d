#include "program/api.h"

#include "program/docs.h"
#include "program/openapi.h"

#include <gtest/gtest.h>

namespace mailroom::program {

using table::asked;
using table::required;

namespace {

struct Pet {
    std::string id, name;
    std::int64_t age = 0;
    std::string note;
};
struct NewPet {
    std::string name;
    std::int64_t age = 0;
    static constexpr auto fields =
        std::tuple{required("name", &NewPet::name), asked("age", &NewPet::age)};
    static void check(const NewPet& pet, table::Reading& reading) {
        if (pet.age < 0) reading.wrong_member("age", "must not be below 0");
    }
};
struct WhichPet {
    std::string id;
    static constexpr auto fields = std::tuple{required("id", &WhichPet::id)};
};
struct Feeding {
    std::string id;
    std::int64_t grams = 0;
    std::optional<std::string> what;
    static constexpr auto fields =
        std::tuple{required("id", &Feeding::id), required("grams", &Feeding::grams, "How much."),
                   asked("what", &Feeding::what)};
};
struct PetChange {
    std::string id;
    std::optional<std::string> name;
    std::optional<std::int64_t> age;
    static constexpr auto fields =
        std::tuple{required("id", &PetChange::id), asked("name", &PetChange::name),
                   asked("age", &PetChange::age)};
};
struct PetFilter {
    std::optional<std::int64_t> older_than;
    static constexpr auto fields = std::tuple{asked("older_than", &PetFilter::older_than)};
};
struct PetFile {
    bool dry_run = false;
    RawBody body;
    static constexpr auto fields = std::tuple{asked("dry_run", &PetFile::dry_run)};
};

}  // namespace
}  // namespace mailroom::program

namespace mailroom::table {

template <>
struct Record<program::Pet> {
    using Pet = program::Pet;
    static constexpr std::string_view record_name = "Pet";
    static constexpr auto fields =
        std::tuple{Member{"id", "id", &Pet::id, Need::required, ""},
                   Member{"name", "name", &Pet::name, Need::required, "What it hears."},
                   Member{"age", "age", &Pet::age, Need::usual, ""},
                   Member{"note", "note", &Pet::note, Need::sparse, ""}};
};

}  // namespace mailroom::table

namespace mailroom::program {

namespace {

constexpr std::string_view keep = "pets:keep", look = "pets:read";

class ApiTest : public ::testing::Test {
protected:
    ApiTest() {
        api.group("Pets");
        api.post("/v1/pets",
                 {.name = "add_pet", .scope = keep, .summary = "Add", .once = Once::yes},
                 [](const NewPet& in, const Actor& who) -> Answer<Created<Pet>> {
                     return Created<Pet>{{"p1", in.name, in.age, "by " + who.name}};
                 });
        api.get("/v1/pets/{id}",
                {.name = "show_pet", .scope = look, .summary = "Show", .agents = Agents::may},
                [](const WhichPet& in, const Actor&) -> Answer<Pet> {
                    if (in.id != "p1") return Refusal::not_found("no pet " + in.id);
                    return Pet{in.id, "Rex", 3, ""};
                });
        api.post("/v1/pets/{id}/feed", {.name = "feed_pet", .scope = keep, .summary = "Feed"},
                 [](const Feeding& in, const Actor&) -> Answer<Done> {
                     if (in.grams > 100) {
                         return Refusal::conflict("too_much", "it has eaten");
                     }
                     return Done{};
                 });
        api.patch("/v1/pets/{id}", {.name = "change_pet", .scope = keep, .summary = "Change"},
                  [this](const PetChange& in, const Actor&) -> Answer<Pet> {
                      ++changes;
                      return Pet{in.id, in.name.value_or("Rex"), in.age.value_or(3), ""};
                  });
        api.list("/v1/pets", {.name = "list_pets", .scope = look, .summary = "All"},
                 [](const PetFilter& in, const table::PageWish& page,
                    const Actor&) -> Result<table::Slice<Pet>> {
                     return table::Slice<Pet>{{{"p1", "Rex", in.older_than.value_or(-1), ""}},
                                              page.after.value_or(std::to_string(page.limit))};
                 });
        api.post("/v1/pets/import", {.name = "import_pets", .scope = keep, .summary = "Import"},
                 [](const PetFile& in, const Actor&) -> Answer<File> {
                     return File{"text/plain",
                                 std::string(in.body.bytes) + (in.dry_run ? " dry" : " wet")};
                 });
    }

    Rendered ask(std::string_view route, const Pairs& path, const Pairs& query,
                 std::string_view body) {
        for (const auto& known : api.routes()) {
            if (known.text() == route) {
                return known.act(Asked{path, query, body, who});
            }
        }
        ADD_FAILURE() << route;
        return {};
    }

    Api api;
    int changes = 0;
    Actor who{"k1", "ann", {"pets:keep"}};
};

TEST_F(ApiTest, ABodyIsReadIntoTheStructAndTheAnswerIsShown) {
    const auto made = ask("POST /v1/pets", {}, {}, R"({"name":"Rex","age":3})");
    EXPECT_EQ(made.status, 201);
    EXPECT_EQ(made.body, R"({"id":"p1","name":"Rex","age":3,"note":"by ann"})");
    EXPECT_EQ(ask("GET /v1/pets/{id}", {{"id", "p1"}}, {}, "").body,
              R"({"id":"p1","name":"Rex","age":3,"note":null})");
    EXPECT_EQ(ask("POST /v1/pets/{id}/feed", {{"id", "p1"}}, {}, R"({"grams":5})").status, 204);
}

TEST_F(ApiTest, AllThatIsWrongIsSaidAtOnce) {
    const auto refused = ask("POST /v1/pets", {}, {{"dry", "1"}}, R"({"nmae":"x","age":"3"})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.body,
              R"({"error":{"code":"invalid","message":"dry is not a known parameter; nmae is not )"
              R"(known; did you mean name?; age must be a whole number; name is missing",)"
              R"("details":{"errors":[{"field":"dry","reason":"is not a known parameter"},)"
              R"({"field":"nmae","reason":"is not known; did you mean name?"},)"
              R"({"field":"age","reason":"must be a whole number"},)"
              R"({"field":"name","reason":"is missing"}]}}})");
    EXPECT_EQ(ask("POST /v1/pets", {}, {}, R"({"name":"x","age":-1})").body,
              R"({"error":{"code":"invalid","message":"age must not be below 0",)"
              R"("details":{"field":"age","reason":"must not be below 0"}}})");
}

TEST_F(ApiTest, WhatIsNoObjectIsRefusedInAllItsForms) {
    for (const auto* body : {"[]", "7", "{", "\"\xff\"", "nul"}) {
        EXPECT_EQ(ask("POST /v1/pets", {}, {}, body).status, 400) << body;
    }
    // An empty body is an empty object.
    EXPECT_NE(ask("POST /v1/pets", {}, {}, "").body.find("name is missing"), std::string::npos);
}

TEST_F(ApiTest, ThePathIsNotGivenAgainInTheBody) {
    const auto refused =
        ask("POST /v1/pets/{id}/feed", {{"id", "p1"}}, {}, R"({"grams":5,"id":"p2"})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.body.find("id is not known"), std::string::npos);
}

TEST_F(ApiTest, AChangeThatAsksForNothingIsRefusedBeforeItIsMade) {
    for (const auto* body : {"", "{}", " { } ", R"({"name":null,"age":null})"}) {
        const auto refused = ask("PATCH /v1/pets/{id}", {{"id", "p1"}}, {}, body);
        EXPECT_EQ(refused.status, 400) << body;
        EXPECT_EQ(refused.body,
                  R"({"error":{"code":"invalid","message":"nothing is asked to be changed",)"
                  R"("details":{}}})");
    }
    // What is wrong with it is said instead, and alone.
    EXPECT_EQ(ask("PATCH /v1/pets/{id}", {{"id", "p1"}}, {}, R"({"nmae":null})").body,
              R"({"error":{"code":"invalid","message":"nmae is not known; did you mean name?",)"
              R"("details":{"field":"nmae","reason":"is not known; did you mean name?"}}})");
    EXPECT_EQ(changes, 0);
    EXPECT_EQ(ask("PATCH /v1/pets/{id}", {{"id", "p1"}}, {}, R"({"name":"","age":null})").body,
              R"({"id":"p1","name":"","age":3,"note":null})");
    EXPECT_EQ(changes, 1);
    // Where nothing must be said, an empty body of another method is none.
    api.post("/v1/pets/{id}/groom", {.name = "groom_pet", .scope = keep, .summary = "Groom"},
             [](const PetChange& in, const Actor&) -> Answer<Pet> {
                 return Pet{in.id, "", 0, ""};
             });
    EXPECT_EQ(ask("POST /v1/pets/{id}/groom", {{"id", "p1"}}, {}, "").status, 200);
}

TEST_F(ApiTest, ARefusalHasItsStatusAndItsCode) {
    const auto missing = ask("GET /v1/pets/{id}", {{"id", "p2"}}, {}, "");
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(missing.body, R"({"error":{"code":"not_found","message":"no pet p2","details":{}}})");
    const auto conflict = ask("POST /v1/pets/{id}/feed", {{"id", "p1"}}, {}, R"({"grams":500})");
    EXPECT_EQ(conflict.status, 409);
    EXPECT_NE(conflict.body.find("\"too_much\""), std::string::npos);
}

TEST_F(ApiTest, AListTakesLimitAndAfterBesideItsFilter) {
    EXPECT_EQ(ask("GET /v1/pets", {}, {{"older_than", "4"}, {"limit", "7"}}, "").body,
              R"({"items":[{"id":"p1","name":"Rex","age":4,"note":null}],"next":"7"})");
    EXPECT_NE(ask("GET /v1/pets", {}, {{"after", "x"}, {"older_than", ""}}, "")
                  .body.find(R"("next":"x")"),
              std::string::npos);
    for (const auto& query : std::vector<Pairs>{{{"limit", "0"}},
                                                {{"limit", "1001"}},
                                                {{"limit", "many"}},
                                                {{"older_than", "old"}},
                                                {{"oldest", "1"}}}) {
        EXPECT_EQ(ask("GET /v1/pets", {}, query, "").status, 400) << query.front().first;
    }
}

TEST_F(ApiTest, ABodyCanBeTakenAsItCame) {
    EXPECT_EQ(ask("POST /v1/pets/import", {}, {{"dry_run", "true"}}, "a;b").body, "a;b dry");
    EXPECT_EQ(ask("POST /v1/pets/import", {}, {{"dry_run", "maybe"}}, "a;b").status, 400);
}

TEST_F(ApiTest, WhatGoesWrongInsideIsNotTold) {
    const auto inside = render(Refusal(Error{Errc::corrupt, "secret row"}));
    EXPECT_EQ(inside.status, 500);
    EXPECT_EQ(inside.body.find("secret"), std::string::npos);
    const auto away = render(Refusal(Error{Errc::throttled, "secret host"}));
    EXPECT_EQ(away.status, 503);
    EXPECT_EQ(away.body.find("secret"), std::string::npos);
    EXPECT_EQ(away.headers.front().first, "Retry-After");
}

TEST_F(ApiTest, EveryRouteIsDescribed) {
    const auto text = openapi_json(api, "1.0");
    json::Parser parser;
    const auto document = *parser.parse(text);
    const auto paths = *document.find("paths");
    for (const auto& route : api.routes()) EXPECT_TRUE(paths.find(route.path)) << route.path;
    const auto feed = paths.find("/v1/pets/{id}/feed")->find("post");
    ASSERT_TRUE(feed);
    EXPECT_EQ(feed->find("operationId")->text(), "feed_pet");
    const auto schema = feed->find("requestBody")
                            ->find("content")
                            ->find("application/json")
                            ->find("schema")
                            ->find("properties");
    EXPECT_TRUE(schema->find("grams"));
    EXPECT_FALSE(schema->find("id"));
    EXPECT_TRUE(document.find("components")->find("schemas")->find("Pet"));
    EXPECT_EQ(api.scopes(), (std::vector<std::string>{"pets:keep", "pets:read"}));
}

TEST_F(ApiTest, ATailOfAPathIsDescribedAsOneParameter) {
    api.get("/v1/pets/{id...}/toys",
            {.name = "show_toys", .scope = look, .summary = "Toys", .agents = Agents::may},
            [](const WhichPet& in, const Actor&) -> Answer<Pet> {
                return Pet{in.id, "Rex", 3, ""};
            });
    json::Parser parser;
    const auto text = openapi_json(api, "1.0");
    const auto toys = parser.parse(text)->find("paths")->find("/v1/pets/{id}/toys")->find("get");
    json::Elements parameters(*toys->find("parameters"));
    json::View one;
    ASSERT_TRUE(parameters.next(one));
    EXPECT_EQ(one.find("name")->text(), "id");
    EXPECT_EQ(one.find("in")->text(), "path");
    EXPECT_TRUE(one.find("x-slashes")->boolean());
    EXPECT_FALSE(parameters.next(one));
    const auto answer = ask("GET /v1/pets/{id...}/toys", {{"id", "p1/p2"}}, {}, "");
    EXPECT_NE(answer.body.find(R"("id":"p1/p2")"), std::string::npos) << answer.body;
}

TEST_F(ApiTest, ARouteSaysWhoMayCallItAndHowItRefuses) {
    api.get("/v1/zoo",
            {.name = "zoo", .scope = "", .summary = "All", .refuses = {Refusal::Kind::gone}},
            [](const Nothing&, const Actor&) -> Answer<Done> { return Done{}; });
    json::Parser parser;
    const auto text = openapi_json(api, "1.0");
    const auto paths = *parser.parse(text)->find("paths");
    const auto statuses = [&](const char* path, const char* method) {
        std::string all;
        json::Members answers(*paths.find(path)->find(method)->find("responses"));
        std::string_view status;
        json::View answer;
        while (answers.next(status, answer)) all += std::string(status) + " ";
        return all;
    };
    EXPECT_EQ(statuses("/v1/pets/{id}", "get"), "200 400 401 403 404 503 default ");
    EXPECT_EQ(statuses("/v1/pets", "post"), "201 400 401 403 409 413 503 default ");
    EXPECT_EQ(statuses("/v1/zoo", "get"), "204 410 default ");
    json::Parser again;
    const auto document = *again.parse(text);
    const auto of_route = [&](const char* path, const char* method) {
        const auto security = document.find("paths")->find(path)->find(method)->find("security");
        json::Elements elements(*security);
        json::View one;
        return elements.next(one) ? std::string(one.find("key") ? "a key" : "?") : "nobody's";
    };
    EXPECT_EQ(of_route("/v1/pets", "post"), "a key");
    EXPECT_EQ(of_route("/v1/zoo", "get"), "nobody's");
}

TEST_F(ApiTest, TheDescriptionIsServedWithAPageAndWithoutAKey) {
    add_docs(api);
    for (const auto* path : {"/v1/openapi.json", "/v1/docs", "/v1/docs.css", "/v1/docs.js"}) {
        const auto answer = ask(std::string("GET ") + path, {}, {{"any", "thing"}}, "");
        EXPECT_EQ(answer.status, 200) << path;
        EXPECT_FALSE(answer.body.empty()) << path;
    }
    const auto served = ask("GET /v1/openapi.json", {}, {}, "").body;
    EXPECT_EQ(served, openapi_json(api, api_version));
    EXPECT_NE(served.find("/v1/pets/{id}/feed"), std::string::npos);
    for (const auto& route : api.routes()) {
        const bool is_of_docs = route.group == "Description";
        EXPECT_EQ(route.about.scope.empty(), is_of_docs) << route.text();
    }
}

TEST(Yaml, HasTheSameValuesInAFormForPeople) {
    EXPECT_EQ(yaml_of(R"({"a":{"b":[1,{"c":"x y","d":[]},{}],"e":{},"f":"no"},"g h":"a: b",)"
                      R"("i":true,"j":null,"k":["x","z"],"l":-1.5,"":"","200":"/v1"})"),
              "a:\n  b:\n    - 1\n    - c: x y\n      d: []\n    - {}\n  e: {}\n  f: \"no\"\n"
              "g h: \"a: b\"\ni: true\nj: null\nk: [x, z]\nl: -1.5\n\"\": \"\"\n\"200\": /v1\n");
}

TEST(Scopes, ReadingIsPartOfEveryScopeOfAProgramAndOfRead) {
    using Scopes = std::vector<std::string>;
    EXPECT_TRUE(allows(Scopes{"pets:keep"}, "pets:read"));
    EXPECT_TRUE(allows(Scopes{"read"}, "pets:read"));
    EXPECT_TRUE(allows(Scopes{"admin"}, "pets:keep"));
    EXPECT_FALSE(allows(Scopes{"read"}, "pets:keep"));
    EXPECT_FALSE(allows(Scopes{"pets:read"}, "read"));
    EXPECT_FALSE(allows(Scopes{"petshop:keep"}, "pets:read"));
    EXPECT_FALSE(allows(Scopes{"pets:keep"}, "send"));
    EXPECT_FALSE(allows(Scopes{}, "read"));
}

}  // namespace
}  // namespace mailroom::program
