#include "json/writer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::json {
namespace {

TEST(JsonWriter, EscapesWhatJsonMustAndNothingElse) {
    struct Row {
        std::string_view text, want;
    };
    const Row rows[] = {
        {"", R"("")"},
        {"plain text of more than eight bytes", R"("plain text of more than eight bytes")"},
        {"\"", R"("\"")"},
        {"12345678\"", R"("12345678\"")"},
        {"1234567\\8", R"("1234567\\8")"},
        {std::string_view("a\0b", 3), R"("a\u0000b")"},
        {"\x1f\n\r\t\b", R"("\u001f\n\r\t\u0008")"},
        {"aé😀\x7f", "\"aé😀\x7f\""},
        {"</script>", R"("</script>")"},
    };
    for (const auto& row : rows) {
        std::string out;
        append_text(out, row.text);
        EXPECT_EQ(out, row.want);
    }
}

TEST(JsonWriter, FindsEverySpecialByteAtEveryPosition) {
    for (int byte = 0; byte < 128; ++byte) {
        const bool special = byte < 0x20 || byte == '"' || byte == '\\';
        for (std::size_t position = 0; position < 20; ++position) {
            std::string text(20, 'x');
            text[position] = static_cast<char>(byte);
            std::string out;
            append_text(out, text);
            EXPECT_EQ(out.size() > text.size() + 2, special) << byte << " at " << position;
        }
    }
}

TEST(JsonWriter, WritesNumbersInPlainNotation) {
    std::string out;
    Writer json(out);
    json.open_list().decimal(0.5).decimal(1).decimal(1e21).decimal(1763186844.123);
    json.integer(-7).boolean(true).close_list();
    EXPECT_EQ(out, "[0.5,1.0,1000000000000000000000.0,1763186844.123,-7,true]");
}

TEST(JsonWriter, PutsNoCommaAfterWhatWasThereBefore) {
    std::string out = "}";
    Writer(out).open_object().close_object();
    EXPECT_EQ(out, "}{}");
}

TEST(JsonWriter, CommasComeByThemselvesAndTextsAreEscaped) {
    std::string out;
    Writer writer(out);
    writer.open_object().key("a").open_list().integer(1).decimal(2).null().close_list();
    writer.name("b\"").text("line\n\x01\\").key("c").boolean(false).close_object();
    EXPECT_EQ(out, R"({"a":[1,2.0,null],"b\"":"line\n\u0001\\","c":false})");
}

}  // namespace
}  // namespace mailroom::json
