#include "liquid/rendering_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::liquid {
namespace {

std::string repeated(std::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(Limits, StopEveryKindOfRunawayTemplate) {
    struct Case {
        std::string_view name, text, want;
    };
    const Case cases[] = {
        {"endless range", "{% for i in (1..999999999999) %}x{% endfor %}",
         "the template takes too many steps"},
        {"nested loops",
         "{% for a in (1..999) %}{% for b in (1..999) %}{% for c in (1..999) %}{% endfor %}"
         "{% endfor %}{% endfor %}",
         "the template takes too many steps"},
        {"filter on a range", "{{ (1..99999999) | join: 'x' }}",
         "the template takes too many steps"},
        {"output of a range", "{{ (1..99999999) }}", "the template takes too many steps"},
        {"doubling text",
         "{% assign a = 'xxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor "
         "%}",
         "the template uses too much memory"},
        {"doubling capture",
         "{% capture a %}xxxxxxxx{% endcapture %}{% for i in (1..60) %}{% capture a %}{{ a }}{{ a "
         "}}"
         "{% endcapture %}{% endfor %}",
         "the template uses too much memory"},
        {"replacement", "{% assign a = (1..9999) | join %}{{ a | replace: '', a }}",
         "the template uses too much memory"},
        {"arrays in arrays",
         "{% assign a = 'x' | split: '' %}{% for i in (1..60) %}{% assign a = a | push: a %}"
         "{% endfor %}{{ a }}",
         "the template takes too many steps"},
        {"json of arrays in arrays",
         "{% assign a = 'x' | split: '' %}{% for i in (1..60) %}{% assign a = a | push: a %}"
         "{% endfor %}{{ a | json | size }}",
         "the template takes too many steps"},
        {"comparing arrays in arrays",
         "{% assign a = 'x' | split: '' %}{% for i in (1..40) %}{% assign a = a | push: a %}"
         "{% endfor %}{% assign b = 'x' | split: '' %}{% for i in (1..40) %}"
         "{% assign b = b | push: b %}{% endfor %}{% if a == b %}{% endif %}",
         "the template takes too many steps"},
        {"wide date", "{% for i in (1..30000) %}{{ 0 | date: '%999999Y' }}{% endfor %}",
         "the output is too long"},
        {"an expression that names itself",
         "{% assign e = \"l | where_exp: 'x', e\" %}{% assign l = '1,2' | split: ',' %}"
         "{{ l | where_exp: 'x', e }}",
         "expressions are nested too deeply"},
    };
    const auto data = OwnedValue::object();
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto rendered = try_render(c.text, data, {.clock = test_clock()});
        ASSERT_FALSE(rendered);
        EXPECT_EQ(rendered.error().message, c.want);
        EXPECT_EQ(rendered.error().code, Errc::throttled);
        EXPECT_EQ(rendered.error().line, 1U);
    }
}

TEST(Limits, AreThoseOfTheOptions) {
    const std::string_view text = "{% for i in (1..10) %}{{ i }},{% endfor %}";
    const auto with = [&](Limits limits) {
        return render_text(text, OwnedValue::object(), {.clock = test_clock(), .limits = limits});
    };
    EXPECT_EQ(with({.steps_max = 10}), "1,2,3,4,5,6,7,8,9,10,");
    EXPECT_EQ(with({.steps_max = 9}), "error: the template takes too many steps");
    EXPECT_EQ(with({.output_bytes_max = 21}), "1,2,3,4,5,6,7,8,9,10,");
    EXPECT_EQ(with({.output_bytes_max = 20}), "error: the output is too long");
}

// Each look at it takes ten milliseconds.
class SlowClock final : public Clock {
public:
    Time now() const override { return from_unix_ms(now_ms_ += 10); }

private:
    mutable std::int64_t now_ms_ = 0;
};

Limits within(std::int64_t milliseconds) {
    Limits limits;
    limits.time_max = std::chrono::milliseconds(milliseconds);
    return limits;
}

TEST(Limits, TimeEndsALongRender) {
    const SlowClock clock;
    const std::string_view text = "{% for i in (1..100000) %}{{ i }}{% endfor %}";
    const auto data = OwnedValue::object();
    EXPECT_EQ(render_text(text, data, {.clock = clock, .limits = within(200)}),
              "error: the template takes too long");
    const auto enough = render_text(text, data, {.clock = clock, .limits = within(100'000)});
    EXPECT_TRUE(enough.ends_with("99999100000"));
    const auto flat = repeated("{{ 1 }}", 20'000);
    EXPECT_EQ(render_text(flat, data, {.clock = clock, .limits = within(100)}),
              "error: the template takes too long");
}

// A long text is read by each of these, so each turn must look at the clock.
TEST(Limits, TimeEndsALoopOfFiltersAndComparisonsOnLongTexts) {
    const SlowClock clock;
    const auto data =
        OwnedValue::object({{"t", std::string(1'000'000, 'a')},
                            {"u", std::string(1'000'000, 'a')},
                            {"p", std::string(500'000, 'a') + "b"},
                            {"n", std::string(1'000'000, '9')},
                            {"blanks", std::string(1'000'000, ' ')},
                            {"o", OwnedValue::object({{"a", "b"}})},
                            {"numbers", OwnedValue::array({std::string(1'000'000, '9'), 5})},
                            {"l", OwnedValue::array({"a", "b"})}});
    for (const std::string_view turn : {"{% if t contains p %}{% endif %}",
                                        "{% if t == u %}{% endif %}",
                                        "{% if t < u %}{% endif %}",
                                        "{{ t | size }}",
                                        "{{ t.size }}",
                                        "{{ t[999999] }}",
                                        "{{ t | last }}",
                                        "{{ l | where: t | size }}",
                                        "{{ l | join: t | size }}",
                                        "{{ t | split: p | size }}",
                                        "{{ t | truncate: 3 }}",
                                        "{{ t | sha256 }}",
                                        "{{ t | strip: p }}",
                                        "{{ t | number_of_words }}",
                                        "{% if n > 5 %}{% endif %}",
                                        "{% if numbers < 5 %}{% endif %}",
                                        "{% if blanks == blank %}{% endif %}",
                                        "{% case blanks %}{% when blank %}{% endcase %}",
                                        "{{ numbers | sort | size }}",
                                        "{{ numbers | sum }}",
                                        "{{ numbers | json | size }}",
                                        "{{ l[n] }}",
                                        "{{ o[t] }}",
                                        "{{ l[numbers] }}",
                                        "{{ o[numbers] }}",
                                        "{{ [t] }}",
                                        "{% for i in (n..1) %}{% endfor %}",
                                        "{% for i in l limit: n %}{% endfor %}",
                                        "{% for i in l offset: n %}{% endfor %}",
                                        "{% tablerow i in l cols: n %}{% endtablerow %}",
                                        "{% cycle t: 1, 2 %}"}) {
        SCOPED_TRACE(turn);
        const auto text = "{% for i in (1..50) %}" + std::string(turn) + "{% endfor %}";
        Limits limits = within(50);
        limits.scratch_bytes_max = std::size_t{1} << 40;
        EXPECT_EQ(render_text(text, data, {.clock = clock, .limits = limits}),
                  "error: the template takes too long");
    }
}

// With a search that begins anew at each place these would take minutes.
TEST(Limits, SearchingIsLinearInTextAndPattern) {
    const auto half = std::string(1'000'000, 'a');
    const auto data =
        OwnedValue::object({{"t", half + half}, {"p", half + "b"}, {"q", "b" + half}});
    for (const std::string_view pattern : {"p", "q"}) {
        const std::string p(pattern);
        const std::string text =
            "{{ t | remove: " + p + " | size }} {{ t | replace: " + p +
            ", 'x' | size }} {{ t | split: " + p + " | size }} " + "{{ t | remove_first: " + p +
            " | size }} {{ t | remove_last: " + p + " | size }} {% if t contains " + p +
            " %}y{% endif %}" + "{{ t | lstrip: " + p + " | size }}";
        EXPECT_EQ(render_text(text, data), "2000000 2000000 1 2000000 2000000 0");
    }
}

TEST(Limits, NestingAndLengthAreCheckedWhenCompiling) {
    const auto nested = repeated("{% if a %}", 100) + repeated("{% endif %}", 100);
    const auto brackets = "{{ a" + repeated("[a", 100) + repeated("]", 100) + " }}";
    const auto parentheses = "{{ " + repeated("(", 10'000) + "1 }}";
    const std::string liquid = "{% liquid\n" + repeated("if a\n", 100) + " %}";
    const auto arguments = "{{ a | replace: 1" + repeated(", 1", 100) + " }}";
    for (const auto& text : {nested, brackets, parentheses, liquid, arguments}) {
        const auto compiled = Template::compile(text);
        ASSERT_FALSE(compiled) << text.substr(0, 40);
        EXPECT_GT(compiled.error().line, 0U);
    }
    const auto ok = repeated("{% if 1 %}", 60) + "x" + repeated("{% endif %}", 60);
    EXPECT_EQ(render_text(ok, OwnedValue::object()), "x");
    EXPECT_FALSE(Template::compile("12345", {.text_bytes_max = 4}));
    EXPECT_TRUE(Template::compile("1234", {.text_bytes_max = 4}));
}

}  // namespace
}  // namespace mailroom::liquid
