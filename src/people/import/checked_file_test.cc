#include "people/import/checked_file.h"

#include "people/import/rows.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

std::string addresses_in(const CheckedFile& checked, std::string_view file) {
    std::string all;
    for (const auto& part : checked.parts) {
        const auto text = part.text(file);
        const auto rows = rows_of(checked.layout, text, 1);
        ImportRow row;
        while (*rows->next(row)) all += row.wrong.empty() ? row.person.canonical + " " : "WRONG ";
        all += "| ";
    }
    return all;
}

std::string mistakes_in(const CheckedFile& checked) {
    std::string all;
    for (const auto& [line, field, message] : checked.mistakes) {
        all += std::to_string(line) + " " + field + " " + message + ";";
    }
    return all;
}

TEST(CheckedFile, GoodRowsAreKeptAndTheOthersNamed) {
    const std::string_view file =
        "email;plan\nann@x.com;a\nnobody;b\n\nANN@x.com;c\nbob@x.com\ncarl@x.com;\"d\n\"";
    const auto checked = check_file(file, {});
    ASSERT_TRUE(checked) << checked.error().text();
    EXPECT_EQ(checked->rows, 5);
    EXPECT_EQ(checked->good, 2);
    EXPECT_EQ(checked->mistakes_total, 3);
    EXPECT_EQ(mistakes_in(*checked),
              "3 email is no e-mail address: address \"nobody\": \"nobody\" has no @;5 email is in "
              "line 2;6 line has 1 fields where the first has 2;");
    EXPECT_EQ(addresses_in(*checked, file), "ann@x.com carl@x.com | ");
}

TEST(CheckedFile, LinesOfJsonAreCheckedAlike) {
    const std::string_view file =
        "{\"email\":\"a@x.com\"}\n{\"email\":\"A@X.com\"}\n{\"email\":\"b@x.com\"}";
    const auto checked = check_file(file, {});
    ASSERT_TRUE(checked);
    EXPECT_EQ(mistakes_in(*checked), "2 email is in line 1;");
    EXPECT_EQ(addresses_in(*checked, file), "a@x.com b@x.com | ");
}

TEST(CheckedFile, PartsFitIntoRowsAndLoseNothing) {
    std::string file = "email,note\n", want;
    const std::string note(30'000, 'x');
    for (int i = 0; i < 30; ++i) {
        const auto address = "p" + std::to_string(i) + "@x.com";
        file += address + "," + note + "\n";
        if (i == 13) file += "wrong," + std::string(2 * import_part_bytes_max, 'x') + "\n";
        want += address + " ";
    }
    const auto checked = check_file(file, {});
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->good, 30);
    EXPECT_GT(checked->parts.size(), 3u);
    for (const auto& part : checked->parts) {
        EXPECT_LE(part.text(file).size(), import_part_bytes_max);
    }
    auto found = addresses_in(*checked, file);
    for (auto at = found.find("| "); at != found.npos; at = found.find("| ")) found.erase(at, 2);
    EXPECT_EQ(found, want);
}

TEST(CheckedFile, AThousandMistakesAreToldAndAllAreCounted) {
    std::string file = "email\n";
    for (int i = 0; i < 1500; ++i) file += std::string(500, 'x') + "\n";
    const auto checked = check_file(file, {});
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->mistakes_total, 1500);
    EXPECT_EQ(checked->mistakes.size(), mistakes_told_max);
    for (const auto& mistake : checked->mistakes) EXPECT_LE(mistake.message.size(), 200u);
}

}  // namespace
}  // namespace mailroom::people
