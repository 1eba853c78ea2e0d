#include "mime/address.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace mailroom::mime {

namespace {

// `name|canonical` of each mailbox with `;` between, and `{group:count}` for each group at the end.
std::string shown(const AddressList& list) {
    std::string text;
    for (const auto& mailbox : list.mailboxes) {
        if (!text.empty()) text += "; ";
        text += mailbox.display_name + "|" + canonical(mailbox);
    }
    for (const auto& group : list.groups) {
        text += "{" + group.name + ":" + std::to_string(group.count) + "}";
    }
    return text;
}

std::string kinds(const Defects& defects) {
    std::string text;
    for (const auto& defect : defects) text += (text.empty() ? "" : " ") + defect.kind;
    return text;
}

struct ListCase {
    std::string_view input, want;
    std::string_view defects = "";
};

void expect_lists(std::initializer_list<ListCase> cases) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto list = parse_address_list(c.input);
        EXPECT_EQ(shown(list), c.want);
        EXPECT_EQ(kinds(list.defects), c.defects);
    }
}

}  // namespace

// clang-format off
TEST(AddressList, ReadsEveryFormOfRfc5322WithoutComplaint) {
    expect_lists({
        {"ann@example.com", "|ann@example.com"},
        {"<ann@example.com>", "|ann@example.com"},
        {"Ann Lee <Ann@Example.COM>", "Ann Lee|ann@example.com"},
        {"\"Doe, John\" <j@x.org>, k@y.org", "Doe, John|j@x.org; |k@y.org"},
        {"\"a \\\"b\\\" \\\\ c\" <j@x.org>", "a \"b\" \\ c|j@x.org"},
        {"ann@example.com (Ann Lee)", "Ann Lee|ann@example.com"},
        {"(one (two) \\) three) ann (x) @ (y) example.com (Ann)", "Ann|ann@example.com"},
        {"Ann (the boss) Lee <ann@example.com>", "Ann Lee|ann@example.com"},
        {"\"very odd\"@example.com", "|\"very odd\"@example.com"},
        {"\"plain\"@example.com", "|plain@example.com"},
        {"\"a@b\"@example.com", "|\"a@b\"@example.com"},
        {"\"a\\\"b\"@example.com", "|\"a\\\"b\"@example.com"},
        {"\"a\".b@example.com", "|a.b@example.com"},
        {"ann . lee @ example . com", "|ann.lee@example.com"},
        {"ann+news@example.com", "|ann+news@example.com"},
        {"o'neil@example.com", "|o'neil@example.com"},
        {"ann@[192.0.2.1]", "|ann@[192.0.2.1]"},
        {"ann@[IPv6:2001:DB8::1]", "|ann@[ipv6:2001:db8::1]"},
        {"A Group: ann@x.org, Bob <bob@y.org>;", "|ann@x.org; Bob|bob@y.org{A Group:2}"},
        {"undisclosed-recipients:;", "{undisclosed-recipients:0}"},
        {"a@x.org, Team: b@x.org;, c@x.org", "|a@x.org; |b@x.org; |c@x.org{Team:1}"},
        {" ,, a@x.org ,, b@x.org, ", "|a@x.org; |b@x.org"},
        {"Ann Lee\r\n <ann@example.com>,\r\n\tbob@y.org", "Ann Lee|ann@example.com; |bob@y.org"},
        {"J. R. Hacker <j@x.org>", "J. R. Hacker|j@x.org"},
        {"", ""},
        {" \r\n ", ""},
    });
}

TEST(AddressList, DecodesNamesAndKeepsInternationalAddresses) {
    expect_lists({
        {"=?utf-8?Q?J=C3=B6rg?= <j@x.org>", "Jörg|j@x.org"},
        {"=?utf-8?B?SsO2cmc=?= =?utf-8?Q?_M=C3=BCller?= <j@x.org>", "Jörg Müller|j@x.org"},
        {"\"=?iso-8859-1?Q?J=F6rg?=\" <j@x.org>", "Jörg|j@x.org"},
        {"=?utf-8?Q?Doe,_John?= <j@x.org>, k@y.org", "Doe, John|j@x.org; |k@y.org"},
        {"J\xf6rg <j@x.org>", "Jörg|j@x.org"},
        {"Jörg <j@x.org>", "Jörg|j@x.org"},
        {"jörg@bücher.example", "|jörg@xn--bcher-kva.example"},
        {"ann@BÜCHER.example", "|ann@xn--bcher-kva.example"},
        {"ann@xn--bcher-kva.example", "|ann@xn--bcher-kva.example"},
        {"ann@straße.example", "|ann@xn--strae-oqa.example"},
        {"ann@例え.jp", "|ann@xn--r8jz45g.jp"},
        {"=?utf-8?Q?evil=0D=0ABcc:_x?= <j@x.org>", "evil  Bcc: x|j@x.org"},
    });
}

TEST(AddressList, ReadsBrokenListsAndSaysWhatWasWrong) {
    expect_lists({
        {"Doe, John <j@x.org>", "Doe, John|j@x.org", "unquoted-comma"},
        {"John <j@x.org", "John|j@x.org", "unclosed-angle"},
        {"John <j@x.org, Mary <m@y.org>", "John|j@x.org; Mary|m@y.org", "unclosed-angle"},
        {"<<j@x.org>>", "|j@x.org", "extra-brackets"},
        {"j@x.org; k@y.org", "|j@x.org; |k@y.org", "semicolon"},
        {"j@x.org k@y.org", "|j@x.org; |k@y.org", "missing-comma"},
        {"John Doe j@x.org", "John Doe|j@x.org", "missing-angle"},
        {"j@x.org <j@x.org>", "j@x.org|j@x.org", "unquoted-name"},
        {"j@x.org <John>", "|j@x.org", "no-address"},
        {"<@a.example,@b.example:j@x.org>", "|j@x.org", "route"},
        {"mailto:j@x.org", "|j@x.org", "mailto"},
        {"<mailto:j@x.org>", "|j@x.org", "mailto"},
        {"\"John <j@x.org>", "John|j@x.org", "stray-character"},
        {"John (Acme <j@x.org>", "John Acme|j@x.org", "stray-character"},
        {"=?utf-8?Q?John_=3Cj=40x.org=3E?=", "John|j@x.org", "encoded-address"},
        {"Team: a@x.org", "|a@x.org{Team:1}", "unclosed-group"},
        {"j..doe@x.org", "|\"j..doe\"@x.org", "odd-local-part"},
        {"j.@x.org", "|\"j.\"@x.org", "odd-local-part"},
        {"<john doe@x.org>", "|\"john doe\"@x.org", "odd-local-part"},
        {"a@b@x.org", "|a@b", "missing-comma no-local-part"},
        {"John", "", "no-address"},
        {"<>", "", "empty-address"},
        {"John <>", "", "empty-address"},
        {"@x.org", "", "no-local-part"},
        {"j@", "", "no-domain"},
        {"j@, k@y.org", "|k@y.org", "no-domain"},
        {"root, k@y.org", "|k@y.org", "no-address"},
        {"j@x.org.", "|j@x.org"},
    });
}
// clang-format on

TEST(AddressList, HasLimits) {
    std::string many;
    for (std::size_t i = 0; i < mailboxes_max + 10; ++i) many += "a@x.org,";
    const auto list = parse_address_list(many);
    EXPECT_EQ(list.mailboxes.size(), mailboxes_max);
    EXPECT_EQ(kinds(list.defects), "too-many-addresses");

    const auto long_one = parse_address_list(std::string(1000, 'a') + "@x.org, b@y.org");
    EXPECT_EQ(shown(long_one), "|b@y.org");
    EXPECT_EQ(kinds(long_one.defects), "long-address");
}

TEST(AddressList, TakesLinearTimeOnHostileInput) {
    // Each would take minutes if anything looked back or ahead for every character.
    constexpr std::size_t repeats = 20'000;
    for (const std::string_view piece :
         {"(", "\"", "\\\"", "[", "<", "=?a?q?", "=?", "a,", "a ", "@", "a@", ":", "a:", "<@",
          "((\\", "=?a?b?x", ".", ". a"}) {
        SCOPED_TRACE(piece);
        std::string text;
        for (std::size_t i = 0; i < repeats; ++i) text += piece;
        const auto list = parse_address_list(text);
        EXPECT_LE(list.defects.size(), defects_max);
    }
}

// clang-format off
TEST(Address, StrictParsingTakesOneAddressAndSaysWhatIsWrongWithOthers) {
    struct Case {
        std::string_view input, want, error = "";
    };
    const Case cases[] = {
        {"ann@example.com", "|ann@example.com"},
        {"  Ann Lee <Ann@example.com> ", "Ann Lee|ann@example.com"},
        {"\"Lee, Ann\" <ann@example.com>", "Lee, Ann|ann@example.com"},
        {"Jörg <jörg@bücher.example>", "Jörg|jörg@xn--bcher-kva.example"},
        {"ann@localhost", "|ann@localhost"},
        {"ann@[192.0.2.1]", "|ann@[192.0.2.1]"},
        {"ann@example.com (Ann)", "Ann|ann@example.com"},
        {"\"a b\"@example.com", "|\"a b\"@example.com"},
        {"", "", "it is empty"},
        {"ann", "", "\"ann\" has no @"},
        {"ann.example.com", "", "has no @"},
        {"@example.com", "", "nothing stands before the @"},
        {"ann@", "", "no domain stands after the @"},
        {"ann@exa mple.com", "", "text after the address"},
        {"ann@exa_mple.com", "", "not a domain name"},
        {"ann@-example.com", "", "not a domain name"},
        {"ann@example..com", "", "not a domain name"},
        {"ann@\xe2\x80\x8b", "", "not a domain name"},
        {"ann@example.com, bob@example.com", "", "more than one address"},
        {"ann@example.com,", "", "comma too many"},
        {"ann@example.com;", "", "comma belongs"},
        {"Lee, Ann <ann@example.com>", "", "name with a comma needs quotes"},
        {"Ann <ann@example.com", "", "> after an address is missing"},
        {"Ann ann@example.com", "", "needs < and > around it"},
        {"a..b@example.com", "", "needs quotes"},
        {"friends: ann@example.com;", "", "it is a group"},
        {"<@a.example:ann@example.com>", "", "route"},
        {"ann@example.com\r\nBcc: eve@example.com", "", "line break"},
        {"Ann\n <ann@example.com>", "", "line break"},
        {std::string_view("ann\0@example.com", 16), "", "control character"},
        {"ann\xff@example.com", "", "not UTF-8"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = parse_address(c.input);
        EXPECT_EQ(got ? got->display_name + "|" + canonical(*got) : "", c.want);
        EXPECT_NE((got ? "" : got.error().message).find(c.error), std::string::npos)
            << (got ? "" : got.error().message);
    }
}

TEST(Address, APlainAddressIsReadLikeOneInBrackets) {
    // Brackets go through the reader of lists, plain addresses mostly do not.
    const std::string_view pieces[] = {"a", "Z9", ".", "@", "-", "=?", "+x", " ", "example",
                                       "org", "[", "]", "\xc3\xa9", "..", ",", "(c)", ";", ":"};
    std::mt19937 chance(5321);
    int taken = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = chance() % 2 == 0 ? "ann" : "";
        for (auto left = chance() % 6; left > 0; --left) {
            text += pieces[chance() % std::size(pieces)];
        }
        if (chance() % 4 != 0) text += "@example.org";
        const auto plain = parse_address(text);
        const auto bracketed = parse_address("<" + text + ">");
        // A list, a group or a comment around it may be fine in one form only.
        if (text.find_first_of(" ,;:()[]") != text.npos) continue;
        ASSERT_EQ(bool(plain), bool(bracketed)) << text;
        if (!plain) continue;
        EXPECT_EQ(*plain, *bracketed) << text;
        ++taken;
    }
    EXPECT_GT(taken, 1000);
}

TEST(Address, StrictParsingHoldsTheLengthsOfRfc5321) {
    const std::string label(60, 'd'), host = label + "." + label + "." + label;
    EXPECT_TRUE(parse_address(std::string(64, 'a') + "@example.com"));
    EXPECT_FALSE(parse_address(std::string(65, 'a') + "@example.com"));
    EXPECT_TRUE(parse_address(std::string(64, 'a') + "@" + host + ".com"));
    EXPECT_FALSE(parse_address(std::string(64, 'a') + "@" + host + ".example"));
    EXPECT_FALSE(parse_address("a@" + std::string(64, 'd') + ".com"));
    EXPECT_FALSE(parse_address(std::string(513, 'n') + " <a@example.com>"));
}

TEST(Address, HeaderTextQuotesAndEncodesAndIsReadBackTheSame) {
    struct Case {
        Mailbox mailbox;
        std::string_view want;
    };
    const Case cases[] = {
        {{"", "ann", "example.com"}, "ann@example.com"},
        {{"Ann Lee", "ann", "example.com"}, "Ann Lee <ann@example.com>"},
        {{"Lee, Ann", "ann", "example.com"}, "\"Lee, Ann\" <ann@example.com>"},
        {{"Ann \"A\" \\Lee", "ann", "example.com"}, "\"Ann \\\"A\\\" \\\\Lee\" <ann@example.com>"},
        {{"J. Lee", "ann", "example.com"}, "\"J. Lee\" <ann@example.com>"},
        {{"Jörg", "j", "example.com"}, "=?UTF-8?B?SsO2cmc=?= <j@example.com>"},
        {{"日本", "j", "example.com"}, "=?UTF-8?B?5pel5pys?= <j@example.com>"},
        {{"=?utf-8?Q?x?=", "j", "example.com"}, "=?UTF-8?B?PT91dGYtOD9RP3g/PQ==?= <j@example.com>"},
        {{"", "a b", "example.com"}, "\"a b\"@example.com"},
        {{"", "ann", "xn--bcher-kva.example"}, "ann@xn--bcher-kva.example"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        const auto text = to_header_text(c.mailbox);
        EXPECT_EQ(text, c.want);
        const auto list = parse_address_list(text);
        ASSERT_EQ(list.mailboxes.size(), 1u);
        EXPECT_EQ(list.mailboxes[0], c.mailbox);
    }
    EXPECT_EQ(to_header_text({"", "ann", "bücher.example"}), "ann@xn--bcher-kva.example");
    EXPECT_EQ(to_header_text({"", "jörg", "bücher.example"}), "jörg@bücher.example");
    EXPECT_TRUE(needs_smtputf8({"", "jörg", "example.com"}));
    EXPECT_FALSE(needs_smtputf8({"Jörg", "ann", "bücher.example"}));
}
// clang-format on

TEST(Address, CheckRefusesWhatWasPutTogetherByHand) {
    EXPECT_TRUE(check_address({"Ann", "ann", "example.com"}));
    EXPECT_FALSE(check_address({"Ann\r\nBcc: x", "ann", "example.com"}));
    EXPECT_FALSE(check_address({"", "ann\n", "example.com"}));
    EXPECT_FALSE(check_address({"", "ann", "example.com> SIZE=1"}));
    EXPECT_FALSE(check_address({"", "", "example.com"}));
    EXPECT_FALSE(check_address({"", "ann", ""}));
}

}  // namespace mailroom::mime
