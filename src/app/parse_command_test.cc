#include "app/command_line.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace mailroom::app {
namespace {

struct Ran {
    int exit_code;
    std::string out, err;
};

Ran run(const std::vector<std::string>& arguments, const std::string& standard_input = {}) {
    std::ostringstream out, err;
    std::istringstream in(standard_input);
    const Surroundings surroundings{{}, out, err, in};
    const int exit_code = run_command_line(arguments, surroundings);
    return {exit_code, out.str(), err.str()};
}

constexpr const char* mail =
    "From: Ann <ann@example.com>\n"
    "To: bob@example.org\n"
    "Subject: Re: AW: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n"
    "Message-ID: <1@example.com>\n"
    "\n"
    "Hello\n"
    "> old\n";

TEST(ParseCommand, PrintsWhatWasUnderstoodAsJson) {
    const auto ran = run({"parse", "-"}, mail);
    EXPECT_EQ(ran.exit_code, exit_ok) << ran.err;
    for (const auto* piece : {R"("address": "ann@example.com")", R"("subject": "Re: AW: Grüße")",
                              R"("clean_subject": "Grüße")", R"("new_content": "Hello")"}) {
        EXPECT_NE(ran.out.find(piece), std::string::npos) << piece << " in " << ran.out;
    }
    EXPECT_TRUE(ran.out.starts_with('{')) << ran.out;
}

TEST(ParseCommand, ReadsAFile) {
    const ScratchDirectory scratch;
    const auto path = (scratch / "mail.eml").string();
    std::ofstream(path, std::ios::binary) << mail;
    EXPECT_EQ(run({"parse", path}).out, run({"parse", "-"}, mail).out);
}

TEST(ParseCommand, ASignatureThatCannotBeReadIsReported) {
    const auto ran = run({"parse", "-"}, std::string("DKIM-Signature: v=1; nonsense\n") + mail);
    EXPECT_EQ(ran.exit_code, exit_ok) << ran.err;
    for (const auto* piece : {R"("result": "permerror")", R"("reason": ")", R"("domain": null)"}) {
        EXPECT_NE(ran.out.find(piece), std::string::npos) << piece << " in " << ran.out;
    }
    const auto without = run({"parse", "--no-dkim", "-"}, mail);
    EXPECT_NE(without.out.find(R"("dkim": null)"), std::string::npos) << without.out;
}

TEST(ParseCommand, WhatIsNoMailIsRefusedByName) {
    struct Case {
        std::string file, input, says;
    };
    const Case cases[] = {
        {"/nonexistent.eml", "", "cannot read /nonexistent.eml"},
        {"-", "", "is empty"},
        {"-", "no header at all\n", "is not a mail"},
        {"/", "", "is a directory"},
    };
    for (const auto& c : cases) {
        const auto ran = run({"parse", c.file}, c.input);
        EXPECT_EQ(ran.exit_code, exit_failure) << c.says;
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(c.says), std::string::npos) << ran.err;
    }
}

}  // namespace
}  // namespace mailroom::app
