#include "program/setting_forms.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mailroom::program {
namespace {

TEST(WholeNumber, IsDigitsWithinTheBounds) {
    EXPECT_EQ(parse_whole_number("8", 8, 10), 8u);
    EXPECT_EQ(parse_whole_number("10", 8, 10), 10u);
    for (const auto text : {"", "7", "11", "-8", "+8", "8.0", "8 ", " 8", "0x8", "99999999999"}) {
        EXPECT_EQ(parse_whole_number(text, 8, 10), std::nullopt) << text;
    }
}

TEST(TableName, FollowsDynamodbsRule) {
    EXPECT_TRUE(is_table_name("abc"));
    EXPECT_TRUE(is_table_name("A-b_c.9"));
    EXPECT_TRUE(is_table_name(std::string(255, 'a')));
    EXPECT_FALSE(is_table_name("ab"));
    EXPECT_FALSE(is_table_name(std::string(256, 'a')));
    EXPECT_FALSE(is_table_name("a b c"));
    EXPECT_FALSE(is_table_name("tabelle\xc3\xa4"));
}

TEST(SplitList, TakesBlanksOffAndKeepsEmptyParts) {
    using List = std::vector<std::string>;
    EXPECT_EQ(split_list(""), List());
    EXPECT_EQ(split_list("  "), List());
    EXPECT_EQ(split_list("a"), List{"a"});
    EXPECT_EQ(split_list(" a , b"), (List{"a", "b"}));
    EXPECT_EQ(split_list("a,"), (List{"a", ""}));
}

TEST(Settings, StandWithTheirSectionInTheOrderOfTheFirst) {
    std::string name = "a", other = "b";
    bool is_on = false;
    Settings list;
    list.section("pets");
    list.add("name", one_line("a name"), name, "Its name.", {.is_secret = true});
    list.section("food");
    list.add("meat", OnOff(), is_on, "Whether.", {.flag = "--meat"});
    list.section("pets");
    list.add("other_name", optional_line("a name, or nothing"), other, "Another.");
    std::string paths;
    for (const auto& setting : list.all()) paths += setting.path() + " ";
    EXPECT_EQ(paths, "pets.name pets.other_name food.meat ");
    EXPECT_EQ(list.all()[1].environment(), "MAILROOM_PETS_OTHER_NAME");
    EXPECT_TRUE(list.all()[0].is_secret);
    EXPECT_EQ(list.all()[2].flag, "--meat");
}

TEST(Settings, SetTheirValueOrLeaveItAlone) {
    int meals = 3;
    std::chrono::hours pause{72};
    bool is_on = false;
    std::string name = "Rex", table = "Pets";
    Settings list;
    list.section("pets");
    list.add("meals", Whole{1, 9}, meals, "");
    list.add("pause", Whole{0, 100, "; 0 is none"}, pause, "");
    list.add("on", OnOff(), is_on, "");
    list.add("name", one_line("a name"), name, "");
    list.add("table", table_name(), table, "");
    struct Case {
        std::size_t setting;
        std::string_view text;
        bool is_good;
        std::string_view shown;
    };
    const Case cases[] = {
        {0, "9", true, "9"},       {0, "10", false, "9"},   {0, "", false, "9"},
        {1, "0", true, "0"},       {1, "-1", false, "0"},   {2, "on", true, "on"},
        {2, "yes", false, "on"},   {3, "Ann", true, "Ann"}, {3, "", false, "Ann"},
        {3, "a\nb", false, "Ann"}, {4, "x", false, "Pets"}, {4, "Dogs", true, "Dogs"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(list.all()[c.setting].set(c.text), c.is_good) << c.text;
        EXPECT_EQ(list.all()[c.setting].show(), c.shown) << c.text;
    }
    EXPECT_EQ(meals, 9);
    EXPECT_EQ(pause, std::chrono::hours(0));
    EXPECT_TRUE(is_on);
    EXPECT_EQ(list.all()[0].accepts, "a whole number from 1 to 9");
    EXPECT_EQ(list.all()[1].accepts, "a whole number up to 100; 0 is none");
}

}  // namespace
}  // namespace mailroom::program
