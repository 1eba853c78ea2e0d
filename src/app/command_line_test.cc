#include "app/command_line.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace mailroom::app {
namespace {

struct Ran {
    int exit_code;
    std::string out, err;
};

Ran run(const std::vector<std::string>& arguments, const Environment& environment = {}) {
    std::ostringstream out, err;
    std::istringstream in;
    const Surroundings surroundings{environment, out, err, in};
    const int exit_code = run_command_line(arguments, surroundings);
    return {exit_code, out.str(), err.str()};
}

TEST(CommandLine, WrongUseIsOneSentenceAndExitCodeTwo) {
    struct Case {
        std::vector<std::string> arguments;
        Environment environment;
        std::string_view says;
    };
    const Case cases[] = {
        {{}, {}, "subcommand"},
        {{"sevre"}, {}, "unknown command sevre; did you mean serve?"},
        {{"doctor"}, {}, "unknown command doctor"},
        {{"backup"}, {}, "target"},
        {{"restore"}, {}, "backup"},
        {{"--verbose"}, {}, "subcommand"},
        {{"serve", "--htpp", "127.0.0.1:0"}, {}, "--htpp"},
        {{"serve", "extra"}, {}, "extra"},
        {{"serve", "--http"}, {}, "--http"},
        {{"serve", "--http", "8025"}, {}, "--http is \"8025\"; expected HOST:PORT"},
        {{"serve", "--config", "/nonexistent.toml"}, {}, "cannot read /nonexistent.toml"},
        {{"serve"}, {{"MAILROOM_SERVER_HTPP", "x"}}, "did you mean MAILROOM_SERVER_HTTP?"},
        {{"serve"}, {{"MAILROOM_ADMIN_KEY", "short"}}, "MAILROOM_ADMIN_KEY: a key must be"},
        {{"key"}, {}, "subcommand"},
        {{"key", "create", "billing"}, {}, "--scope"},
        {{"key", "create", "--scope", "admin"}, {}, "name"},
        {{"key", "revoke"}, {}, "id"},
        {{"key", "list"}, {{"MAILROOM_LOG_LEVEL", "loud"}}, "MAILROOM_LOG_LEVEL is \"loud\""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.says);
        const auto ran = run(c.arguments, c.environment);
        EXPECT_EQ(ran.exit_code, exit_usage);
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(ran.err.starts_with("mailroom: ")) << ran.err;
        EXPECT_NE(ran.err.find(c.says), std::string::npos) << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    }
}

TEST(CommandLine, AKeyWithoutScopesIsRefusedBeforeADirectoryIsMade) {
    const ScratchDirectory scratch;
    const auto data = scratch / "data";
    EXPECT_EQ(run({"key", "create", "billing", "--data", data.string()}).exit_code, exit_usage);
    EXPECT_FALSE(std::filesystem::exists(data));
}

TEST(CommandLine, HelpListsCommandsAndEverySetting) {
    const auto top = run({"--help"});
    EXPECT_EQ(top.exit_code, exit_ok);
    for (const auto* command : {"serve", "key", "version"}) {
        EXPECT_NE(top.out.find(command), std::string::npos) << command;
    }
    const auto serve = run({"serve", "--help"});
    EXPECT_EQ(serve.exit_code, exit_ok);
    EXPECT_EQ(serve.err, "");
    for (const auto* word : {"--config", "--data", "--http", "--dynamodb", "--smtp", "--store",
                             "--durability", "--transport", "store.cache_mb",
                             "MAILROOM_TABLES_OUTBOX", "127.0.0.1:8025", "MAILROOM_ADMIN_KEY"}) {
        EXPECT_NE(serve.out.find(word), std::string::npos) << word;
    }
}

TEST(CommandLine, VersionIsPrinted) {
    for (const auto* word : {"version", "--version"}) {
        const auto ran = run({word});
        EXPECT_EQ(ran.exit_code, exit_ok) << word;
        EXPECT_TRUE(ran.out.starts_with("mailroom ")) << ran.out;
        EXPECT_TRUE(ran.out.ends_with("\n")) << ran.out;
    }
}

}  // namespace
}  // namespace mailroom::app
