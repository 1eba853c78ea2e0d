#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"
#include "table/records/ensure_table.h"
#include "table/records/rows.h"
#include "table/records/table_of.h"

#include <gtest/gtest.h>

namespace mailroom::table {

namespace {

enum class Kindness { kind, stern };
constexpr auto names_of(Kindness) {
    return std::array{Name{Kindness::kind, "kind"}, Name{Kindness::stern, "stern"}};
}

struct Line {
    std::string text;
    std::int64_t count = 1;
    bool operator==(const Line&) const = default;
};

struct Words {
    std::string subject, text;
    bool operator==(const Words&) const = default;
};

struct Letter {
    std::string id, writer;
    Kindness kindness = Kindness::kind;
    Words words;
    std::optional<Time> sent;
    std::vector<Line> lines;
    std::map<std::string, std::int64_t> marks;
    std::string note;
    std::int64_t version = 0;

    std::int64_t lines_count() const { return static_cast<std::int64_t>(lines.size()); }
    bool operator==(const Letter&) const = default;
};

}  // namespace

template <>
struct Record<Line> {
    static constexpr std::string_view record_name = "Line";
    static constexpr auto fields =
        std::tuple{Member{"text", "text", &Line::text, Need::required, ""},
                   Member{"count", "count", &Line::count, Need::usual, ""}};
};

template <>
struct Record<Words> {
    static constexpr std::string_view record_name = "Words";
    static constexpr auto fields =
        std::tuple{Member{"subject", "subject", &Words::subject, Need::required, "One line."},
                   Member{"text", "text", &Words::text, Need::usual, ""}};
};

template <>
struct Record<Letter> {
    static constexpr std::string_view record_name = "Letter";
    static constexpr auto fields =
        std::tuple{Member{"id", "id", &Letter::id, Need::required, "Its name."},
                   Member{"writer", "writer", &Letter::writer, Need::required, ""},
                   Member{"kindness", "kindness", &Letter::kindness, Need::usual, ""},
                   Part{&Letter::words},
                   Member{"sent_ms", "sent_at", &Letter::sent, Need::usual, ""},
                   Member{"lines", "lines", &Letter::lines, Need::usual, ""},
                   Member{"marks", "marks", &Letter::marks, Need::sparse, ""},
                   Member{"note", "note", &Letter::note, Need::sparse, ""},
                   Member{"", "lines_count", &Letter::lines_count, Need::usual, ""},
                   Member{"version", "version", &Letter::version, Need::usual, ""}};
    static void derive(const Letter& letter, Item& row) {
        if (!letter.writer.empty()) row.set("by", Value("WRITER#" + letter.writer));
    }
    static void check(const Letter& letter, Reading& reading) {
        if (letter.id == "none") reading.wrong_member("id", "must be a name");
    }
};

namespace {

Letter example() {
    return {.id = "l1",
            .writer = "ann",
            .kindness = Kindness::stern,
            .words = {"Hi", "Dear Bob"},
            .sent = from_unix_ms(1'763'185'884'123),
            .lines = {{"one", 1}, {"two", 2}},
            .marks = {{"blue", 3}},
            .note = {},
            .version = 4};
}

TEST(Record, ARowReadsBackAsItWasWritten) {
    const auto row = to_item(example());
    EXPECT_EQ(row.text("by"), "WRITER#ann");
    EXPECT_EQ(row.text("subject"), "Hi");
    EXPECT_EQ(row.integer("sent_ms"), 1'763'185'884'123);
    EXPECT_FALSE(row.has("note"));
    EXPECT_FALSE(row.has("lines_count"));
    const auto back = from_item<Letter>(row);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, example());
}

TEST(Record, ARowOfAnotherProgramReadsAsFarAsItIsOne) {
    Item row{{"id", "l1"}, {"writer", "ann"}, {"subject", "x"}};
    row.set("kindness", Value("odd"));
    row.set("sent_ms", Value("yesterday"));
    row.set("lines", Value::list({Value("no map"), Value::map(Item{{"text", "a"}})}));
    row.set("version", Value("1.5"));
    const auto letter = from_item<Letter>(row);
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->kindness, Kindness::kind);
    EXPECT_EQ(letter->sent, std::nullopt);
    EXPECT_EQ(letter->lines, (std::vector<Line>{{"a", 1}}));
    EXPECT_EQ(letter->version, 0);
}

struct Tally {
    std::int64_t total = 0;
    std::optional<Time> until;
    std::map<Kindness, std::int64_t> by_kindness;

    static constexpr std::string_view record_name = "Tally";
    static constexpr auto fields =
        std::tuple{must_have("total", &Tally::total),
                   spelled<InSeconds>(kept_if_any("until_s", "until", &Tally::until)),
                   stored("by_kindness", &Tally::by_kindness), shown("by", &Tally::by_kindness)};
};

TEST(Record, AMapMayBeByTheNamesOfAnEnum) {
    const Tally tally{3, std::nullopt, {{Kindness::kind, 1}, {Kindness::stern, 2}}};
    EXPECT_EQ(to_json(tally), R"({"total":3,"until":null,"by":{"kind":1,"stern":2}})");
    const auto row = to_item(tally);
    EXPECT_EQ(from_item<Tally>(row)->by_kindness, tally.by_kindness);
    const Item odd{{"total", 1}, {"by_kindness", Value::map(Item{{"kind", 4}, {"odd", 5}})}};
    EXPECT_EQ(from_item<Tally>(odd)->by_kindness,
              (std::map<Kindness, std::int64_t>{{Kindness::kind, 4}}));
    json::Parser parser;
    const auto read = read_json<Tally>(*parser.parse(R"({"total":1,"by":{"odd":1}})"));
    EXPECT_EQ(read.error().text(), "by.odd is not known");
}

TEST(Record, ASpellingOfItsOwnServesWhatMayBeNothing) {
    Tally tally{.total = 1, .until = from_unix_ms(1'763'185'884'123), .by_kindness = {}};
    EXPECT_EQ(to_json(tally), R"({"total":1,"until":"2025-11-15T05:51:24Z","by":{}})");
    const auto row = to_item(tally);
    EXPECT_EQ(row.integer("until_s"), 1'763'185'884);
    EXPECT_EQ(from_item<Tally>(row)->until, from_unix_ms(1'763'185'884'000));
    tally.until.reset();
    EXPECT_FALSE(to_item(tally).has("until_s"));
}

struct Parcel {
    std::string sender, weight;

    static constexpr std::string_view record_name = "Parcel";
    static constexpr auto fields =
        std::tuple{must_have("sender", &Parcel::sender), must_have("weight", &Parcel::weight)};
    static void complete(Item& row) {
        if (row.text("weight").value_or("").empty()) row.set("weight", Value("unknown"));
    }
};

TEST(Record, WhatAnotherProgramLeftOutIsAddedBeforeTheFieldsAreRead) {
    EXPECT_EQ(from_item<Parcel>(Item{{"sender", "Ann"}})->weight, "unknown");
    EXPECT_EQ(from_item<Parcel>(Item{{"sender", "Ann"}, {"weight", "1 kg"}})->weight, "1 kg");
    const auto nobodys = from_item<Parcel>(Item{{"weight", "1 kg"}});
    ASSERT_FALSE(nobodys);
    EXPECT_EQ(nobodys.error().message, "Parcel: the row has no sender as it must be");
    const Item row{{"sender", "Ann"}};
    ASSERT_TRUE(from_item<Parcel>(row));
    EXPECT_FALSE(row.has("weight")) << "the row itself stays as it is";
}

TEST(Record, ARowWithoutWhatItMustHaveIsCorruptAndSaysWhat) {
    for (const auto* name : {"id", "writer", "subject"}) {
        auto row = to_item(example());
        row.erase(name);
        const auto letter = from_item<Letter>(row);
        ASSERT_FALSE(letter);
        EXPECT_EQ(letter.error().code, Errc::corrupt);
        EXPECT_NE(letter.error().message.find(name), std::string::npos);
        row.set(name, Value(7));
        EXPECT_FALSE(from_item<Letter>(row));
    }
}

TEST(Record, JsonShowsEveryMemberAndNothingElse) {
    EXPECT_EQ(to_json(example()),
              R"({"id":"l1","writer":"ann","kindness":"stern","subject":"Hi","text":"Dear Bob",)"
              R"("sent_at":"2025-11-15T05:51:24.123Z",)"
              R"("lines":[{"text":"one","count":1},{"text":"two","count":2}],)"
              R"("marks":{"blue":3},"note":null,"lines_count":2,"version":4})");
    auto odd = example();
    odd.note = "\xff\"";
    EXPECT_NE(to_json(odd).find("\"note\":\"\xef\xbf\xbd\\\"\""), std::string::npos);
}

TEST(Record, JsonReadsBack) {
    json::Parser parser;
    auto wanted = example();
    auto text = to_json(wanted);
    text.replace(text.find(",\"lines_count\":2"), 16, "");
    const auto read = read_json<Letter>(*parser.parse(text));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, wanted);
}

TEST(Record, EverythingThatIsWrongIsSaidAtOnceEachWithItsPlace) {
    json::Parser parser;
    const auto read = read_json<Letter>(*parser.parse(
        R"({"id":7,"kindnes":"kind","kindness":"cruel","note":null,"note":"a","lines_count":1,)"
        R"("subject":"x","sent_at":"soon","lines":[{"text":"a"},{"cuont":1},3],)"
        R"("marks":{"a":1,"a":2,"b":"c"}})"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, Refusal::Kind::invalid);
    const std::vector<BadField> wanted = {
        {"id", "must be text"},
        {"kindnes", "is not known; did you mean kindness?"},
        {"kindness", "must be kind or stern"},
        {"note", "is there twice"},
        {"lines_count", "is not known"},
        {"sent_at", "must be a time such as 2026-11-15T05:51:24Z"},
        {"lines[1].cuont", "is not known; did you mean count?"},
        {"lines[1].text", "is missing"},
        {"lines[2]", "must be an object"},
        {"marks.a", "is there twice"},
        {"marks.b", "must be a whole number"},
        {"writer", "is missing"}};
    EXPECT_EQ(read.error().fields, wanted);
}

TEST(Record, WhatFitsEachFieldMayStillNotHoldTogether) {
    json::Parser parser;
    const auto read =
        read_json<Letter>(*parser.parse(R"({"id":"none","writer":"a","subject":"b"})"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().text(), "id must be a name");
    EXPECT_FALSE(read_json<Letter>(*parser.parse("[]")));
    EXPECT_FALSE(read_json<Letter>(*parser.parse(R"({"id":null,"writer":"a","subject":"b"})")));
}

TEST(Record, AHundredMistakesAreEnough) {
    std::string text = "{";
    for (int i = 0; i < 500; ++i) text += (i ? ",\"x" : "\"x") + std::to_string(i) + "\":1";
    json::Parser parser;
    const auto read = read_json<Letter>(*parser.parse(text + "}"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().fields.size(), 100u);
}

TEST(Record, TheSchemaSaysWhatIsShownAndWhatIsTaken) {
    const auto schema = [](Way way) {
        std::string text;
        json::Writer writer(text);
        Schemas schemas;
        writer.open_object();
        describe_object<Line>(writer, schemas, way);
        writer.close_object();
        return text;
    };
    EXPECT_EQ(schema(Way::in),
              R"({"type":"object","properties":{"text":{"type":"string"},)"
              R"("count":{"type":"integer"}},"required":["text"],"additionalProperties":false})");
    EXPECT_NE(schema(Way::out).find(R"("required":["text","count"])"), std::string::npos);
}

CreateTable letters_table() {
    return TableOf("Letters", "id").index("WriterIndex", "by", number("sent_ms"));
}

TEST(TableOf, SaysEachKeyOnce) {
    const CreateTable table = TableOf("T", "PK", "SK")
                                  .index("DayIndex", "day", "SK")
                                  .index("Late", "day", number("rate"));
    std::string keys;
    for (const auto& one : table.attributes) {
        keys += one.name + (one.kind == Kind::number ? " N;" : " S;");
    }
    EXPECT_EQ(keys, "PK S;SK S;day S;rate N;");
    EXPECT_EQ(table.keys, (KeySchema{"PK", "SK"}));
    ASSERT_EQ(table.global_indexes.size(), 2u);
    EXPECT_EQ(table.global_indexes[0].keys, (KeySchema{"day", "SK"}));
    EXPECT_EQ(table.global_indexes[1].projection.kind, ProjectionKind::all);
}

class RowsTest : public ::testing::Test {
protected:
    ManualClock clock{from_unix_ms(1'763'185'884'123)};
    SeededRandom random{1};
    kv::MemoryStore memory;
    std::unique_ptr<Engine> engine = *Engine::open(memory, clock, random, {});
    Rows<Letter> letters{*engine, letters_table()};

    void SetUp() override { ASSERT_TRUE(ensure_table(*engine, {letters_table()})); }
    Outcome<TransactWriteResult> save(Letter& letter) {
        write::Transaction transaction;
        letters.save(transaction, letter);
        return engine->transact(transaction);
    }
    void save_some(int count) {
        for (int i = 0; i < count; ++i) {
            auto letter = example();
            letter.id = "l" + std::to_string(i);
            letter.sent = from_unix_ms(1000 + i / 2);
            letter.version = 0;
            ASSERT_TRUE(save(letter));
        }
    }
};

TEST_F(RowsTest, OfTwoWhoChangeTheSameRowOneIsRefused) {
    auto letter = example();
    letter.version = 0;
    auto again = letter;
    ASSERT_TRUE(save(letter));
    EXPECT_EQ(letter.version, 1);
    EXPECT_FALSE(save(again));  // It is there already.
    auto mine = **letters.find({{"id", "l1"}}), theirs = mine;
    const auto stale = mine;
    ASSERT_TRUE(save(theirs));
    EXPECT_FALSE(save(mine));
    write::Transaction transaction;
    letters.erase(transaction, stale);
    EXPECT_FALSE(engine->transact(transaction));
}

TEST_F(RowsTest, EveryPageGoesOnWhereTheLastOneEnded) {
    save_some(25);
    for (const bool by_index : {false, true}) {
        std::set<std::string> seen;
        PageWish wish{.limit = 4, .after = {}};
        int pages = 0;
        do {
            auto query = letters.query("WriterIndex");
            query.partition("by", "WRITER#ann");
            const auto page = by_index ? letters.page(query, wish) : letters.page(wish);
            ASSERT_TRUE(page);
            for (const auto& letter : page->items) EXPECT_TRUE(seen.insert(letter.id).second);
            wish.after = page->next;
            ++pages;
        } while (wish.after);
        EXPECT_EQ(seen.size(), 25u);
        EXPECT_GE(pages, 7);
    }
}

TEST_F(RowsTest, ACursorOfAnotherListIsRefused) {
    save_some(9);
    auto by_writer = letters.query("WriterIndex");
    by_writer.partition("by", "WRITER#ann");
    const auto page = letters.page(by_writer, {.limit = 2, .after = {}});
    auto by_other = letters.query("WriterIndex");
    by_other.partition("by", "WRITER#bob");
    for (const auto& wrong :
         {*page->next, std::string("x"), std::string(""), std::string(20'000, 'a'),
          *letters.page({.limit = 2, .after = {}})->next}) {
        const auto refused = letters.page(by_other, {.limit = 2, .after = wrong});
        ASSERT_FALSE(refused) << wrong;
        EXPECT_EQ(refused.error().code, Errc::invalid);
    }
}

TEST_F(RowsTest, AnOddRowDoesNotHideTheOthers) {
    save_some(3);
    PutItem odd;
    odd.table = "Letters";
    odd.item = Item{{"id", "odd"}, {"writer", 7}};
    ASSERT_TRUE(engine->put(odd));
    const auto page = letters.page({});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->items.size(), 3u);
    const auto found = letters.find({{"id", "odd"}});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Errc::corrupt);
}

TEST_F(RowsTest, ManyAreFoundAtOnceAndThoseThatAreNotThereAreLeftOut) {
    save_some(250);
    std::vector<Item> keys;
    for (int i = 0; i < 300; ++i) keys.push_back({{"id", "l" + std::to_string(i)}});
    const auto found = letters.find_all(std::move(keys));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 250u);
    const auto by_id = letters.find_by_id({"l3", "l249", "l250"});
    ASSERT_TRUE(by_id);
    EXPECT_EQ(by_id->size(), 2u);
    EXPECT_EQ(by_id->at("l249").id, "l249");
}

TEST_F(RowsTest, AWholeListIsAllOfItsPages) {
    save_some(1500);
    const auto all = whole_list([this](const PageWish& wish) { return letters.page(wish); });
    ASSERT_TRUE(all);
    EXPECT_EQ(all->size(), 1500u);
    const auto rows =
        query_all(*engine, letters.query("WriterIndex").partition("by", "WRITER#ann").limit(7));
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 1500u);
    std::vector<Item> keys;
    for (const auto& row : *rows) keys.push_back(letters.key_of(row));
    ASSERT_TRUE(erase_all(*engine, "Letters", std::move(keys)));
    EXPECT_TRUE(letters.page({})->items.empty());
}

}  // namespace
}  // namespace mailroom::table
