#include "app/command_line.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace mailroom::app {
namespace {

class RenderCommandTest : public testing::Test {
protected:
    std::string file(const std::string& name, std::string_view text) {
        const auto path = (scratch_.path() / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    struct Ran {
        int exit_code;
        std::string out, err;
    };
    Ran run(std::vector<std::string> arguments, const std::string& standard_input = {}) {
        arguments.insert(arguments.begin(), "render");
        std::ostringstream out, err;
        std::istringstream in(standard_input);
        const Surroundings surroundings{{}, out, err, in};
        const int exit_code = run_command_line(arguments, surroundings);
        return {exit_code, out.str(), err.str()};
    }

    ScratchDirectory scratch_;
};

TEST_F(RenderCommandTest, PrintsExactlyTheRenderedText) {
    const auto letter = file("letter.liquid", "Dear {{ name | capitalize }},\n{{ note }}");
    const auto data = file("data.json", R"({"name": "ann", "note": "a < b"})");
    const auto plain = run({letter, data});
    EXPECT_EQ(plain.exit_code, exit_ok) << plain.err;
    EXPECT_EQ(plain.out, "Dear Ann,\na < b");
    EXPECT_EQ(run({letter, data, "--escape", "html"}).out, "Dear Ann,\na &lt; b");
    EXPECT_EQ(run({letter}).out, "Dear ,\n");
}

TEST_F(RenderCommandTest, ReadsEitherFileFromStandardInput) {
    const auto letter = file("letter.liquid", "{{ a }}");
    const auto data = file("data.json", R"({"a": 1})");
    EXPECT_EQ(run({"-", data}, "<{{ a }}>").out, "<1>");
    EXPECT_EQ(run({letter, "-"}, R"({"a": 2})").out, "2");
    const auto both = run({"-", "-"}, "{{ a }}");
    EXPECT_EQ(both.exit_code, exit_usage);
    EXPECT_NE(both.err.find("standard input"), std::string::npos) << both.err;
}

TEST_F(RenderCommandTest, PartialsComeFromADirectory) {
    const auto letter = file("letter.liquid", "{% render 'footer', year: 2026 %}");
    file("footer.liquid", "(c) {{ year }}");
    EXPECT_EQ(run({letter, "--partials", scratch_.path().string()}).out, "(c) 2026");
    EXPECT_EQ(run({letter}).exit_code, exit_failure);
    file("broken.liquid", "{% if %}");
    const auto broken = run({letter, "--partials", scratch_.path().string()});
    EXPECT_EQ(broken.exit_code, exit_failure);
    EXPECT_NE(broken.err.find("broken.liquid"), std::string::npos) << broken.err;
}

TEST_F(RenderCommandTest, DatesAreWrittenInTheGivenTimeZone) {
    const auto letter = file("letter.liquid", "{{ 0 | date: '%H:%M' }}");
    EXPECT_EQ(run({letter}).out, "00:00");
    EXPECT_EQ(run({letter, "--time-zone", "Europe/Berlin"}).out, "01:00");
}

TEST_F(RenderCommandTest, StrictNamesEveryVariableWithoutValue) {
    const auto letter = file("letter.liquid", "{{ first }} {{ last }} {{ known }}");
    const auto data = file("data.json", R"({"known": 1, "last": null})");
    const auto ran = run({letter, data, "--strict"});
    EXPECT_EQ(ran.exit_code, exit_failure);
    EXPECT_EQ(ran.out, "");
    for (const auto* name : {"first", "last"}) {
        EXPECT_NE(ran.err.find(name), std::string::npos) << ran.err;
    }
}

TEST_F(RenderCommandTest, BadInputIsNamedAndExitsOne) {
    const auto letter = file("letter.liquid", "{{ a }}");
    struct Case {
        std::vector<std::string> arguments;
        std::string says;
    };
    const Case cases[] = {
        {{scratch_.path().string() + "/none.liquid"}, "none.liquid"},
        {{scratch_.path().string()}, "is a directory"},
        {{file("open.liquid", "line\n{% if a %}")}, "line 2"},
        {{letter, file("no.json", "{")}, "no.json is not JSON"},
        {{letter, file("list.json", "[1]")}, "list.json must be a JSON object"},
        {{letter, "--partials", "/nonexistent"}, "/nonexistent"},
        {{file("zone.liquid", "{{ 0 | date: '%H' }}"), "--time-zone", "Mars/Crater"}, "Mars"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.says);
        const auto ran = run(c.arguments);
        EXPECT_EQ(ran.exit_code, exit_failure);
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(c.says), std::string::npos) << ran.err;
    }
}

}  // namespace
}  // namespace mailroom::app
