#include "program/import.h"

#include <gtest/gtest.h>

namespace mailroom::program {
namespace {

enum class Size { small, large };
constexpr auto names_of(Size) {
    return std::array{Name{Size::small, "small"}, Name{Size::large, "large"}};
}

// What each row comes to, and every mistake with its line: "ann small yes;".
std::string imported(std::string_view text, ImportResult& result) {
    const auto csv = read_import(text, {"id"}, {"size", "wants", "until"}, result);
    if (!csv) return "refused: " + csv.error().text();
    std::string all;
    for (std::size_t i = 0; i < csv->rows(); ++i) {
        ImportRow row(*csv, i);
        const auto id = row.text("id");
        const auto size = row.one_of<Size>("size");
        const auto wants = row.flag("wants");
        const auto until = row.time("until");
        if (id.empty()) row.wrong("id", "is empty");
        if (!row.end(result)) continue;
        all += id + (size ? " " + std::string(name_of(*size)) : "") + (until ? " until" : "") +
               (wants ? *wants ? " yes" : " no" : "") + ";";
    }
    result.order_errors();
    for (const auto& error : result.errors) {
        all += std::to_string(error.line) + " " + error.field + " " + error.message + ";";
    }
    return all;
}

TEST(Import, EachRowIsReadOrSaysAllThatIsWrongWithIt) {
    struct Case {
        std::string_view name, file, want;
    };
    const Case cases[] = {
        {"all columns", "id,size,wants,until\na,small,yes,2025-01-31\nb,large,0,\n",
         "a small until yes;b large no;"},
        {"those it must have", "id\na\n", "a;"},
        {"everything wrong", "id,size,wants,until\n,big,perhaps,soon\n",
         "2 size must be small or large;2 wants must be true or false;"
         "2 until must be a date such as 2025-09-01, or a time of RFC 3339;2 id is empty;"},
        {"a line that is no row", "id,size\na,small\nb\n,large\n",
         "a small;3 line has 1 fields where the first has 2;4 id is empty;"},
        {"a column is missing", "name\nx\n", "refused: id is no column of the file"},
        {"a column twice", "id,id\nx,y\n", "refused: id is a column twice"},
        {"no file", "", "refused: body has no line of column names"},
    };
    for (const auto& c : cases) {
        ImportResult result;
        EXPECT_EQ(imported(c.file, result), c.want) << c.name;
    }
}

TEST(Import, ColumnsThatAreNotKnownAreLeftOutAndNamed) {
    ImportResult result;
    EXPECT_EQ(imported("id;colour;\na;red;\n", result), "a;");
    EXPECT_EQ(result.ignored_columns, (std::vector<std::string>{"colour"}));
    EXPECT_EQ(result.rows, 1);
}

TEST(Import, MistakesRefuseTheRequestUnlessItWasADryRun) {
    ImportResult result;
    imported("id,size\n,small\na,big\n", result);
    const auto dry = import_answer(result, ImportMode::dry);
    ASSERT_TRUE(dry);
    EXPECT_EQ(dry->errors_total, 2);
    const auto refused = import_answer(result, ImportMode::for_real);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::invalid);
    EXPECT_EQ(refused.error().message,
              "line 2: id is empty and one more mistake; nothing was imported");
    EXPECT_NE(refused.error().details.find(R"("errors_total":2)"), std::string::npos);
    EXPECT_TRUE(import_answer(ImportResult{}, ImportMode::for_real));
}

TEST(Import, AHundredMistakesAreToldAndAllAreCounted) {
    std::string file = "id\n";
    for (int i = 0; i < 150; ++i) file += "\"\",x\n";
    ImportResult result;
    imported(file, result);
    EXPECT_EQ(result.errors.size(), 100u);
    EXPECT_EQ(result.errors_total, 150);
}

}  // namespace
}  // namespace mailroom::program
