#include "base/csv.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

// Rows and fields, joined: "a|b;c|d".
std::string shown(std::string_view text) {
    const auto csv = Csv::parse(text);
    if (!csv) return "refused: " + csv.error().message;
    std::string all;
    for (std::size_t row = 0; row < csv->rows(); ++row) {
        if (row > 0) all += ';';
        for (const auto& column : csv->columns()) {
            all += std::string(*csv->find(row, column)) + "|";
        }
        all.pop_back();
    }
    for (const auto& fault : csv->faults()) {
        all += " (line " + std::to_string(fault.line) + " " + fault.message + ")";
    }
    return all;
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
    struct Case {
        std::string_view name, text, want;
    };
    const Case cases[] = {
        {"plain", "a,b\n1,2\n3,4\n", "1|2;3|4"},
        {"CRLF, and no end", "a,b\r\n1,2\r\n3,4", "1|2;3|4"},
        {"quotes", "a,b\n\"1,\"\"x\"\"\",\"2\n3\"\n", "1,\"x\"|2\n3"},
        {"blanks and an empty field", "a, b\n 1 ,\n", "1|"},
        {"a byte order mark, empty lines",
         "\xEF\xBB\xBF"
         "a,b\n\n1,2\n\n",
         "1|2"},
        {"names in capitals", "A,B\n1,2\n", "1|2"},
        {"only names", "a,b\n", ""},
        {"nothing", "", "refused: has no line of column names"},
        {"too few", "a,b\n1\n2,3\n", "2|3 (line 2 has 1 fields where the first has 2)"},
        {"too many, after a line end in quotes", "a,b\n\"1\n\",2\n1,2,3\n",
         "1|2 (line 4 has 3 fields where the first has 2)"},
        {"semicolons", "a;b\r\n1,5;\"2;3\"\r\n", "1,5|2;3"},
        {"tabs", "a\tb\n1;2\t3,4\n", "1;2|3,4"},
        {"a name with a comma in quotes", "\"a,x\";b\n1;2\n", "1|2"},
        {"a line that names the separator", "sep=;\na;b\n1;2\n3\n",
         "1|2 (line 4 has 1 fields where the first has 2)"},
        {"empty fields at the end, and lines of them", "a;b;;\n1;2;;\n;;;\n3;4\n", "1|2;3|4"},
        {"a quote that does not end", "a\n\"1\n", "refused: line 2 has a quote that does not end"},
        {"a quote inside", "a\n1\"2\n", "refused: line 2 has a quote inside a field"},
        {"text after a quote", "a\n\"1\"2\n", "refused: line 2 has text after a closing quote"},
        {"no UTF-8", "a\n\xff\n", "refused: is not UTF-8"},
    };
    for (const auto& c : cases) EXPECT_EQ(shown(c.text), c.want) << c.name;
}

TEST(CsvReader, ReadsRowAfterRowAndKeepsNamesAsTheyAreWritten) {
    const std::string_view text =
        "\xEF\xBB\xBF"
        "sep=;\nEmail;firstName;\n\na;\"x\ny\"\nb\n";
    auto reader = CsvReader::open(text);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->columns(), (std::vector<std::string>{"Email", "firstName"}));
    EXPECT_EQ(reader->separator(), ';');
    CsvReader::Row row;
    ASSERT_TRUE(*reader->next(row));
    EXPECT_TRUE(row.is_good(*reader));
    EXPECT_EQ(row.line, 4u);
    EXPECT_EQ(text.substr(row.offset, 1), "a");
    EXPECT_EQ(row.fields, (std::vector<std::string>{"a", "x\ny"}));
    ASSERT_TRUE(*reader->next(row));
    EXPECT_FALSE(row.is_good(*reader));
    EXPECT_EQ(row.line, 6u);
    EXPECT_EQ(text.substr(row.offset), "b\n");
    EXPECT_FALSE(*reader->next(row));

    auto part = CsvReader::of_rows("c;d\n", ';', reader->columns(), 7);
    ASSERT_TRUE(*part.next(row));
    EXPECT_EQ(row.line, 7u);
    EXPECT_EQ(row.fields, (std::vector<std::string>{"c", "d"}));
}

TEST(Csv, AskingForAnotherColumnFindsNothing) {
    const auto csv = Csv::parse("a\n1\n");
    ASSERT_TRUE(csv);
    EXPECT_FALSE(csv->find(0, "b"));
    EXPECT_EQ(csv->line(0), 2u);
}

}  // namespace
}  // namespace mailroom
