#include "smtp/server_path.h"

#include <gtest/gtest.h>

namespace mailroom::smtp {
namespace {

std::string outcome(std::string_view text) {
    const auto parsed = parse_path_argument(text);
    if (const auto* problem = std::get_if<PathProblem>(&parsed)) {
        return (problem->where == PathProblem::Where::path ? "path: " : "parameters: ") +
               problem->text;
    }
    const auto& argument = std::get<PathArgument>(parsed);
    std::string out = argument.path ? argument.path->local + "|" + argument.path->domain + "|" +
                                          argument.path->text
                                    : "null";
    for (const auto& parameter : argument.parameters) {
        out += " " + std::string(parameter.name);
        if (parameter.value) out += "=" + std::string(*parameter.value);
    }
    return out;
}

TEST(ServerPath, FollowsTheGrammarOfRfc5321) {
    struct Case {
        std::string_view text, want;
    };
    const std::string long_local = "<" + std::string(65, 'a') + "@example.com>";
    const std::string long_label = "<a@" + std::string(64, 'b') + ".com>";
    const Case cases[] = {
        {"<ann@example.com>", "ann|example.com|ann@example.com"},
        {" <ann@example.com>", "ann|example.com|ann@example.com"},
        {"<Ann.Lee+x@Example.COM>", "Ann.Lee+x|Example.COM|Ann.Lee+x@Example.COM"},
        {"<>", "null"},
        {"<> SIZE=10", "null SIZE=10"},
        {"<Postmaster>", "Postmaster||Postmaster"},
        {"<\"a b\"@example.com>", "a b|example.com|\"a b\"@example.com"},
        {"<\"a\\\"b>\\\\\"@example.com>", "a\"b>\\|example.com|\"a\\\"b>\\\\\"@example.com"},
        {"<a@[192.0.2.1]>", "a|[192.0.2.1]|a@[192.0.2.1]"},
        {"<a@[IPv6:2001:db8::1]>", "a|[IPv6:2001:db8::1]|a@[IPv6:2001:db8::1]"},
        {"<@one.example,@two.example:a@b.example>", "a|b.example|a@b.example"},
        {"<jürgen@bücher.example>", "jürgen|bücher.example|jürgen@bücher.example"},
        {"<a@b.example> SIZE=1 BODY=8BITMIME SMTPUTF8",
         "a|b.example|a@b.example SIZE=1 BODY=8BITMIME SMTPUTF8"},
        {"<a@b.example>  SIZE=1", "a|b.example|a@b.example SIZE=1"},

        {"ann@example.com", "path: The address must be in angle brackets"},
        {"", "path: The address must be in angle brackets"},
        {"<ann@example.com", "path: The address must end with >"},
        {"<ann>", "path: The address has a character that is not allowed before the @"},
        {"<@example.com>", "path: The source route is malformed"},
        {"<@one.example,:a@b.example>", "path: The source route is malformed"},
        {"<@one.example,two.example:a@b.example>", "path: The source route is malformed"},
        {"<.ann@example.com>", "path: A dot stands at the wrong place before the @"},
        {"<a..b@example.com>", "path: A dot stands at the wrong place before the @"},
        {"<ann.@example.com>", "path: A dot stands at the wrong place before the @"},
        {"<\"\"@example.com>", "path: There is nothing before the @"},
        {"<\"ann@example.com>", "path: The closing quote is missing"},
        {"<an n@example.com>",
         "path: The address has a character that is not allowed before the @"},
        {"<ann@exa mple.com>", "path: The address must end with >"},
        {"<ann@>", "path: The part after the @ is not a domain"},
        {"<ann@example..com>", "path: The part after the @ is not a domain"},
        {"<ann@-example.com>", "path: The part after the @ is not a domain"},
        {"<ann@[300.1.1.1]>", "path: The part after the @ is not a domain"},
        {"<ann@[192.0.2.1>", "path: The address must end with >"},
        {"<a@b@c.example>", "path: The part after the @ is not a domain"},
        {"<a\xff@example.com>", "path: The address is not UTF-8"},
        {long_local, "path: The part before the @ is longer than 64 bytes"},
        {long_label, "path: The part after the @ is not a domain"},
        {"<ann@example.com>SIZE=1", "parameters: There must be a space after the address"},
        {"<ann@example.com> SIZE=", "parameters: A parameter is malformed"},
        {"<ann@example.com> =1", "parameters: A parameter is malformed"},
        {"<ann@example.com> SIZE=1 size=2", "parameters: A parameter is given twice"},
        {"<ann@example.com> a b c d e f g h i j k l m n o p q",
         "parameters: There are too many parameters"},
    };
    for (const auto& c : cases) EXPECT_EQ(outcome(c.text), c.want) << c.text;
}

TEST(ServerPath, DecodesXtext) {
    EXPECT_EQ(decode_xtext("e+3Dmc2@example.com"), "e=mc2@example.com");
    EXPECT_EQ(decode_xtext("<>"), "<>");
    for (const auto* bad : {"a+3", "a+", "a+3d", "a=b", "a b", "\xc3\xa9"}) {
        EXPECT_EQ(decode_xtext(bad), std::nullopt) << bad;
    }
}

TEST(ServerPath, KnowsDomainsAndAddressLiterals) {
    for (const auto* good : {"a", "mail.example.com", "x_y.example", "1.2.3.4"}) {
        EXPECT_TRUE(is_domain(good)) << good;
    }
    for (const auto* bad : {"", ".", "a.", ".a", "a b", "a-.example", "a(b)", "a\"b", "<a>"}) {
        EXPECT_FALSE(is_domain(bad)) << bad;
    }
    for (const auto* bad : {"[]", "192.0.2.1", "[IPv6:192.0.2.1]", "[2001:db8::1]", "[1.2.3]"}) {
        EXPECT_FALSE(is_address_literal(bad)) << bad;
    }
}

}  // namespace
}  // namespace mailroom::smtp
