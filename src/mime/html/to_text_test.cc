#include "mime/html/to_text.h"

#include <gtest/gtest.h>
#include <algorithm>

namespace mailroom::mime {
namespace {

struct Case {
    std::string_view name, html, want;
};

void check(std::initializer_list<Case> cases) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(html_to_text(c.html), c.want);
    }
}

TEST(HtmlToText, LaysOutBlocksAsPeopleReadThem) {
    check({
        {"nothing", "", ""},
        {"plain", "Hello", "Hello"},
        {"white space", "  a \n\t b  ", "a b"},
        {"paragraphs", "<p>a</p><p>b</p>", "a\n\nb"},
        {"unclosed paragraphs", "<p>a<p>b", "a\n\nb"},
        {"line break", "a<br>b<br/>c", "a\nb\nc"},
        {"two breaks", "a<br><br>b", "a\n\nb"},
        {"many breaks are one empty line", "a<br><br><br><br><br>b", "a\n\nb"},
        {"divs", "<div>a</div><div>b</div>c", "a\nb\nc"},
        {"an empty line as Gmail writes it", "<div>a</div><div><br></div><div>b</div>", "a\n\nb"},
        {"break at the end of a block", "<div>a<br></div><div>b</div>", "a\nb"},
        {"heading", "<h1>Title</h1>text", "Title\n\ntext"},
        {"inline", "a <b>b</b><i>c</i> d", "a bc d"},
        {"rule", "a<hr>b", "a\n--------------------\nb"},
        {"pre", "<pre>\na  b\n   c\n</pre>d", "a  b\n   c\n\nd"},
        {"definition list", "<dl><dt>T<dd>D</dl>", "T\n  D"},
    });
}

TEST(HtmlToText, NumbersAndMarksLists) {
    check({
        {"bullets", "x<ul><li>a<li>b</ul>y", "x\n\n- a\n- b\n\ny"},
        {"numbers", "<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"},
        {"start", "<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"},
        {"start is rubbish", "<ol start=99999999999><li>a</ol>", "1. a"},
        {"nested", "<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"},
        {"lines of an item", "<ol><li>a<br>b</li></ol>", "1. a\n   b"},
        {"quote in an item", "<ul><li><blockquote>q<br>r</blockquote></ul>", "- > q\n  > r"},
        {"empty item", "<ul><li></li><li>b</li></ul>c", "- b\n\nc"},
    });
}

TEST(HtmlToText, QuotesGetAMarkOnEveryLine) {
    check({
        {"quote", "a<blockquote>b<br>c</blockquote>d", "a\n\n> b\n> c\n\nd"},
        {"empty line", "<blockquote><p>b</p><p>c</p></blockquote>", "> b\n>\n> c"},
        {"nested", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"},
        {"gmail", "<div class=gmail_quote>On Monday wrote:<br><blockquote class=gmail_quote>x",
         "On Monday wrote:\n\n> x"},
        {"apple", "<blockquote type=cite>x</blockquote>", "> x"},
    });
}

TEST(HtmlToText, InAMailAQuotationOfTheWritersOwnIsIndented) {
    const auto is_attribution = [](std::string_view line) { return line.ends_with("wrote:"); };
    struct Case {
        std::string_view html, want;
    };
    const Case cases[] = {
        {"a<blockquote>b<br>c</blockquote>d", "a\n\n    b\n    c\n\nd"},
        {"a<blockquote class=excited>b</blockquote>", "a\n\n    b"},
        {"a<blockquote style='margin-left:40px'>b</blockquote>", "a\n\n    b"},
        {"a<blockquote type=CITE>b</blockquote>", "a\n\n> b"},
        {"a<blockquote class=protonmail_quote>b</blockquote>", "a\n\n> b"},
        {"a<div name=quote>b<blockquote>c</blockquote></div><blockquote>d</blockquote>",
         "a\nb\n\n> c\n\n    d"},
        {"Bob wrote:<blockquote>b<blockquote>c</blockquote></blockquote>",
         "Bob wrote:\n\n> b\n>\n> > c"},
    };
    for (const auto& c : cases) EXPECT_EQ(mail_html_to_text(c.html, is_attribution), c.want);
}

TEST(HtmlToText, TheMarkOfASignatureKeepsItsBlank) {
    check({
        {"div", "a<div>-- <br></div><div>b</div>", "a\n-- \nb"},
        {"span", "a<br><span>-- </span><br>\n<div>b</div>", "a\n-- \nb"},
        {"no-break space", "a<p>--&nbsp;</p>b", "a\n\n-- \n\nb"},
        {"no blank", "a<div>--</div>b", "a\n--\nb"},
        {"more in the line", "a<div>-- b </div>c", "a\n-- b\nc"},
    });
}

TEST(HtmlToText, LinksShowTheirTargetUnlessTheTextDoes) {
    check({
        {"target", "<a href='https://a.example/x?y&amp;z'>go</a>.",
         "go <https://a.example/x?y&z>."},
        {"same", "<a href='https://a.example/'>https://a.example</a>", "https://a.example"},
        {"same but for the scheme", "<a href='http://A.example'>a.example</a>", "a.example"},
        {"address", "<a href='mailto:a@b.example'>a@b.example</a>", "a@b.example"},
        {"script", "<a href='javascript:x()'>go</a>", "go"},
        {"anchor", "<a name=x>go</a><a href='#x'>up</a>", "goup"},
        {"no text", "a<a href='https://a.example/'></a>b", "ab"},
        {"button", "<a href='https://a.example/'><img alt='Buy now'></a>",
         "Buy now <https://a.example/>"},
        {"block inside", "<a href='https://a.example/'><div>Go</div></a>x",
         "Go <https://a.example/>\nx"},
    });
}

TEST(HtmlToText, TableRowsAreLinesAndCellsStandApart) {
    check({
        {"cells", "<table><tr><td>a</td><td>b</td></tr><tr><td>c<td>d</table>", "a  b\nc  d"},
        {"empty cell", "<table><tr><td></td><td>b</td></tr></table>", "b"},
        {"layout", "<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a\n\nb"},
        {"nested", "<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>b", "a\nb"},
        {"text in the wrong place", "<table>x<tr><td>a</table>", "x\na"},
    });
}

TEST(HtmlToText, LeavesOutWhatIsNotSeen) {
    check({
        {"head", "<html><head><title>t</title><style>p{}</style></head><body>a</body></html>", "a"},
        {"script", "a<script>if (1<2) '</p>'</script>b", "ab"},
        {"comment", "a<!-- <b>x</b> -->b", "ab"},
        {"outlook only", "a<!--[if mso]><p>x</p><![endif]-->b", "ab"},
        {"all but outlook", "<![if !mso]>a<![endif]>", "a"},
        {"preheader", "<div style='display: none; max-height:0'>p</div>a", "a"},
        {"hidden", "<span hidden>p</span>a", "a"},
        {"outlook hides", "<span style='mso-hide:all'>p</span>a", "a"},
        {"collapsed", "<div style='max-height:0;overflow:hidden'>p</div>a", "a"},
        {"size zero for spacing only", "<td style='font-size:0'><p>a</p></td>", "a"},
        {"zero width padding", "a&#8203;&nbsp;&#847;&nbsp;b", "a b"},
        {"svg", "a<svg><text>x</text></svg>b", "ab"},
        {"noscript", "<noscript>a</noscript>", "a"},
    });
}

TEST(HtmlToText, DecodesCharactersAndSurvivesBrokenMarkup) {
    check({
        {"references", "&lt;b&gt; &amp;amp; &euro; &#x41; &eacute", "<b> &amp; € A é"},
        {"less than", "1 < 2 <3 a<>b", "1 < 2 <3 a<>b"},
        {"tag cut off", "a<b href='x", "a"},
        {"stray end tags", "a</b></div></table>b</p>c", "abc"},
        {"misnested", "<b><i>a</b>b</i>c", "abc"},
        {"not UTF-8", "a\xff b", "a\uFFFD b"},
        {"declaration", "<?xml version='1.0'?><!DOCTYPE html>a", "a"},
        {"dropped tag joins nothing", "<<svg></svg>b>x", "<b>x"},
        {"image", "<img alt='Logo' src=x> a", "Logo a"},
    });
}

TEST(HtmlToText, FormattingThatMultipliesIsLostAndTheTextStays) {
    // Each cell makes a parser copy all open formatting elements with their attributes.
    std::string html = "<table>";
    for (int i = 0; i < 24; ++i) {
        html += "<b title='" + std::to_string(i) + std::string(5000, 'x') + "'>";
    }
    for (int i = 0; i < 2000; ++i) html += "<td></td>x";
    const auto text = html_to_text(html);
    EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 2000);
}

TEST(HtmlToText, HostileDocumentsTakeLinearTimeAndBoundedMemory) {
    const auto repeat = [](std::string_view piece, int times) {
        std::string html;
        for (int i = 0; i < times; ++i) html += piece;
        return html;
    };
    const std::string_view pieces[] = {
        "<div>",
        "<b>",
        "<a href=x>",
        "<table><tr><td>",
        "<ul><li>",
        "<blockquote>",
        "<b id=1><p>",
        "</p>",
        "<",
        "<!--",
        "&",
        "<p><b>",
        "<font size=1 color=2><div>",
        "<i a ",
        "\"",
        "<svg>",
        "<style>",
        "</table>",
        "<b><table><td></b></td></table>",
    };
    for (const auto piece : pieces) {
        SCOPED_TRACE(piece);
        const auto text = html_to_text(repeat(piece, 4'000) + "<!---->end");
        EXPECT_LE(text.size(), 4u * 1024 * 1024);
    }
    std::string formats = "<p>";
    for (int i = 0; i < 1000; ++i) formats += "<b title='" + std::string(1000, 'x') + "'>";
    EXPECT_FALSE(html_to_text(formats + repeat("<div>x</div>", 5'000)).empty());
    EXPECT_EQ(html_to_text("<b " + repeat("title=x ", 100'000) + ">a</b>"), "a");
}

}  // namespace
}  // namespace mailroom::mime
