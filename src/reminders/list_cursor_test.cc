#include "reminders/list_cursor.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

TEST(ListCursor, BringsBackTheTextsItWasMadeOf) {
    const std::vector<std::string> cases[] = {
        {"C-1"}, {"with blanks in it"}, {"17", "C-1"}, {"", "CUSTOMER#1", "SENT#a b c"}};
    for (const auto& texts : cases) {
        SCOPED_TRACE(texts.back());
        const auto parsed = parse_list_cursor(list_cursor(texts), texts.size());
        ASSERT_TRUE(parsed);
        EXPECT_EQ(*parsed, texts);
    }
}

TEST(ListCursor, IsRefusedWhenNoPageSaidIt) {
    for (const auto& cursor : {std::string("!"), std::string("a=b"), base64url_encode("one two")}) {
        SCOPED_TRACE(cursor);
        const auto parsed = parse_list_cursor(cursor, 3);
        ASSERT_FALSE(parsed);
        EXPECT_EQ(parsed.error().code, Errc::invalid);
    }
}

}  // namespace
}  // namespace mailroom::reminders
