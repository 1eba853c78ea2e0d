#include "mjml/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mailroom::mjml {
namespace {

std::string html_of(std::string_view source) {
    const auto compiled = compile(source);
    return compiled ? compiled->html : "FAILED: " + Error(compiled.error()).message;
}

std::string failure_of(std::string_view source, const Options& options = {}) {
    const auto compiled = compile(source, options);
    return compiled ? "" : Error(compiled.error()).message;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// In a column of a section of a mail.
std::string in_column(std::string_view content) {
    return "<mjml><mj-body><mj-section><mj-column>" + std::string(content) +
           "</mj-column></mj-section></mj-body></mjml>";
}

std::string warnings_of(std::string_view source) {
    const auto compiled = compile(source);
    if (!compiled) return "FAILED: " + Error(compiled.error()).message;
    std::string lines;
    for (const auto& each : compiled->warnings) {
        lines += std::to_string(each.line) + " " + each.tag + " " + each.message + "\n";
    }
    return lines;
}

TEST(Compile, AMailIsAWholeDocumentWithTitleAndPreview) {
    const auto compiled = compile(
        "<mjml lang='de'><mj-head><mj-title>Hello</mj-title><mj-preview>In short</mj-preview>"
        "</mj-head><mj-body><mj-section><mj-column><mj-text>Words</mj-text></mj-column>"
        "</mj-section></mj-body></mjml>");
    ASSERT_TRUE(compiled);
    EXPECT_EQ(compiled->title, "Hello");
    EXPECT_EQ(compiled->preview, "In short");
    EXPECT_TRUE(compiled->warnings.empty());
    EXPECT_TRUE(compiled->html.starts_with("<!doctype html>\n<html lang=\"de\" dir=\"auto\""));
    EXPECT_TRUE(contains(compiled->html, "<title>Hello</title>"));
    EXPECT_TRUE(contains(compiled->html, "overflow:hidden;\">In short</div>"));
    EXPECT_TRUE(compiled->html.ends_with("</body>\n</html>\n"));
}

TEST(Compile, ColumnsShareTheWidthLessPaddingAndBorders) {
    const auto html = html_of(
        "<mjml><mj-body><mj-section padding='0 20px' border='5px solid'><mj-column/><mj-column>"
        "<mj-image src='a' padding='0'/></mj-column></mj-section></mj-body></mjml>");
    EXPECT_TRUE(contains(html, ".mj-column-per-50 { width:50% !important; max-width: 50%; }"));
    EXPECT_TRUE(contains(html, "width=\"275\""));  // (600 - 2 * 20 - 2 * 5) / 2
}

TEST(Compile, LiquidPassesThroughUntouched) {
    const std::string_view kept[] = {
        "<mj-text>{{ a | default: \"<b>\" }}</mj-text>",
        "<mj-button href=\"{{ u | append: \"?a=1\" }}\">{% if x < 3 %}y{% endif %}</mj-button>",
        "<mj-image src='{{ image[\"src\"] }}' alt='{{ a }}'/>",
    };
    const std::string_view wanted[] = {
        "{{ a | default: \"<b>\" }}",
        "href=\"{{ u | append: \"?a=1\" }}\"",
        "src=\"{{ image[\"src\"] }}\"",
    };
    for (std::size_t i = 0; i < std::size(kept); ++i) {
        SCOPED_TRACE(kept[i]);
        EXPECT_TRUE(contains(html_of(in_column(kept[i])), wanted[i]));
        EXPECT_EQ(warnings_of(in_column(kept[i])), "");
    }
}

TEST(Compile, LiquidBetweenElementsStandsWhereItWasWritten) {
    const auto html = html_of(
        "{% assign a = 1 %}<mjml><mj-body>{% if a < 2 %}<mj-section>{% if b %}<mj-column>"
        "{% for x in y %}<mj-text>T</mj-text>{% endfor %}</mj-column>{% endif %}</mj-section>"
        "{% endif %}</mj-body></mjml>{% comment %}end{% endcomment %}");
    std::size_t at = 0;
    for (const auto* part :
         {"{% assign a = 1 %}<!doctype", "role=\"article\"", "{% if a < 2 %}", "<tbody><tr><td",
          "{% if b %}", "mj-column-per-100", "{% for x in y %}", "T</div>", "</td></tr>",
          "{% endfor %}", "</tbody>", "{% endif %}", "</div>", "{% endif %}", "</html>",
          "{% comment %}"}) {
        SCOPED_TRACE(part);
        at = html.find(part, at);
        ASSERT_NE(at, html.npos);
        at += std::string_view(part).size();
    }
}

TEST(Compile, LiquidWhereItCannotStandIsNotLostInSilence) {
    EXPECT_EQ(failure_of("<mjml><mj-body>\n<mj-section {% if a %}padding='0'{% endif %}/>"
                         "</mj-body></mjml>"),
              "line 2: Liquid stands between the attributes of mj-section; it can be kept inside "
              "of values only");
    EXPECT_TRUE(contains(warnings_of("<mjml><mj-head>{% if a %}<mj-title>x</mj-title></mj-head>"
                                     "<mj-body/></mjml>"),
                         "encloses none of it"));
    EXPECT_TRUE(contains(warnings_of(in_column("<mj-carousel>{% if a %}</mj-carousel>")),
                         "Liquid is left out here: \"{% if a %}\""));
    EXPECT_TRUE(contains(warnings_of(in_column("<mj-image src='a' width='{{ w }}'/>")),
                         "width is computed with before Liquid is filled in"));
}

TEST(Compile, FailsWithTheLineWhereAMailWouldLackWhatWasMeant) {
    struct Case {
        std::string_view source, want;
    };
    const Case cases[] = {
        {"", "there is no MJML in this text: it has no element mjml"},
        {"Hello", "there is no MJML in this text: it has no element mjml"},
        {"\n<html></html>", "line 2: the outermost element must be mjml, not \"html\""},
        {"<mjml></mjml>", "line 1: there is no mj-body in this mail"},
        {"<mjml><mj-body/></mjml>\n<mjml/>", "line 2: there is a second element beside mjml: mjml"},
        {"<mjml>\n<mj-body>", "line 2: mj-body is never closed"},
        {"<mjml><mj-body>\n\n<mj-text>a", "line 3: mj-text is never closed"},
        {"<mjml>\n<!-- a", "line 2: a comment is never closed"},
        {"<mjml><mj-body a='", "line 1: a tag is cut off by the end of the text"},
        {"<mjml>\n<!doctype", "line 2: a declaration is never closed"},
        {"<mjml><mj-body>\n<mj-include path='/etc/passwd'/></mj-body></mjml>",
         "line 2: mj-include is not possible here: nothing is read from files; put the included "
         "text in its place"},
        {"<mjml>\xff</mjml>", "the source is not UTF-8"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.source);
        EXPECT_EQ(failure_of(c.source), c.want);
    }
}

TEST(Compile, WarnsWithTheLineOfWhatIsLeftOut) {
    struct Case {
        std::string_view source, want;
    };
    const Case cases[] = {
        {"<mjml><mj-body>\n<mj-sektion/></mj-body></mjml>",
         "2 mj-sektion is no element of MJML and is left out; did you mean mj-section?\n"},
        {"<mjml><mj-body>\n\nHello there</mj-body></mjml>",
         "3 mj-body text between elements is left out: \"Hello there\"\n"},
        {"<mjml><mj-body>\n<mj-section></mj-group></mj-section></mj-body></mjml>",
         "2 mj-group there is no open element that this ends\n"},
        {"<mjml><mj-body>\n<mj-section></mj-body></mjml>",
         "2 mj-section is not closed before what it stands in\n"},
        {"<mjml><mj-body>\n<mj-section colour='red' padding='many'/></mj-body></mjml>",
         "2 mj-section has no attribute \"colour\"\n"
         "2 mj-section padding must be one to four numbers with one of the units: px, %, not "
         "\"many\"\n"},
        {"<mjml><mj-body/>\n<mj-body/></mjml>", "2 mj-body is left out: there is one before it\n"},
        {"<mjml><mj-body>\n<mj-column/></mj-body></mjml>",
         "2 mj-column cannot stand in mj-body, only in: mj-section, mj-group\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.source);
        EXPECT_EQ(warnings_of(c.source), c.want);
    }
}

TEST(Compile, ACarouselIsItsFirstImageAndSaysSo) {
    const auto source = in_column(
        "<mj-carousel><mj-carousel-image src='one.png' href='u'/><mj-carousel-image src='two.png'/>"
        "</mj-carousel>");
    const auto html = html_of(source);
    EXPECT_TRUE(contains(html, "src=\"one.png\""));
    EXPECT_FALSE(contains(html, "two.png"));
    EXPECT_EQ(warnings_of(source), "1 mj-carousel is shown as its first image alone\n");
}

TEST(Compile, AByteOrderMarkIsNoText) {
    EXPECT_TRUE(html_of("\xef\xbb\xbf{% layout 'a' %}<mjml><mj-body/></mjml>")
                    .starts_with("{% layout 'a' %}<!doctype"));
    EXPECT_EQ(warnings_of("\xef\xbb\xbf\n<mjml><mj-body/></mjml>"), "");
}

TEST(Compile, QuotesInValuesDoNotEndThem) {
    EXPECT_TRUE(contains(html_of(in_column("<mj-image src='a' alt='say \"hi\"'/>")),
                         "alt=\"say &quot;hi&quot;\""));
}

TEST(Compile, IconsMayComeFromElsewhere) {
    Options options;
    options.social_icons = "https://mail.example.com/icons/";
    const auto compiled =
        compile(in_column("<mj-social><mj-social-element name='web'/></mj-social>"), options);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(contains(compiled->html, "src=\"https://mail.example.com/icons/web.png\""));
}

}  // namespace
}  // namespace mailroom::mjml
