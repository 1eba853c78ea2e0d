#include "table/engine/definition.h"

#include "base/hex.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

// A table with the keys pk and sk, and the indexes G on g and sk, and H on g, as it has always
// been written.
constexpr std::string_view row_of_single_keys =
    "0361726e530361726e0a617474726962757465734d11016753014202706b53015302736b53014e0762696c6c696e"
    "674e0402820b0007637265617465644e05028e123d001364656c6574696f6e5f70726f74656374696f6e46026964"
    "4e040282470007696e64657865734cef014d7f0b6261636b66696c6c696e67460269644e040282510007696e636c"
    "7564654c06530161530162046b6579734d1204686173685301670572616e67655302736b056c6f63616c46046e61"
    "6d655301470a70726f6a656374696f6e4e0402821500067374617475734e0402821f000a7468726f756768707574"
    "4c064e01014e01014d6c0b6261636b66696c6c696e67460269644e0402825b0007696e636c7564654c00046b6579"
    "734d080468617368530167056c6f63616c46046e616d655301480a70726f6a656374696f6e4e0101067374617475"
    "734e0402821f000a7468726f7567687075744c064e01014e0101046b6579734d1304686173685302706b0572616e"
    "67655302736b046e616d65530154067370726561644e01010b7461626c655f636c61737353085354414e44415244"
    "04746167734d000a7468726f7567687075744c064e01014e01010d74746c5f61747472696275746553000f74746c"
    "5f6261636b66696c6c696e67460475756964530175";

TEST(Definition, RowsOfSingleKeysAreAsTheyAlwaysWere) {
    const auto bytes = hex_decode(row_of_single_keys);
    ASSERT_TRUE(bytes);
    const auto table = decode_definition(*bytes);
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->key_schema, (KeySchema{"pk", "sk"}));
    EXPECT_EQ(table->indexes.at(0).spec.keys, (KeySchema{"g", "sk"}));
    EXPECT_EQ(table->indexes[0].keys.attributes,
              (std::vector<Key>{{"g", Kind::binary}, {"sk", Kind::number}}));
    EXPECT_EQ(table->indexes[0].keys.hash_count, 1u);
    EXPECT_EQ(table->indexes.at(1).spec.keys, (KeySchema{"g", ""}));
    EXPECT_EQ(hex_encode(encode_definition(*table)), row_of_single_keys);
}

TEST(Definition, KeepsTheOrderOfSeveralKeyAttributes) {
    auto table = *decode_definition(*hex_decode(row_of_single_keys));
    const KeySchema keys{"pk", "g", {"z", "a"}, {"sk", "b", "c"}};
    table.attributes.insert(
        table.attributes.end(),
        {{"z", Kind::number}, {"a", Kind::binary}, {"b", Kind::string}, {"c", Kind::number}});
    table.indexes[0].spec.keys = keys;
    const auto again = decode_definition(encode_definition(table));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->indexes.at(0).spec.keys, keys);
    EXPECT_EQ(again->indexes[0].keys.attributes, (std::vector<Key>{{"pk", Kind::string},
                                                                   {"z", Kind::number},
                                                                   {"a", Kind::binary},
                                                                   {"g", Kind::binary},
                                                                   {"sk", Kind::number},
                                                                   {"b", Kind::string},
                                                                   {"c", Kind::number}}));
    EXPECT_EQ(again->indexes[0].keys.hash_count, 3u);
    EXPECT_TRUE(again->uses("a"));
    EXPECT_FALSE(again->uses("d"));
}

}  // namespace
}  // namespace mailroom::table
