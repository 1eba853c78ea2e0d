#include "liquid/template.h"

#include "liquid/rendering_for_tests.h"

#include <gtest/gtest.h>

#include <thread>

namespace mailroom::liquid {
namespace {

OwnedValue sample_data() {
    return OwnedValue::object({
        {"name", "Ann"},
        {"html", "<b>Tom & \"Jerry\"</b>"},
        {"nothing", OwnedValue()},
        {"yes", true},
        {"no", false},
        {"zero", 0},
        {"id", std::int64_t{9'007'199'254'740'993}},
        {"list", OwnedValue::array({3, 1, 2})},
        {"none", OwnedValue::array()},
        {"user", OwnedValue::object({{"first", "Ann"}, {"city", "Rome"}})},
    });
}

struct Row {
    std::string_view text, want;
};

TEST(Template, RendersEveryTagAsLiquidJSDoes) {
    // clang-format off
    const Row rows[] = {
        {"plain", "plain"},
        {"{{ name }}{{name}}{{ missing }}", "AnnAnn"},
        {"{{ user.first }} {{ user['city'] }} {{ list[-1] }} {{ list.size }}", "Ann Rome 2 3"},
        {"{{ id }}", "9007199254740993"},
        {" {{- name -}} ", "Ann"},
        {"{% assign x = name | upcase %}{{ x }}", "ANN"},
        {"{% capture c %}[{{ name }}]{% endcapture %}{{ c }}{{ c }}", "[Ann][Ann]"},
        {"{% if no %}a{% elsif yes %}b{% else %}c{% endif %}", "b"},
        {"{% if zero %}truthy{% endif %}{% if none == empty %}E{% endif %}", "truthyE"},
        {"{% unless no %}a{% else %}b{% endunless %}", "a"},
        {"{% case name %}{% when 'x', 'Ann' %}1{% else %}2{% endcase %}", "1"},
        {"{% for i in list %}{{ i }}{% endfor %}", "312"},
        {"{% for i in list reversed limit: 2 %}{{ i }}{% endfor %}", "13"},
        {"{% for i in (1..4) offset: 1 %}{{ i }}{% endfor %}", "234"},
        {"{% for i in none %}x{% else %}E{% endfor %}", "E"},
        {"{% for i in list %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "32"},
        {"{% for i in list %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% endfor %}", "3"},
        {"{% for i in list %}{{ forloop.index }}{{ forloop.last }}{% endfor %}", "1false2false3true"},
        {"{% for i in user %}{{ i[0] }}={{ i[1] }};{% endfor %}", "first=Ann;city=Rome;"},
        {"{% tablerow i in (1..3) cols: 2 %}{{ i }}{% endtablerow %}",
         "<tr class=\"row1\"><td class=\"col1\">1</td><td class=\"col2\">2</td></tr>"
         "<tr class=\"row2\"><td class=\"col1\">3</td></tr>"},
        {"{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}", "aba"},
        {"{% increment n %}{% increment n %}{% decrement n %}", "011"},
        {"{% comment %}{{ x }}{% endcomment %}{% # note %}z", "z"},
        {"{% raw %}{{ name }}{% endraw %}", "{{ name }}"},
        {"{% echo name | downcase %}", "ann"},
        {"{% liquid\n assign a = 1\n echo a\n echo name %}", "1Ann"},
        {"{{ yes and no or yes }}{{ name contains 'n' }}", "truetrue"},
    };
    // clang-format on
    for (const auto& row : rows)
        EXPECT_EQ(render_text(row.text, sample_data()), row.want) << row.text;
}

TEST(Template, ErrorsNameTheLineTheColumnAndTheText) {
    struct Case {
        std::string_view text;
        std::size_t line, column;
        std::string_view piece;
    };
    const Case cases[] = {
        {"a\nbé {{ name", 2, 4, "{{ name"},
        {"{% if name %}\nx", 1, 1, "{% if name %}"},
        {"ok\n  {% nosuchtag %}", 2, 3, "{% nosuchtag %}"},
        {"{{ name | append }}", 1, 1, "{{ name | append }}"},
        {"{{ a + b }}", 1, 6, "+ b"},
        {"x {% assign y %}", 1, 13, "y"},
        {"x {{ }}", 1, 3, "{{ }}"},
        {"\n\n{% for x of y %}{% endfor %}", 3, 1, "{% for x of y %}"},
        {"{% if a %}{% else %}{% else %}{% endif %}", 1, 21, "{% else %}"},
        {"{{ 'now' | date: '%Y', 'No/Where' }}", 1, 1, "{{ 'now' | date: '%Y', 'No/Where' }}"},
        {"{{ '%' | url_decode }}", 1, 1, "{{ '%' | url_decode }}"},
        {"{% render 'nosuch' %}", 1, 1, "{% render 'nosuch' %}"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto rendered = try_render(c.text, sample_data(), {.clock = test_clock()});
        ASSERT_FALSE(rendered);
        EXPECT_EQ(rendered.error().line, c.line);
        EXPECT_EQ(rendered.error().column, c.column);
        EXPECT_EQ(rendered.error().text, c.piece);
        EXPECT_EQ(rendered.error().code, Errc::invalid);
    }
}

TEST(Template, HtmlEscapesValuesOnceAndOnlyValues) {
    const Row rows[] = {
        {"<p>{{ html }}</p>", "<p>&lt;b&gt;Tom &amp; &#34;Jerry&#34;&lt;/b&gt;</p>"},
        {"{{ html | raw }}", "<b>Tom & \"Jerry\"</b>"},
        {"{{ html | escape }}", "&lt;b&gt;Tom &amp; &#34;Jerry&#34;&lt;/b&gt;"},
        {"{{ html | raw | append: '<' }}", "&lt;b&gt;Tom &amp; &#34;Jerry&#34;&lt;/b&gt;&lt;"},
        {"{% assign x = '<\n' | escape | newline_to_br %}{{ x }}", "&lt;<br />\n"},
        {"{{ '<\n' | newline_to_br }}", "&lt;&lt;br /&gt;\n"},
        {"{% capture c %}<i>{{ '<' }}</i>{% endcapture %}{{ c }}", "<i>&lt;</i>"},
        {"{% capture c %}<i>{% endcapture %}{{ c | upcase }}", "&lt;I&gt;"},
        {"{% echo '<' %}{% cycle '<' %}{{ '<,>' | split: ',' }}", "&lt;&lt;&lt;&gt;"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(
            render_text(row.text, sample_data(), {.clock = test_clock(), .escape = Escape::html}),
            row.want)
            << row.text;
    }
}

TEST(Template, StrictRenderingListsEveryMissingNameOnce) {
    struct Case {
        std::string_view text;
        Missing missing;
        std::vector<std::string> want;
    };
    const auto undefined = Missing::report_undefined, nil = Missing::report_nil;
    const Case cases[] = {
        {"{{ name }}", undefined, {}},
        {"{{ a }}{{ name }}{{ b.c }}{{ a }}", undefined, {"a", "b"}},
        {"{{ user.nosuch.deeper }}", undefined, {"user.nosuch"}},
        {"{% for i in list %}{{ i }}{{ x }}{% endfor %}", undefined, {"x"}},
        {"{{ 'a' | append: z }}", undefined, {"z"}},
        {"{% if a %}x{% endif %}{% unless b == 1 %}{% endunless %}", undefined, {}},
        {"{{ a | default: 'x' }}", undefined, {}},
        {"{% if a %}{{ a }}{% endif %}{% case c %}{% when d %}{% endcase %}", undefined, {}},
        {"{{ nothing }}", undefined, {}},
        {"{{ nothing }}{{ a }}{{ nothing.b }}", nil, {"nothing", "a", "nothing.b"}},
        {"{% assign q = a %}{{ q }}", undefined, {"a", "q"}},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto rendered =
            try_render(c.text, sample_data(), {.clock = test_clock(), .missing = c.missing});
        ASSERT_EQ(static_cast<bool>(rendered), c.want.empty());
        if (rendered) continue;
        EXPECT_EQ(rendered.error().missing_variables, c.want);
    }
}

TEST(Template, PartialsSeeWhatTheyShould) {
    MapPartials partials;
    partials.add("card", "[{{ title }}{{ name }}]");
    partials.add("row", "{{ row }}{{ forloop.index }};");
    partials.add("set", "{% assign made = 'in' %}");
    partials.add("self", "{% render 'self' %}");
    partials.add("bad", "\n{{ 'x' | append }}");
    const Row rows[] = {
        {"{% render 'card', title: 'T' %}", "[T]"},
        {"{% include 'card', title: 'T' %}", "[TAnn]"},
        {"{% render 'row' for list as row %}", "31;12;23;"},
        {"{% render 'set' %}{{ made }}{% include 'set' %}{{ made }}", "in"},
        {"{% assign p = 'card' %}{% render p %}{% render '{{ p }}', title: 1 %}", "[][1]"},
        {"{% render 'self' %}", "error: partials are nested too deeply"},
        {"{% render 'nosuch' %}", "error: there is no partial \"nosuch\""},
    };
    const RenderOptions options{.clock = test_clock(), .partials = &partials};
    for (const auto& row : rows) {
        EXPECT_EQ(render_text(row.text, sample_data(), options), row.want) << row.text;
    }
    const auto failed = try_render("{% render 'bad' %}", sample_data(), options);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().partial, "bad");
    EXPECT_EQ(failed.error().line, 2U);
    EXPECT_NE(Error(failed.error()).message.find("line 2, column 1 of partial \"bad\""),
              std::string::npos);
}

TEST(Template, UnknownFiltersAreRefusedAndTheLikelyOneIsNamed) {
    const auto refused = Template::compile("{{ a | upcas }}");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().column, 8U);
    EXPECT_EQ(refused.error().message, "unknown filter upcas (did you mean upcase?)");
    EXPECT_EQ(Template::compile("{{ email | bcrypt_of }}").error().message,
              "unknown filter bcrypt_of");
    EXPECT_TRUE(Template::compile("{{ a | upcase }}"));
    // One in a text that is an expression is found when it is rendered.
    const auto data = OwnedValue::object({{"a", OwnedValue::array({"x"})}});
    EXPECT_EQ(render_text("{{ a | where_exp: 'i', 'i | upcas' }}", data).substr(0, 27),
              "error: unknown filter upcas");
}

TEST(Template, TellsWhichVariablesItReads) {
    const auto compiled = Template::compile(
        "{{ b.c }}{{ a }}{% assign x = a %}{{ x }}{% for i in items %}{{ i.t }}{{ forloop.index }}"
        "{% endfor %}{{ list[k] | append: d }}");
    ASSERT_TRUE(compiled);
    EXPECT_EQ(compiled->variables(),
              (std::vector<std::string>{"a", "b.c", "d", "items", "k", "list"}));
}

TEST(Template, OneTemplateIsRenderedByManyThreadsAtOnce) {
    const auto compiled = Template::compile(
        "{% for i in (1..50) %}{% cycle 'a', 'b' %}{{ i | plus: n }}{% endfor %}"
        "{{ 'now' | date: '%Y', 'Europe/Berlin' }}");
    ASSERT_TRUE(compiled);
    const TimeZones zones;
    std::vector<std::thread> threads;
    std::vector<std::string> texts(4);
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            const auto data = OwnedValue::object({{"n", t % 2}});
            for (int i = 0; i < 20; ++i) {
                const auto rendered =
                    compiled->render(data.view(), {.clock = test_clock(), .time_zones = &zones});
                texts[static_cast<std::size_t>(t)] = rendered ? rendered->text : "failed";
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(texts[0], texts[2]);
    EXPECT_EQ(texts[1], texts[3]);
    EXPECT_NE(texts[0], texts[1]);
    EXPECT_TRUE(texts[0].ends_with("502026"));
}

}  // namespace
}  // namespace mailroom::liquid
