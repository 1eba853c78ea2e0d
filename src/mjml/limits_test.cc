// What somebody may send who wishes us no good.
#include "mjml/compile.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::mjml {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

std::string mail(const std::string& body, const std::string& head = "") {
    return "<mjml><mj-head>" + head + "</mj-head><mj-body>" + body + "</mj-body></mjml>";
}

std::string failure_of(const std::string& source, const Options& options = {}) {
    const auto compiled = compile(source, options);
    return compiled ? "" : Error(compiled.error()).message;
}

TEST(Limits, EachIsAFailureThatNamesIt) {
    struct Case {
        std::string_view name;
        std::string source, want;
    };
    const auto attributes = mail("<mj-section " + [] {
        std::string all;
        for (int i = 0; i < 101; ++i) all += "a" + std::to_string(i) + "='' ";
        return all;
    }() + "/>");
    const Case cases[] = {
        {"depth", mail(repeated("<mj-section>", 1000)),
         "line 1: elements are nested deeper than 30"},
        {"elements", mail(repeated("<mj-section/>", 20'001)),
         "line 1: there are too many elements"},
        {"comments", mail(repeated("<!---->", 20'001)), "line 1: there are too many elements"},
        {"attributes", attributes, "line 1: mj-section has too many attributes"},
        {"source", std::string(2 * 1024 * 1024, ' '), "the source is longer than 1048576 bytes"},
        {"shared value",
         mail("",
              "<mj-attributes><mj-all color='" + std::string(5000, 'x') + "'/></mj-attributes>"),
         "line 1: color is too long to be shared by many elements"},
        {"fonts",
         mail("",
              [] {
                  std::string all;
                  for (int i = 0; i < 60; ++i) {
                      all += "<mj-font name='f" + std::to_string(i) + "' href='x'/>";
                  }
                  return all;
              }()),
         "line 1: there are too many fonts"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(failure_of(c.source), c.want);
    }
}

TEST(Limits, LittleCannotBecomeMuch) {
    const auto head = "<mj-attributes><mj-all css-class='" + std::string(4000, 'x') + "' color='" +
                      std::string(4000, 'y') + "'/></mj-attributes>";
    const auto body =
        "<mj-section><mj-column>" + repeated("<mj-text/>", 5'000) + "</mj-column></mj-section>";
    EXPECT_EQ(failure_of(mail(body, head)),
              "the HTML of this source would be longer than 4194304 bytes");
}

TEST(Limits, WarningsAreCountedWhenTheyAreTooMany) {
    Options options;
    options.warnings_max = 3;
    const auto compiled = compile(mail(repeated("<mj-x/>", 10)), options);
    ASSERT_TRUE(compiled);
    ASSERT_EQ(compiled->warnings.size(), 4u);
    EXPECT_EQ(compiled->warnings.back().message, "7 more warnings are not listed");
}

TEST(Limits, TextThatIsAlmostSomethingIsAnsweredSoon) {
    constexpr std::size_t size = 200'000;
    for (const auto* piece :
         {"{{}", "{%", "{% comment %}", "<", "</", "<a", "\n", "&", "<!--->", "\"", "='"}) {
        SCOPED_TRACE(piece);
        const auto text = repeated(piece, size / std::string_view(piece).size());
        (void)compile(mail(text.substr(0, size)));
        (void)compile(mail("<mj-text>" + text.substr(0, size) + "</mj-text>"));
        (void)compile(mail("<mj-section a=\"" + text.substr(0, size) + "\"/>"));
    }
}

}  // namespace
}  // namespace mailroom::mjml
