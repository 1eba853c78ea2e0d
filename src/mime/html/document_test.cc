#include "mime/html/document.h"

#include "mime/html/document_for_tests.h"
#include "mime/html/entities.h"
#include "mime/html/sanitise.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>

namespace mailroom::mime::html {
namespace {

void expect_the_tree_of_gumbo(std::string_view html) {
    EXPECT_EQ(tree_of(html, Document::Reader::fitting), tree_of(html, Document::Reader::gumbo))
        << html;
}

constexpr std::string_view documents[] = {
    "plain",
    " \n <p>a</p> b ",
    "\n<body bgcolor=red id=x> a </body> after ",
    "<p>a<p>b<div>c</div>d",
    "<b><i>a</b>b</i>",
    "<b><p>a</b>b</p>c",
    "<p>a<hr>b</p>c",
    "<h1>a<h2>b</h2>c</h1>",
    "<table><tr><td>a<td>b<tr><td>c</table>d",
    "<table> <tbody> <tr> <td>a</td> </tr> </tbody> </table>",
    "<table><td>a<td>b</table>",
    "<table><tbody><td>a<tr><td>b</table>",
    "<table><tr><td>a</td></tr><thead><tr><th>b</table>",
    "<table><caption>a<p>b</caption><tr><td>c</table>",
    "<table><colgroup><col width=1><col></colgroup><tr><td>a</table>",
    "<table><col><tr><td>a</table>",
    "<table>a<tr>b<td>c</table>",
    "<table><tr><td><table><tr><td>a</table></table>",
    "<table><div>a</div><tr><td>b</table>",
    "<table>&nbsp;<tr><td>a</table>",
    "<table>&#32;<tr><td>a</table>",
    "<td>a</td><tr>b",
    "<ul><li>a<ul><li>b</ul><li>c</ul>",
    "<ol><li>a<p>b<li>c</ol>",
    "<dl><dt>a<dd>b<dt>c</dl>",
    "<a href=x>a<a href=y>b</a>",
    "<a href=x><table><tr><td><a href=y>a</a></table></a>",
    "<pre>\n\na</pre><pre>&#10;b</pre><pre>\r\nc</pre><pre><b>\n</b></pre>",
    "<textarea>\n<b>a</textarea>b<xmp><i></xmp>c<plaintext>d</plaintext>",
    "a<script>b</script>c<style>d</style>e<title>f</title>",
    "a<svg>b<p>c</svg>d",
    "<!-- a -->b<!doctype html><html><head><meta x><body>c",
    "&amp;&lt;&nbsp;&euro;&#8364;&#x20ac;&#128;&#0;&#xd800;&#99999999;&amp&copy2&notit;&;&#;&#x;&"
    "foo;",
    "<p title='&amp;&copy=1&copy;&ampx&lt' alt=a&b>x",
    "a&am<zzz>p;b&<zzz>amp;c<",
    "a\x1b"
    "b\x0b"
    "c\x7f"
    "d\xc2\x85"
    "e\xef\xb7\x90"
    "f\xef\xbf\xbf"
    "g\xf0\x9f\xbf\xbe",
    "a\xc2\xa0\xef\xbf\xbd\xf0\x9f\x98\x80 b",
    "&#1;&#8;&#11;&#12;&#13;&#127;&#xfdd0;&#xfffe;&#x1ffff;&#129;&#x10ffff;&#x110000;",
    "a < b <3 </ >x</3>",
    "<p title=a title=b>c",
    "<img src=x alt='a>b'><br/><wbr>",
    "<font><div><font>a</font></div></font>",
    "<b><b><b><b><b>a</b></b></b></b></b>c",
    "<p><span><div>a</div></span>b",
    "<blockquote><p>a<blockquote>b</blockquote></blockquote>",
    "a\r\nb\rc",
    "<table><tr><td>a</table></td>b</tr>",
    "<center><table><tr><td><p>a<td>b</center></table>",
    "<li>a<table><tr><td><li>b</table><li>c",
};

TEST(Document, ReadsEveryDocumentAsGumboDoes) {
    for (const auto html : documents) expect_the_tree_of_gumbo(html);
}

TEST(Document, WellNestedMailsNeedNoParser) {
    for (const std::string_view html :
         {"<html><head><style>p{}</style></head><body><p>a<br>b</p></body></html>",
          "<table width=600>\n<tr>\n<td align=center><b>a</b></td>\n</tr>\n</table>",
          "<ul><li>a<li>b</ul><p>x<p>y"}) {
        EXPECT_FALSE(Document(html).was_read_by_gumbo()) << html;
    }
    EXPECT_TRUE(Document("<table>a<tr><td>b</table>").was_read_by_gumbo());
    EXPECT_TRUE(Document(std::string_view("a\0b", 3)).was_read_by_gumbo());
    EXPECT_TRUE(Document("a\xff").was_read_by_gumbo());
}

// Pieces of the documents put together at random, and with single bytes changed.
TEST(Document, ReadsDamagedDocumentsAsGumboDoes) {
    std::minstd_rand random(7);
    int read_directly = 0;
    constexpr std::string_view bytes = "<>/&;#\"'= \n\rabptdr";
    for (int round = 0; round < 20'000; ++round) {
        std::string html;
        for (auto count = 1 + random() % 4; count > 0; --count) {
            const auto whole = documents[random() % std::size(documents)];
            const auto begin = random() % whole.size();
            html += whole.substr(begin, random() % 2 == 0 ? whole.npos : random() % whole.size());
        }
        for (auto count = html.empty() ? 0 : random() % 3; count > 0; --count) {
            html[random() % html.size()] = bytes[random() % bytes.size()];
        }
        expect_the_tree_of_gumbo(html);
        if (HasFailure()) return;
        read_directly += Document(html).was_read_by_gumbo() ? 0 : 1;
    }
    EXPECT_GT(read_directly, 5'000) << "else this compares gumbo with itself";
}

TEST(Document, EveryNamedReferenceIsReadAsGumboReadsIt) {
    for (std::size_t i = 0; i < named_reference_count; ++i) {
        const std::string name(named_references[i].name);
        expect_the_tree_of_gumbo("&" + name + "&" + name + "x<p title='&" + name + "=&" + name +
                                 "'>");
        if (HasFailure()) return;
    }
}

// What the sanitiser writes, a browser must nest as it is written.
TEST(Document, WhatTheSanitiserWritesIsReadBackByGumboAsItIs) {
    std::minstd_rand random(9);
    for (int round = 0; round < 5'000; ++round) {
        std::string html;
        for (auto count = 1 + random() % 4; count > 0; --count) {
            const auto whole = documents[random() % std::size(documents)];
            html += whole.substr(random() % whole.size());
        }
        const auto safe = sanitise_html(html).html;
        EXPECT_EQ(tree_of(safe, Document::Reader::fitting), tree_of(safe, Document::Reader::gumbo))
            << html;
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace mailroom::mime::html
