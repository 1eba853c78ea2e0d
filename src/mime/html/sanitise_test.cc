#include "mime/html/sanitise.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

struct Case {
    std::string_view name, html, want;
};

void check(std::initializer_list<Case> cases, const SanitiseOptions& options = {}) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = sanitise_html(c.html, options);
        EXPECT_EQ(got.html, c.want);
        EXPECT_EQ(sanitise_html(got.html, options).html, got.html) << "not stable";
    }
}

TEST(Sanitise, KeepsWhatMailsAreMadeOf) {
    check({
        {"nothing", "", ""},
        {"text", "a &amp; b &lt;c&gt; é", "a &amp; b &lt;c&gt; é"},
        {"inline", "<b>a</b><i>b</i><font color=red size=+1>c</font>",
         "<b>a</b><i>b</i><font color=\"red\" size=\"+1\">c</font>"},
        {"table", "<table width='100%' cellpadding=0><tr><td align=left bgcolor=#fff>a</table>",
         "<table width=\"100%\" cellpadding=\"0\"><tbody><tr><td align=\"left\" "
         "bgcolor=\"#fff\">a</td></tr></tbody></table>"},
        {"document", "<!DOCTYPE html><html><head><title>t</title></head><body>a</body></html>",
         "a"},
        {"body colours", "<body bgcolor=#eee style='margin:0'>a",
         "<div class=\"mail-body\" bgcolor=\"#eee\" style=\"margin:0\">a</div>"},
        {"pre", "<pre>\n\na\n b</pre>", "<pre>\n\na\n b</pre>"},
        {"alt", "<img alt='a \"b\" <c>'>", "<img alt=\"a &quot;b&quot; &lt;c&gt;\">"},
        {"unclosed", "<p>a<p>b<ul><li>c<li>d", "<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>"},
        {"layout role", "<table role=presentation><tr role=button><td>a</table>",
         "<table role=\"presentation\"><tbody><tr><td>a</td></tr></tbody></table>"},
    });
}

TEST(Sanitise, LinksOpenApartAndOnlyToPlacesPeopleExpect) {
    constexpr std::string_view link = "<a>x</a>";
    check({
        {"web", "<a href='https://a.example/?b&amp;c'>x</a>",
         "<a href=\"https://a.example/?b&amp;c\" target=\"_blank\" rel=\"noopener noreferrer "
         "nofollow\">x</a>"},
        {"own target", "<a href='mailto:a@b.example' target=_top rel=opener>x</a>",
         "<a href=\"mailto:a@b.example\" target=\"_blank\" rel=\"noopener noreferrer "
         "nofollow\">x</a>"},
        {"no scheme", "<a href=//a.example>x</a>",
         "<a href=\"https://a.example\" target=\"_blank\" rel=\"noopener noreferrer "
         "nofollow\">x</a>"},
        {"fragment", "<a href=#top>x</a><a name=top>y</a>",
         "<a href=\"#mail-top\">x</a><a name=\"mail-top\">y</a>"},
        {"relative", "<a href='/v1/keys?delete'>x</a>", link},
        {"relative with a scheme", "<a href='https:admin'>x</a>", link},
        {"script", "<a href=javascript:alert(1)>x</a>", link},
        {"script, upper case", "<a href=JaVaScRiPt:alert(1)>x</a>", link},
        {"script, tab", "<a href='jav&#x09;ascript:alert(1)'>x</a>", link},
        {"script, line end", "<a href='java\nscript:alert(1)'>x</a>", link},
        {"script, leading control", "<a href='&#1;&#32;javascript:alert(1)'>x</a>", link},
        {"script, colon as a reference", "<a href='javascript&colon;alert(1)'>x</a>", link},
        {"script, decimal without semicolons",
         "<a href='&#106&#97&#118&#97&#115&#99&#114&#105&#112"
         "&#116&#58alert(1)'>x</a>",
         link},
        {"script, NUL", std::string_view("<a href='java\0script:alert(1)'>x</a>", 37), link},
        {"vbscript", "<a href=vbscript:msgbox(1)>x</a>", link},
        {"data", "<a href='data:text/html,<script>alert(1)</script>'>x</a>", link},
        {"data image", "<a href='data:image/png;base64,AAAA'>x</a>", link},
        {"file", "<a href=file:///etc/passwd>x</a>", link},
        {"blob", "<a href=blob:https://a.example/1>x</a>", link},
        {"view-source", "<a href=view-source:x>x</a>", link},
    });
}

TEST(Sanitise, NothingThatRunsComesThrough) {
    check({
        {"script", "a<script>alert(1)</script>b", "ab"},
        {"script, odd case and space", "a<ScRiPt\n>alert(1)</sCrIpT\t>b", "ab"},
        {"script, not closed", "a<script>alert(1)", "a"},
        {"script in script", "<scr<script></script>ipt>alert(1)</script>", "ipt&gt;alert(1)"},
        {"script split by a dropped tag", "<<svg></svg>script>alert(1)<<svg></svg>/script>",
         "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"handler", "<b onclick=alert(1) ONMOUSEOVER='x' onx\n=\ny>a</b>", "<b>a</b>"},
        {"handler after a slash", "<img/src=x/onerror=alert(1)>", "<img>"},
        {"handler in broken quotes", "<img src='x'onerror=alert(1)>", "<img>"},
        {"handler behind an open quote", "<img title=\"a onerror=alert(1)>", ""},
        {"value that looks like a handler", "<img title='\" onerror=alert(1) x=\"'>",
         "<img title=\"&quot; onerror=alert(1) x=&quot;\">"},
        {"form", "<form action=//e.example><input name=p><button>Go</button></form>", "Go"},
        {"isindex", "<isindex prompt=x action=//e.example>", ""},
        {"frame", "a<iframe src=//e.example srcdoc='<script>1</script>'></iframe>b", "ab"},
        {"frameset", "<frameset><frame src=//e.example></frameset>a", "a"},
        {"plug-in", "<object data=x><embed src=x><param name=a></object><applet code=x>", ""},
        {"meta", "<meta http-equiv=refresh content='0;url=//e.example'>a", "a"},
        {"base and link", "<base href=//e.example><link rel=stylesheet href=//e.example>a", "a"},
        {"svg", "<svg onload=alert(1)><script>alert(1)</script></svg>a", "a"},
        {"svg animation", "<svg><a><animate attributeName=href values=javascript:1></a>",
         "<a></a>"},
        {"math", "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>", ""},
        {"media", "<video src=//e.example autoplay><source src=x></video><audio src=x>", ""},
        {"custom element", "<x-y onclick=1>a</x-y>", "a"},
        {"xml", "<?xml-stylesheet href='javascript:1'?>a", "a"},
        {"name of the page's own", "<img name=body id=location><a id=x>y</a>",
         "<img id=\"mail-location\"><a id=\"mail-x\">y</a>"},
    });
}

TEST(Sanitise, MutationTricksEndAsText) {
    check({
        {"noscript", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
         "<p title=\"&lt;/noscript&gt;&lt;img src=x onerror=alert(1)&gt;\"></p>"},
        {"comment in an attribute", "<p title='--><img src=x onerror=alert(1)>'>a",
         "<p title=\"--&gt;&lt;img src=x onerror=alert(1)&gt;\">a</p>"},
        {"comment closed early", "<!--><img src=x onerror=alert(1)>-->", "<img>--&gt;"},
        {"comment closed at once", "<!---><img src=x onerror=alert(1)>-->", "<img>--&gt;"},
        {"comment closed loudly", "<!-- --!><img src=x onerror=alert(1)> -->", "<img> --&gt;"},
        {"conditional comment", "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->", ""},
        {"template", "<template><script>alert(1)</script><img src=x onerror=1></template>a",
         "<img>a"},
        {"style in math",
         "<form><math><mtext></form><form><mglyph><style></math><img src onerror="
         "alert(1)>",
         ""},
        {"title", "<title><a title='</title><img src=x onerror=alert(1)>'></title>b",
         "<img>'&gt;b"},
        {"textarea", "<textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
         "&lt;img title='<img>'&gt;"},
        {"xmp", "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>", "&lt;p title='<img>'&gt;"},
        {"plaintext", "<plaintext><b>a", "&lt;b&gt;a"},
        {"cdata", "<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>", "<img>]]&gt;"},
        {"backtick", "<img title='`onerror=alert(1)'>", "<img title=\"`onerror=alert(1)\">"},
        {"NUL in a tag", std::string_view("<scr\0ipt>alert(1)</script>", 26), "alert(1)"},
        {"UTF-7", "+ADw-script+AD4-alert(1)", "+ADw-script+AD4-alert(1)"},
        {"overlong <", "\xc0\xbcscript>", "\uFFFD\uFFFDscript&gt;"},
        {"select", "<select><option><style></select><img src=x onerror=1></style>a", "a"},
        {"nested table", "<table><a><table><a>x", "<a></a><table></table><a>x</a><table></table>"},
    });
}

TEST(Sanitise, CssIsForColoursAndSizesOnly) {
    check({
        {"kept",
         "<p style='COLOR: Red ; margin:0 auto!important;font:12px/1.5 \"Open Sans\",arial'>",
         "<p style=\"color:Red;margin:0 auto!important;font:12px/1.5 'Open Sans',arial\"></p>"},
        {"functions", "<p style='color:rgb(1, 2,3);width:calc(1px);background:url(//e.example)'>",
         "<p style=\"color:rgb(1, 2,3)\"></p>"},
        {"expression", "<p style='width:expression(alert(1))'>", "<p></p>"},
        {"comment inside", "<p style='wid/**/th:exp/**/ression(alert(1))'>", "<p></p>"},
        {"escape", "<p style='w\\69 dth:1px;color:\\75 rl(x)'>", "<p></p>"},
        {"covers the page", "<p style='position:fixed;top:0;z-index:9;margin-top:-99px'>",
         "<p></p>"},
        {"binding", "<p style='-moz-binding:url(x);behavior:url(x)'>", "<p></p>"},
        {"display", "<p style='display:flex'><b style='display:none'>",
         "<p><b style=\"display:none\"></b></p>"},
        {"leaves the attribute", "<p style='font-family:\"}</style><script>'>", "<p></p>"},
        {"sheet",
         "<style>@import '//e.example'; p.x, body{color:red;position:fixed} "
         "a[href]{color:blue} @media (max-width:600px){ .y{width:100%} } "
         "@font-face{src:url(x)} #z > b:hover{color:#fff}</style><p class='x y'>a",
         "<style>\n.mail-body p.mail-x,.mail-body{color:red}\n@media (max-width:600px){\n"
         ".mail-body .mail-y{width:100%}\n}\n.mail-body #mail-z>b:hover{color:#fff}\n</style>"
         "<div class=\"mail-body\"><p class=\"mail-x mail-y\">a</p></div>"},
        {"sheet breaks out", "<style>p{color:red}</style><style>*{}</style>",
         "<style>\n.mail-body p{color:red}\n</style><div class=\"mail-body\"></div>"},
        {"sheet with markup", "<style><!-- p{color:red;x:</div><b>} --></style>",
         "<style>\n.mail-body p{color:red}\n</style><div class=\"mail-body\"></div>"},
        {"beside the scope", "<style>body ~ p{color:red} body+div{color:red}</style>", ""},
    });
}

TEST(Sanitise, ExternalLoadsAreRemovedAndListed) {
    constexpr std::string_view mail =
        "<img src='http://t.example/p.gif?id=1' alt=a><table background=//b.example/x><tr><td>"
        "<img srcset='https://c.example/1.png 1x, https://c.example/2.png 2x'></td></table>"
        "<img src=cid:logo@x><img src='data:image/png;base64,AAAA'><img src=/local.png>";
    const std::vector<std::string> loads = {"http://t.example/p.gif?id=1", "https://b.example/x",
                                            "https://c.example/1.png", "https://c.example/2.png"};
    const auto removed = sanitise_html(mail);
    EXPECT_EQ(removed.html,
              "<img alt=\"a\"><table><tbody><tr><td><img></td></tr></tbody></table>"
              "<img src=\"cid:logo@x\"><img><img>");
    EXPECT_EQ(removed.external_loads, loads);
    EXPECT_EQ(removed.removed.addresses, 6u);

    const SanitiseOptions keep{
        .external_loads = ExternalLoads::keep,
        .data_images = DataImages::keep,
        .content_address = [](std::string_view id) -> std::optional<std::string> {
            if (id != "logo@x") return std::nullopt;
            return "/parts/1?a&b";
        }};
    const auto kept = sanitise_html(mail, keep);
    EXPECT_EQ(kept.html,
              "<img src=\"http://t.example/p.gif?id=1\" alt=\"a\"><table "
              "background=\"https://b.example/x\"><tbody><tr><td><img srcset=\"https://c.example/"
              "1.png 1x, https://c.example/2.png 2x\"></td></tr></tbody></table><img "
              "src=\"/parts/1?a&amp;b\"><img src=\"data:image/png;base64,AAAA\"><img>");
    EXPECT_EQ(kept.external_loads, loads);
    EXPECT_EQ(sanitise_html("<img src=cid:other>", keep).html, "<img>");
}

TEST(Sanitise, OnlyHarmlessDataImagesAreKept) {
    const SanitiseOptions keep{.data_images = DataImages::keep};
    check({{"svg", "<img src='data:image/svg+xml;base64,AAAA'>", "<img>"},
           {"html", "<img src='data:text/html;base64,AAAA'>", "<img>"},
           {"not base 64", "<img src='data:image/png,<svg>'>", "<img>"},
           {"parameter", "<img src='data:image/png;x=y;base64,AAAA'>", "<img>"},
           {"png", "<img src='DATA:image/PNG;base64,AA+/'>",
            "<img src=\"DATA:image/PNG;base64,AA+/\">"}},
          keep);
}

TEST(Sanitise, CountsWhatItRemoves) {
    const auto got = sanitise_html(
        "<script>1</script><form><b onclick=1 foo=2 style='position:fixed;color:red'>a</b></form>"
        "<a href=javascript:1>b</a>");
    EXPECT_EQ(got.removed, (SanitisedHtml::Removed{2, 2, 1, 1}));
}

TEST(Sanitise, HugeMailsAreCutAndStayStable) {
    std::string html;
    const std::string words(2000, 'x');
    while (html.size() < 3 * 1024 * 1024) html += "<p>\"quotes\" & <b>more</b>" + words + "</p>";
    const auto got = sanitise_html(html);
    EXPECT_TRUE(got.truncated);
    EXPECT_LE(got.html.size(), 2u * 1024 * 1024);
    EXPECT_EQ(sanitise_html(got.html).html, got.html);
}

}  // namespace
}  // namespace mailroom::mime
