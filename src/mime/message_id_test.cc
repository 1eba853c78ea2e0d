#include "mime/message_id.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

std::string joined(const std::vector<MessageId>& ids) {
    std::string text;
    for (const auto& id : ids) text += (text.empty() ? "" : " ") + id.value;
    return text;
}

}  // namespace

// clang-format off
TEST(MessageIds, AreFoundInWhateverStandsAround) {
    struct Case {
        std::string_view name, input, want;
    };
    const Case cases[] = {
        {"one", "<a@x.org>", "a@x.org"},
        {"case is kept", "<ABC@Example.com>", "ABC@Example.com"},
        {"several", "<a@x.org> <b@y.org>\r\n\t<c@z.org>", "a@x.org b@y.org c@z.org"},
        {"nothing between", "<a@x.org><b@y.org>", "a@x.org b@y.org"},
        {"commas", "<a@x.org>, <b@y.org>", "a@x.org b@y.org"},
        {"no brackets", "a@x.org", "a@x.org"},
        {"no brackets, several", "a@x.org b@y.org", "a@x.org b@y.org"},
        {"no at", "<abc123>", "abc123"},
        {"no at, no brackets", " abc123 ", "abc123"},
        {"doubled brackets", "<<a@x.org>>", "a@x.org"},
        {"lost end", "<a@x.org <b@y.org>", "a@x.org b@y.org"},
        {"lost end at the end", "<a@x.org", "a@x.org"},
        {"lost start", "a@x.org>", "a@x.org"},
        {"folded inside", "<abc\r\n def@x.org>", "abcdef@x.org"},
        {"old style", "Your message of \"Mon, 1 Jan 2024\" from ann@x.org <id@y.org>", "id@y.org"},
        {"comment", "(was <old@x.org>) <new@x.org>", "new@x.org"},
        {"open comment", "(oops <a@x.org>", "a@x.org"},
        {"repeated", "<a@x.org> <A@X.ORG> <b@y.org> <a@x.org>", "a@x.org b@y.org"},
        {"quoted local part", "<\"a b\"@x.org>", "\"a b\"@x.org"},
        {"words only", "hello there world", ""},
        {"empty brackets", "<> <a@x.org>", "a@x.org"},
        {"empty", "", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(joined(parse_message_ids(c.input)), c.want);
    }
}
// clang-format on

TEST(MessageIds, LongOnesAreLeftOut) {
    const auto ids = parse_message_ids("<" + std::string(999, 'a') + "> <b@y.org>");
    EXPECT_EQ(joined(ids), "b@y.org");
}

TEST(MessageIds, CanonicalIsLowerCaseAndBracketedIsForHeaders) {
    const MessageId id{"ABC@Example.com"};
    EXPECT_EQ(id.canonical(), "abc@example.com");
    EXPECT_EQ(id.bracketed(), "<ABC@Example.com>");
}

TEST(MessageIds, TrimmedReferencesKeepTheRootAndTheNearest) {
    std::vector<MessageId> ids;
    for (int i = 0; i < 250; ++i) ids.push_back({std::to_string(i)});
    const auto kept = trim_references(ids);
    ASSERT_EQ(kept.size(), 100u);
    EXPECT_EQ(kept[9].value, "9");
    EXPECT_EQ(kept[10].value, "160");
    EXPECT_EQ(kept[99].value, "249");
    EXPECT_EQ(trim_references({{"a"}}).size(), 1u);
}

TEST(MessageIds, TakeLinearTimeOnHostileInput) {
    for (const std::string_view piece : {"<", "(", "<a", "a@b ", "\"", "<\"", "((\\", ">"}) {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += piece;
        parse_message_ids(text);
    }
}

TEST(MessageIds, NewOnesHave128RandomBitsAndTheDomainInAscii) {
    SeededRandom random(1);
    const auto first = make_message_id(random, "Bücher.Example");
    const auto second = make_message_id(random, "Bücher.Example");
    EXPECT_TRUE(first.value.ends_with("@xn--bcher-kva.example"));
    EXPECT_EQ(first.value.find('@'), 32u);
    EXPECT_NE(first, second);
    EXPECT_TRUE(make_message_id(random, "not a domain").value.ends_with("@invalid"));
}

}  // namespace mailroom::mime
