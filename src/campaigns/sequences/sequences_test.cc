#include "campaigns/sequences/sequences.h"

#include "campaigns/sequences/sequences_fixture.h"

#include <atomic>
#include <thread>

namespace mailroom::campaigns {
namespace {

TEST_F(SequencesTest, EachChangeIsAVersionAndTheSameAgainIsNone) {
    auto put = put_one("onboarding", sequence_text(letter));
    ASSERT_EQ(put.status, 200) << put.body;
    EXPECT_TRUE(has(put, R"("version":1)")) << put.body;
    // Spelled otherwise it is the same.
    EXPECT_TRUE(
        has(put_one("onboarding", sequence_text(" " + std::string(letter))), R"("version":1)"));
    EXPECT_TRUE(has(put_one("onboarding", sequence_text(other_letter)), R"("version":2)"));
    EXPECT_TRUE(has(put_one("onboarding", sequence_text(letter)), R"("version":3)"));
    EXPECT_EQ(versions("onboarding"), "3 2 1 ");
    const auto second = ask("GET", "/v1/sequences/{id}/versions/{version}", "",
                            {{"id", "onboarding"}, {"version", "2"}});
    EXPECT_TRUE(has(second, R"("templateKey":"b")")) << second.body;
    EXPECT_EQ(get_one("onboarding").status, 200);
    EXPECT_EQ(get_one("other").status, 404);
    EXPECT_EQ(get_one("a#b").status, 404);
}

TEST_F(SequencesTest, NothingIsKeptOfWhatIsRefused) {
    const auto refused =
        put_one("onboarding", sequence_text(R"({"type": "send"}, {"type": "wait", "days": -1})"));
    EXPECT_EQ(refused.status, 400);
    for (const auto* place : {"steps[0].templateKey", "steps[0].subject", "steps[1].days"}) {
        EXPECT_TRUE(has(refused, place)) << refused.body;
    }
    EXPECT_EQ(put_one("onboarding", "{").status, 400);
    EXPECT_EQ(put_one("onboarding", "").status, 400);
    EXPECT_EQ(put_one("other", sequence_text(letter)).status, 400);
    EXPECT_EQ(put_one("export", sequence_text(letter, "", "export")).status, 400);
    EXPECT_TRUE(all_rows("MailroomCampaigns").empty());
}

TEST_F(SequencesTest, OneThatPeopleAreInIsNotDeletedWhoeverPutThemThere) {
    ASSERT_EQ(put_one("onboarding", sequence_text(letter)).status, 200);
    others_enter("onboarding", "ann@example.com");
    others_enter("onboarding-2", "ann@example.com");
    const auto refused = remove_one("onboarding");
    EXPECT_EQ(refused.status, 409);
    EXPECT_TRUE(has(refused, "people_inside")) << refused.body;
    ASSERT_TRUE(engine->erase(table::write::Erase(
        "Audience", {{"PK", "EXEC#onboarding"}, {"SK", "SUB#ann@example.com"}})));
    EXPECT_EQ(remove_one("onboarding").status, 204);
    EXPECT_EQ(remove_one("onboarding").status, 404);
    EXPECT_EQ(get_one("onboarding").status, 404);
    EXPECT_EQ(exported(), R"({"sequences":[]})");
}

TEST_F(SequencesTest, NoVersionHasTheNumberOfOneThatWasDeleted) {
    ASSERT_EQ(put_one("onboarding", sequence_text(letter)).status, 200);
    ASSERT_EQ(remove_one("onboarding").status, 204);
    const auto again = put_one("onboarding", sequence_text(letter));
    EXPECT_TRUE(has(again, R"("version":3)")) << again.body;
    EXPECT_EQ(versions("onboarding"), "3 1 ");
    EXPECT_EQ(get_one("onboarding").status, 200);
}

TEST_F(SequencesTest, AnExportIsTakenAsItIs) {
    ASSERT_EQ(put_one("a", sequence_text(letter, "", "a")).status, 200);
    ASSERT_EQ(put_one("b", sequence_text(other_letter, "", "b")).status, 200);
    const auto file = exported();
    ASSERT_EQ(put_one("a", sequence_text(other_letter, "", "a")).status, 200);
    ASSERT_EQ(remove_one("b").status, 204);
    const auto imported = ask("POST", "/v1/sequences/import", file);
    EXPECT_EQ(imported.body, R"({"sequences":[{"id":"a","version":3},{"id":"b","version":3}]})");
    EXPECT_EQ(exported(), file);
    EXPECT_EQ(ask("POST", "/v1/sequences/import", file).body, imported.body);
}

TEST_F(SequencesTest, AnImportIsDoneWholeOrNotAtAll) {
    const auto both = [](const std::string& one, const std::string& other) {
        return R"({"sequences": [)" + one + "," + other + "]}";
    };
    const auto good = sequence_text(letter, "", "a");
    struct Case {
        std::string body, says;
    };
    for (const auto& c :
         {Case{both(good, sequence_text(R"({"type": "wait"})", "", "b")), "sequences[1].steps[0]"},
          {both(good, good), "sequences[1].id"},
          {both(good, "5"), "sequences[1]"},
          {both(good, "{}"), "sequences[1].sender"},
          {both(forwarding("x", "one@example.com"), forwarding("y", "two@example.com")),
           "sequences[1].sender.forwardRepliesTo"},
          {R"({"sequences": {}})", "must be a list"},
          {R"({"sequencez": []})", "is not known"},
          {"{}", "is missing"},
          {"[]", "must be an object"},
          {"", "the body is"}}) {
        const auto refused = ask("POST", "/v1/sequences/import", c.body);
        EXPECT_EQ(refused.status, 400) << c.says;
        EXPECT_TRUE(has(refused, c.says)) << refused.body;
    }
    EXPECT_TRUE(all_rows("MailroomCampaigns").empty());
}

TEST_F(SequencesTest, AllThatForwardRepliesAgreeWhereTo) {
    ASSERT_EQ(put_one("a", forwarding("a", "one@example.com")).status, 200);
    const auto refused = put_one("b", forwarding("b", "two@example.com"));
    EXPECT_TRUE(has(refused, "sender.forwardRepliesTo")) << refused.body;
    EXPECT_TRUE(has(refused, "one@example.com, which sequence a has")) << refused.body;
    EXPECT_EQ(put_one("b", forwarding("b", "one@example.com")).status, 200);
    // The only one may change its mind; all may do so together.
    EXPECT_EQ(ask("POST", "/v1/sequences/import",
                  R"({"sequences": [)" + forwarding("a", "two@example.com") + "," +
                      forwarding("b", "two@example.com") + "]}")
                  .status,
              200);
}

TEST_F(SequencesTest, SegmentsThatItAsksForMustBeThere) {
    const auto text = sequence_text(R"({"type": "condition", "filter": "segment = \"pros\"",
        "then": [{"type": "end", "reason": "pro"}]})");
    EXPECT_EQ(put_one("onboarding", text).status, 400);
    ASSERT_TRUE(segments->save("pros", {"Pros", "", {R"(plan = "pro")", std::nullopt}},
                               program::mailroom_itself()));
    ASSERT_EQ(put_one("onboarding", text).status, 200);
    const auto told =
        ask("POST", "/v1/sequences/{id}/simulate",
            R"({"email": "a@example.com", "detail": {"plan": "pro"}})", {{"id", "onboarding"}});
    EXPECT_TRUE(has(told, "ended: pro")) << told.body;
}

TEST_F(SequencesTest, OfManyWhoSaveAtOnceEachMakesAVersionOfItsOwn) {
    std::vector<std::jthread> writers;
    std::atomic<int> saved = 0;
    for (int i = 0; i < 4; ++i) {
        writers.emplace_back([&, i] {
            const auto definition = definition_of(
                sequence_text(R"({"type": "wait", "days": )" + std::to_string(i + 1) + "}"));
            if (sequences->save(definition, program::mailroom_itself())) ++saved;
        });
    }
    writers.clear();
    EXPECT_EQ(saved, 4);
    EXPECT_EQ(versions("onboarding"), "4 3 2 1 ");
}

TEST_F(SequencesTest, ARowThatCannotBeReadHidesNoOther) {
    ASSERT_EQ(put_one("onboarding", sequence_text(letter)).status, 200);
    ASSERT_TRUE(engine->put(put("MailroomCampaigns", {{"PK", "SEQUENCES"},
                                                      {"SK", "broken"},
                                                      {"id", "broken"},
                                                      {"version", 1},
                                                      {"definition", "{}"}})));
    EXPECT_TRUE(has(ask("GET", "/v1/sequences"), R"("id":"onboarding")"));
    EXPECT_EQ(get_one("broken").status, 500);
}

TEST_F(SequencesTest, ADryRunReadsTheRowsOfOthersAndWritesNothing) {
    ASSERT_EQ(put_one("onboarding", sequence_text(R"({"type": "condition",
        "check": "has_been_sent", "templateKey": "onboarding/welcome",
        "then": [], "else": [{"type": "send", "templateKey": "onboarding/welcome",
                              "subject": "Hey"}]},
        {"type": "wait", "at": "09:00"})"))
                  .status,
              200);
    others_put({{"PK", "SUB#ann@example.com"},
                {"SK", "PROFILE"},
                {"email", "Ann@Example.com"},
                {"mailroomZone", "Asia/Tokyo"}});
    const auto simulate = [&](const std::string& body) {
        return ask("POST", "/v1/sequences/{id}/simulate", body, {{"id", "onboarding"}});
    };
    const auto count = all_rows("Audience").size();
    constexpr auto ann = R"({"email": "ANN@example.com", "begin_at": "2026-01-01T00:00:00Z"})";
    auto told = simulate(ann);
    EXPECT_TRUE(has(told, R"("what":"send")")) << told.body;
    EXPECT_TRUE(has(told, R"("local":"Thu 2026-01-01 09:00")")) << told.body;
    EXPECT_EQ(all_rows("Audience").size(), count);

    // Any of many rows counts, not the oldest only.
    for (int i = 0; i < 25; ++i) {
        others_put({{"PK", "SUB#ann@example.com"},
                    {"SK", "SENT#2025-01-01T00:00:" + std::to_string(10 + i) + ".000Z"},
                    {"templateKey", i == 20 ? "onboarding/welcome" : "other"}});
    }
    told = simulate(ann);
    EXPECT_FALSE(has(told, R"("what":"send")")) << told.body;

    told = simulate(R"({"email": "new@example.com", "zone": "America/New_York",
                        "begin_at": "2026-01-01T00:00:00Z"})");
    EXPECT_TRUE(has(told, R"("until":"2026-01-01T14:00:00.000Z")")) << told.body;
    EXPECT_EQ(simulate(R"({"email": "nobody"})").status, 400);
    EXPECT_EQ(simulate("{}").status, 400);
    EXPECT_EQ(simulate(R"({"email": "a@example.com", "detail": [1]})").status, 400);
    EXPECT_EQ(simulate(R"({"email": "a@example.com", "zone": "Mars"})").status, 400);
    EXPECT_EQ(simulate(R"({"email": "a@example.com", "version": 9})").status, 404);
}

}  // namespace
}  // namespace mailroom::campaigns
