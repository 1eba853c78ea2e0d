#include "liquid/rendering_for_tests.h"

#include <gtest/gtest.h>

#include <span>

namespace mailroom::liquid {
namespace {

OwnedValue product(int id, const char* title, double price, bool sold) {
    return OwnedValue::object({{"id", id}, {"title", title}, {"price", price}, {"sold", sold}});
}

OwnedValue sample_data() {
    return OwnedValue::object({
        {"list", OwnedValue::array({3, 1, 2, 1})},
        {"words", "The quick  brown fox"},
        {"items", OwnedValue::array({product(1, "Pen", 1.5, true), product(2, "ink", 12, false),
                                     product(3, "Pad", 7.25, true)})},
        {"object", OwnedValue::object({{"a", 1}, {"b", OwnedValue::array({"x", OwnedValue()})}})},
    });
}

struct Row {
    std::string_view expression, want;
};

void expect_rows(std::span<const Row> rows) {
    const auto data = sample_data();
    for (const auto& [expression, want] : rows) {
        const auto text = "{{ " + std::string(expression) + " }}";
        EXPECT_EQ(render_text(text, data), want) << text;
    }
}

TEST(Filters, MakeTextsOfTexts) {
    const Row rows[] = {
        {"'a' | append: 'b' | prepend: 'c'", "cab"},
        {"'ünï ß' | upcase", "ÜNÏ SS"},
        {"'ΟΔΟΣ' | downcase", "οδος"},
        {"'éCOLE' | capitalize", "École"},
        {"' a ' | strip | append: '|'", "a|"},
        {"'xxaxx' | lstrip: 'x'", "axx"},
        {"'aXbX' | replace: 'X', '-'", "a-b-"},
        {"'abc' | replace: '', '-'", "a-b-c"},
        {"'aXbX' | remove_last: 'X'", "aXb"},
        {"'a,b,,' | split: ',' | size", "2"},
        {"words | truncate: 9", "The qu..."},
        {"'a😀bc' | truncate: 3, ''", "a😀b"},
        {"words | truncatewords: 2", "The quick..."},
        {"words | number_of_words", "4"},
        {"words | squish", "The quick brown fox"},
        {"list | array_to_sentence_string", "3, 1, 2, and 1"},
        {"'a\\r\\nb' | newline_to_br", "a<br />\nb"},
        {"'<p>x</p><!-- y -->z' | strip_html", "xz"},
        {"'&lt; <' | escape_once", "&lt; &lt;"},
        {"'x' | append", "error: append needs one argument"},
    };
    expect_rows(rows);
}

TEST(Filters, CalculateAsJavaScriptDoes) {
    const Row rows[] = {
        {"0.1 | plus: 0.2", "0.30000000000000004"},
        {"7 | divided_by: 2", "3.5"},
        {"7 | divided_by: 2, true", "3"},
        {"1 | divided_by: 0", "Infinity"},
        {"-7 | modulo: 3", "2"},
        {"1.005 | round: 2", "1.01"},
        {"-2.5 | round", "-3"},
        {"25 | round: -1", "30"},
        {"'12.5' | times: 2", "25"},
        {"'x' | plus: 1", "1"},
        {"4 | at_least: 5 | at_most: 4.5", "4.5"},
        {"-1.5 | abs | ceil", "2"},
        {"99999999999999 | times: 99999999999999", "9.9999999999998e+27"},
    };
    expect_rows(rows);
}

TEST(Filters, WorkOnArrays) {
    const Row rows[] = {
        {"list | sort | join: ','", "1,1,2,3"},
        {"list | uniq | reverse | join", "2 1 3"},
        {"list | first", "3"},
        {"list | slice: 1, 2 | json", "[1,2]"},
        {"list | push: 9 | unshift: 0 | pop | shift | json", "[3,1,2,1]"},
        {"list | sum", "7"},
        {"items | map: 'title' | sort | join", "Pad Pen ink"},
        {"items | sort_natural: 'title' | map: 'id' | json", "[2,3,1]"},
        {"items | where: 'sold' | map: 'id' | json", "[1,3]"},
        {"items | reject: 'id', 2 | size", "2"},
        {"items | where_exp: 'i', 'i.price > 5' | map: 'id' | json", "[2,3]"},
        {"items | find: 'id', 2 | json", R"({"id":2,"title":"ink","price":12,"sold":false})"},
        {"items | find_index_exp: 'i', 'i.id == 3'", "2"},
        {"items | has: 'title', 'Pen'", "true"},
        {"items | group_by: 'sold' | map: 'name' | json", "[true,false]"},
        {"object | json", R"({"a":1,"b":["x",null]})"},
        {"object | json: 1", "{\n \"a\": 1,\n \"b\": [\n  \"x\",\n  null\n ]\n}"},
        {"items | where_exp: 'i', 'i |'", ""},
        {"list | where_exp: 'i', 'i ++'", "error: expected | before a filter in \"++\""},
    };
    expect_rows(rows);
}

TEST(Filters, EncodeForLinks) {
    const Row rows[] = {
        {"'a b&é' | url_encode", "a+b%26%C3%A9"},
        {"'a+b%26' | url_decode", "a b&"},
        {"'a b[1]' | uri_escape", "a%20b[1]"},
        {"\"it's\" | cgi_escape", "it%27s"},
        {"'Straße 1, Köln' | slugify", "straße-1-köln"},
        {"'Straße 1, Köln' | slugify: 'latin'", "strasse-1-koln"},
        {"'hi' | base64_encode", "aGk="},
        {"'aGk=' | base64_decode", "hi"},
        {"'%' | url_decode", "error: url_decode: malformed % sequence"},
        {"'%ff' | url_decode", "error: url_decode: not UTF-8"},
        {"'a' | base64_decode", "error: base64_decode: the input is not base64"},
    };
    expect_rows(rows);
}

TEST(Filters, SampleFollowsTheSeed) {
    const auto data = sample_data();
    const auto with_seed = [&](std::uint64_t seed) {
        return render_text("{{ (1..50) | sample: 50 | join }}", data,
                           {.clock = test_clock(), .random_seed = seed});
    };
    EXPECT_EQ(with_seed(1), with_seed(1));
    EXPECT_NE(with_seed(1), with_seed(2));
    EXPECT_EQ(render_text("{{ (1..50) | sample: 50 | sum }}", data), "1275");
}

}  // namespace
}  // namespace mailroom::liquid
