#include "mime/parameters.h"

#include "mime/header_writer.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

std::string shown(const ParameterizedValue& value) {
    auto text = value.value;
    for (const auto& parameter : value.parameters) {
        text += "|" + parameter.name + "=" + parameter.value;
    }
    return text;
}

}  // namespace

// clang-format off
TEST(Parameters, AreReadInEveryForm) {
    struct Case {
        std::string_view input, want;
    };
    const Case cases[] = {
        {"text/plain", "text/plain"},
        {"Text/Plain; Charset=UTF-8", "text/plain|charset=UTF-8"},
        {"text/plain; charset=\"utf-8\"; format=flowed", "text/plain|charset=utf-8|format=flowed"},
        {"text/plain;charset = utf-8 ; ;", "text/plain|charset=utf-8"},
        {"text/plain; charset=us-ascii (Plain text)", "text/plain|charset=us-ascii"},
        {"a/b; name=\"x; y\\\" z\"", "a/b|name=x; y\" z"},
        {"a/b; name=my file.pdf; x=1", "a/b|name=my file.pdf|x=1"},
        {"attachment; filename*=utf-8''r%C3%A9sum%C3%A9.pdf", "attachment|filename=résumé.pdf"},
        {"attachment; filename*=iso-8859-1'fr'r%E9sum%E9.pdf", "attachment|filename=résumé.pdf"},
        {"attachment; filename=x.pdf; filename*=utf-8''%C3%A9.pdf", "attachment|filename=é.pdf"},
        {"a/b; n*0=one; n*1=\" two\"", "a/b|n=one two"},
        {"a/b; n*1=two; n*0=one", "a/b|n=onetwo"},
        {"a/b; n*0*=utf-8''%C3; n*1*=%A9; n*2=\"%41\"", "a/b|n=é%41"},
        {"a/b; n*0=one; n*2=three", "a/b|n=one"},
        {"a/b; n*0=a; n*1=b; m*0=c; m*1=d", "a/b|n=ab|m=cd"},
        {"a/b; name=\"=?utf-8?Q?r=C3=A9sum=C3=A9?=\"", "a/b|name=résumé"},
        {"a/b; name=r\xe9sum\xe9", "a/b|name=résumé"},
        {"a/b; name=one; name=two", "a/b|name=one"},
        {"a/b; name=\"open; x=1", "a/b|name=open|x=1"},
        {"a/b; flag", "a/b"},
        {"a/b; n*=utf-8''a%0D%0Ab", "a/b|n=a  b"},
        {"; x=1", "|x=1"},
        {"", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        EXPECT_EQ(shown(parse_parameterized(c.input)), c.want);
    }
}
// clang-format on

TEST(Parameters, HaveALimitAndTakeLinearTime) {
    std::string many = "a/b";
    for (int i = 0; i < 100'000; ++i) many += "; n*" + std::to_string(i) + "=x";
    EXPECT_EQ(shown(parse_parameterized(many)), "a/b|n=" + std::string(parameter_pieces_max, 'x'));
    std::string names = "a/b";
    for (int i = 0; i < 500; ++i) names += "; n" + std::to_string(i) + "=x";
    EXPECT_EQ(parse_parameterized(names).parameters.size(), parameters_max);
    for (const std::string_view piece : {"\"", "(", " (", ";", "=", ";a=\"", "\\\"", ";a*0=("}) {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += piece;
        parse_parameterized(text);
    }
}

TEST(Parameters, WrittenOnesAreReadBackTheSameFromShortLines) {
    std::string long_ascii(300, 'x'), long_accents;
    for (int i = 0; i < 120; ++i) long_accents += "é%'*";
    for (const std::string& value :
         {std::string("plain.pdf"), std::string("with space.pdf"), std::string("q\"uote\\.pdf"),
          std::string("résumé.pdf"), std::string("日本語.txt"), std::string(""), long_ascii,
          long_accents, std::string("a;b=c")}) {
        SCOPED_TRACE(value);
        std::string out;
        HeaderWriter writer(out, "Content-Disposition");
        writer.token("attachment");
        writer.parameter("filename", value);
        writer.parameter("size", "12");
        writer.end();
        const auto got = parse_parameterized(std::string_view(out).substr(out.find(':') + 1));
        EXPECT_EQ(shown(got), "attachment|filename=" + value + "|size=12") << out;
        for (std::string_view rest = out; !rest.empty();) {
            const auto end = rest.find("\r\n");
            EXPECT_LE(end, line_bytes_preferred);
            rest.remove_prefix(end + 2);
        }
    }
}

}  // namespace mailroom::mime
