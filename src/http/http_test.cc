#include "http/http.h"

#include "http/response_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::http {
namespace {

TEST(Request, FindsTheFirstHeaderInAnyCase) {
    Request request;
    request.headers = {{"X-One", "1"}, {"Host", "a"}, {"host", "b"}, {"Empty", ""}};
    ASSERT_NE(request.header("HOST"), nullptr);
    EXPECT_EQ(*request.header("HOST"), "a");
    ASSERT_NE(request.header("empty"), nullptr);
    EXPECT_EQ(*request.header("empty"), "");
    EXPECT_EQ(request.header("Hos"), nullptr);
    EXPECT_EQ(request.header("X-One "), nullptr);
}

TEST(ErrorResponse, IsTheApisFormWhateverTheMessageHolds) {
    const auto response = error_response(409, "conflict", "say \"no\"\\\n\x01", R"({"version":3})");
    EXPECT_EQ(response.status, 409);
    EXPECT_EQ(response.content_type, "application/json");
    EXPECT_EQ(response.body, R"({"error":{"code":"conflict","message":"say \"no\"\\\n\u0001",)"
                             R"("details":{"version":3}}})");
}

TEST(JsonString, IsValidForAnyBytes) {
    struct Case {
        std::string_view name, input, want;
    };
    const Case cases[] = {
        {"plain", "abc", R"("abc")"},
        {"empty", "", R"("")"},
        {"UTF-8", "Zürich €", R"("Zürich €")"},
        {"not UTF-8", "a\xff\xc3", R"("a\ufffd\ufffd")"},
        {"tab and delete", "\t\x7f", R"("\u0009\u007f")"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        std::string json;
        append_json_string(json, c.input);
        EXPECT_EQ(json, c.want);
    }
}

TEST(Status, HasAPhraseAndACode) {
    EXPECT_EQ(reason_phrase(404), "Not Found");
    EXPECT_EQ(reason_phrase(299), "Unknown");
    EXPECT_EQ(error_code_for(413), "too_large");
    EXPECT_EQ(error_code_for(599), "internal");
    EXPECT_EQ(error_code_for(499), "invalid");
}

TEST(ResponseText, RefusesFieldsThatWouldChangeTheShapeOfTheAnswer) {
    struct Case {
        std::string_view name;
        std::string field, value;
        bool safe;
    };
    const Case cases[] = {
        {"plain", "X-A", "b c\td", true},
        {"UTF-8", "X-A", "é", true},
        {"empty value", "X-A", "", true},
        {"line end in a value", "X-A", "b\r\nX-B: c", false},
        {"bare LF in a value", "X-A", "b\nc", false},
        {"NUL", "X-A", std::string("\0", 1), false},
        {"line end in a name", "X\r\n", "b", false},
        {"no name", "", "b", false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Response response;
        response.headers = {{c.field, c.value}};
        EXPECT_EQ(has_only_safe_headers(response), c.safe);
    }
    Response response;
    response.content_type = "text/plain\r\nX: y";
    EXPECT_FALSE(has_only_safe_headers(response));
}

}  // namespace
}  // namespace mailroom::http
