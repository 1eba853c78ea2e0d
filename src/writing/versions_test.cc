#include "writing/versions.h"

#include "kv/memory_store.h"
#include "table/engine/engine.h"
#include "table/records/ensure_table.h"

#include <gtest/gtest.h>

namespace mailroom::writing {
namespace {

struct Note {
    std::string words;

    static constexpr std::string_view record_name = "Note";
    static constexpr auto fields = std::tuple{table::must_have("words", &Note::words)};
};

Answer<> check_template(const std::string& id, const Note& note) {
    if (!is_template_id(id)) return Refusal::bad_field("template_id", "is none");
    if (note.words.empty()) return Refusal::bad_field("words", "are missing");
    return Ok{};
}

using Notes = VersionedTemplates<Note>;

class VersionsTest : public ::testing::Test {
protected:
    void SetUp() override {
        engine = *table::Engine::open(kv, clock, random, {});
        schedule = *schedule::Schedule::open(*engine, clock, random);
        table::CreateTable wanted;
        wanted.name = "Notes";
        wanted.attributes = {{"PK", table::Kind::string},
                             {"SK", table::Kind::string},
                             {"GSI1PK", table::Kind::string},
                             {"GSI1SK", table::Kind::string}};
        wanted.keys = {"PK", "SK"};
        wanted.global_indexes = {
            {"GSI1", {"GSI1PK", "GSI1SK"}, {table::ProjectionKind::all, {}}, {}}};
        ASSERT_TRUE(table::ensure_table(*engine, {wanted}));
        notes.emplace(TemplatePlace{*engine, *schedule, clock, wanted, wanted});
    }
    template <class T>
    static std::string code(const Answer<T>& answer) {
        return answer ? "ok" : answer.error().code;
    }
    // "1 2* 3": the active one has a star.
    std::string versions(const std::string& id) {
        std::string text;
        const auto all = notes->versions(id);
        for (const auto& one : *all) {
            if (!text.empty()) text += ' ';
            text += std::to_string(one.version) + (one.is_active ? "*" : "");
        }
        return text;
    }

    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'756'720'800'000)};
    SeededRandom random{1};
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<schedule::Schedule> schedule;
    std::optional<Notes> notes;
};

TEST_F(VersionsTest, OneIsActiveWhateverIsAdded) {
    ASSERT_TRUE(notes->create("a", {"one"}));
    EXPECT_EQ(code(notes->create("a", {"other"})), "template_exists");
    ASSERT_TRUE(notes->add_version("a", {"two"}, Notes::Activate::no));
    EXPECT_EQ(versions("a"), "1* 2");
    ASSERT_TRUE(notes->add_version("a", {"three"}, Notes::Activate::yes));
    EXPECT_EQ(versions("a"), "1 2 3*");
    ASSERT_TRUE(notes->activate("a", 2));
    EXPECT_EQ(versions("a"), "1 2* 3");
    EXPECT_EQ(notes->active("a")->text.words, "two");
    EXPECT_EQ(notes->version("a", 1)->text.words, "one") << "a version never changes";
}

TEST_F(VersionsTest, WhatIsNotThereOrNoTemplateIsRefused) {
    EXPECT_EQ(code(notes->create("a b", {"x"})), "invalid");
    EXPECT_EQ(code(notes->create("a", {""})), "invalid");
    EXPECT_EQ(code(notes->add_version("a", {"x"}, Notes::Activate::no)), "not_found");
    EXPECT_EQ(code(notes->activate("a", 1)), "not_found");
    EXPECT_EQ(code(notes->active("a/b")), "not_found");
    EXPECT_EQ(code(notes->versions("a")), "not_found");
    EXPECT_TRUE(notes->list()->empty());
}

// With no more than its key, its words and that it is active.
TEST_F(VersionsTest, TheHighestThatAnotherProgramMadeActiveIsTheOne) {
    ASSERT_TRUE(notes->create("a", {"ours"}));
    ASSERT_TRUE(engine->put(table::write::Put("Notes", {{"PK", "TEMPLATE#a"},
                                                        {"SK", "VERSION#4"},
                                                        {"GSI1PK", "STATUS#active"},
                                                        {"GSI1SK", "2025-09-01T10:00:00Z"},
                                                        {"words", "theirs"}})));
    EXPECT_EQ(notes->active("a")->text.words, "theirs");
    ASSERT_EQ(notes->list()->size(), 1u);
    EXPECT_EQ(notes->list()->front().version, 4);
    EXPECT_EQ(notes->add_version("a", {"five"}, Notes::Activate::yes)->version, 5);
    EXPECT_EQ(versions("a"), "1 4 5*");
}

}  // namespace
}  // namespace mailroom::writing
