#include "table/engine/entry.h"

#include "base/hex.h"
#include "table/engine/changes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mailroom::table {
namespace {

Definition mails(ProjectionKind projection) {
    Definition table;
    table.id = 1;
    table.keys = {{{"id", Kind::string}, {"part", Kind::number}}};
    IndexDefinition index;
    index.id = 2;
    index.spec.name = "by-state";
    index.keys = {{{"state", Kind::string}, {"at", Kind::string}}};
    index.spec.projection.kind = projection;
    if (projection == ProjectionKind::include) {
        index.spec.projection.include = {"zone", "about", "state"};
    }
    table.indexes.push_back(index);
    shape_entries(table);
    return table;
}

const Item mail{{"id", "a"},  {"part", 1},      {"state", "READY"}, {"at", "now"},
                {"zone", ""}, {"about", "tea"}, {"body", "hello"}};
const Item keys{{"id", "a"}, {"part", 1}, {"state", "READY"}, {"at", "now"}};

TEST(Entry, RowIsPinned) {
    const auto table = mails(ProjectionKind::keys_only);
    const auto row = entry_row(table.indexes[0], mail);
    ASSERT_TRUE(row);
    EXPECT_EQ(hex_encode(*row).substr(0, 10), "7800000002");
    EXPECT_EQ(hex_encode(row->substr(7)),
              "52454144590001"
              "6e6f770001"
              "610001" +
                  hex_encode(Number(1).encoded()));
}

// The index's hash attributes, its range attributes, and the table's key, in that order; the slot
// is that of the hash attributes' bytes together, whatever the table's spread.
TEST(Entry, RowOfSeveralKeyAttributesIsPinned) {
    auto table = mails(ProjectionKind::keys_only);
    table.spread = Spread::timed;
    auto& index = table.indexes[0];
    index.keys = {{{"zone", Kind::string},
                   {"part", Kind::number},
                   {"state", Kind::binary},
                   {"at", Kind::string},
                   {"about", Kind::number}},
                  3};
    shape_entries(table);
    const Item item{{"id", "a"},   {"part", 1},         {"state", Value::binary({"\0r", 2})},
                    {"zone", "Z"}, {"about", Value(2)}, {"at", "now"}};
    const auto row = entry_row(index, item);
    ASSERT_TRUE(row);
    EXPECT_EQ(hex_encode(*row),
              "7800000002"
              "01d7"
              "5a0001"
              "02820b00"
              "00ff720001"
              "6e6f770001"
              "02821500"
              "610001"
              "02820b00");
    EXPECT_FALSE(entry_row(index, Item(item).erase("zone")));
    EXPECT_FALSE(entry_row(index, Item(item).erase("about")));
}

TEST(Entry, HoldsWhatTheIndexProjects) {
    Item some = keys;
    some.set("zone", Value("")).set("about", Value("tea"));
    const struct {
        ProjectionKind kind;
        const Item& wanted;
    } cases[] = {{ProjectionKind::keys_only, keys},
                 {ProjectionKind::include, some},
                 {ProjectionKind::all, mail}};
    for (const auto& [kind, wanted] : cases) {
        const auto table = mails(kind);
        const auto entry = Entry::of(table.indexes[0], mail);
        ASSERT_TRUE(entry);
        EXPECT_EQ(entry->value(), wanted.bytes()) << static_cast<int>(kind);
        EXPECT_EQ(entry->size(mail.view().size_in_item()), wanted.view().size_in_item());
    }
}

TEST(Entry, AnItemThatLacksAKeyOfTheIndexHasNone) {
    const auto table = mails(ProjectionKind::include);
    const auto has_entry = [&](const Item& item) {
        return Entry::of(table.indexes[0], item).has_value();
    };
    EXPECT_TRUE(has_entry(keys));
    EXPECT_FALSE(has_entry(Item(keys).erase("state")));
    EXPECT_FALSE(has_entry(Item(keys).erase("at")));
    EXPECT_FALSE(has_entry(Item(keys).set("at", Value(5))));
    EXPECT_FALSE(has_entry(Item(keys).set("at", Value(""))));
}

// The changes of the index alone, as "+" for a put and "-" for an erase.
std::string changes_of_index(ProjectionKind projection, const Item* before, const Item* after) {
    const auto table = mails(projection);
    const auto sized = [](const Item* item) {
        return item ? std::optional(SizedItem{*item, item->view().size_in_item()}) : std::nullopt;
    };
    kv::Batch batch;
    const auto written = add_changes(table, "row", sized(before), sized(after), batch);
    std::string text;
    for (std::size_t i = 1; i < batch.size(); ++i) {
        text += batch.change(i).kind == kv::Batch::Kind::put ? '+' : '-';
    }
    EXPECT_EQ(written.entries.empty(), text.empty());
    return text;
}

TEST(Entry, IsWrittenOnlyWhenItChanges) {
    const Item other_body = Item(mail).set("body", Value("bye"));
    const Item other_about = Item(mail).set("about", Value("coffee"));
    const Item no_about = Item(mail).erase("about");
    const Item other_state = Item(mail).set("state", Value("SENT"));
    const Item no_state = Item(mail).erase("state");
    const struct {
        const Item* before;
        const Item* after;
        std::string keys_only, include, all;
    } cases[] = {
        {&mail, &mail, "", "", ""},          {&mail, &other_body, "", "", "+"},
        {&mail, &other_about, "", "+", "+"}, {&mail, &no_about, "", "+", "+"},
        {&no_about, &mail, "", "+", "+"},    {&mail, &other_state, "-+", "-+", "-+"},
        {&mail, &no_state, "-", "-", "-"},   {&no_state, &mail, "+", "+", "+"},
        {&no_state, &no_state, "", "", ""},  {nullptr, &mail, "+", "+", "+"},
        {&mail, nullptr, "-", "-", "-"},
    };
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        const auto& [before, after, keys_only, include, all] = cases[i];
        EXPECT_EQ(changes_of_index(ProjectionKind::keys_only, before, after), keys_only) << i;
        EXPECT_EQ(changes_of_index(ProjectionKind::include, before, after), include) << i;
        EXPECT_EQ(changes_of_index(ProjectionKind::all, before, after), all) << i;
    }
}

}  // namespace
}  // namespace mailroom::table
