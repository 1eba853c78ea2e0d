#include "app/command_line.h"
#include "app/test_process.h"
#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

namespace mailroom::app {
namespace {

constexpr std::string_view one_mail =
    "HELO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\nMessage-ID: "
    "<1@x>\r\n\r\n"
    "hello\r\n.\r\nQUIT\r\n";

std::vector<std::string> sink(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"sink", "--listen", "127.0.0.1:0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(SinkCommand, CountsMailsAndTellsWhenAskedAndAtTheEnd) {
    const ScratchDirectory directory;
    TestProcess process(sink({"--store", (directory / "mails").string()}));
    const auto address = listener_in(process.read_line(), "smtp");
    ASSERT_NE(address, "");
    EXPECT_NE(ask(address, std::string(one_mail)).find("250 2.0.0 Stored as"), std::string::npos);
    EXPECT_NE(ask(address, std::string(one_mail)).find("250 2.0.0 Stored as"), std::string::npos);
    process.send(SIGUSR1);
    const auto counts = process.read_line();
    EXPECT_TRUE(counts.starts_with("{\"connections\":2,")) << counts;
    for (const auto* part : {"\"sessions\":2", "\"mails\":2", "\"duplicates\":1",
                             "\"recipients\":2", "\"message_ids\":1", "\"end\":{\"accepted\":2"}) {
        EXPECT_NE(counts.find(part), std::string::npos) << part << " in " << counts;
    }
    process.send(SIGTERM);
    EXPECT_EQ(process.exit_code(), exit_ok);
    EXPECT_TRUE(process.rest_of_out().starts_with("{\"connections\":2,"));
    const auto files = std::filesystem::directory_iterator(directory / "mails");
    EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

TEST(SinkCommand, IsAsRudeAsItIsTold) {
    TestProcess process(sink({"--refuse", "rcpt=450", "--obey-addresses", "--every", "1"}));
    const auto address = listener_in(process.read_line(), "smtp");
    const auto answer = ask(address, std::string(one_mail));
    EXPECT_NE(answer.find("450 4.7.1"), std::string::npos) << answer;
    EXPECT_TRUE(process.read_line().starts_with("{\"connections\":"));
    process.send(SIGINT);
    EXPECT_EQ(process.exit_code(), exit_ok);
}

TEST(SinkCommand, WrongUseIsOneSentence) {
    struct Case {
        std::vector<std::string> arguments;
        std::string_view says;
    };
    const Case cases[] = {
        {{"sink", "--refuse", "rctp=450"}, "--refuse rctp=450: there is no step \"rctp\""},
        {{"sink", "--refuse", "rcpt=450:5"}, "the rate \"5\" is not like 5%"},
        {{"sink", "--delay", "rcpt=soon"}, "--delay rcpt=soon: the time \"soon\""},
        {{"sink", "--drop", "end", "--drop", "x"}, "--drop x: there is no step"},
        {{"sink", "--listen", "2525"}, "--listen is \"2525\"; expected HOST:PORT"},
        {{"sink", "--user", "ann"}, "--user is \"ann\"; expected NAME:PASSWORD"},
        {{"sink", "--tls-cert", "x.pem"}, "--tls-cert and --tls-key belong together"},
        {{"sink", "--tls-implicit"}, "--tls-implicit needs --tls-cert and --tls-key"},
        {{"sink", "--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"}, "/nonexistent"},
        {{"sink", "--store", "/dev/null/x"}, "cannot make /dev/null/x"},
        {{"sink", "--every", "0"}, "--every"},
        {{"sink", "--seed", "x"}, "--seed"},
    };
    for (const auto& c : cases) {
        std::ostringstream out, err;
        std::istringstream in;
        const Surroundings surroundings{{}, out, err, in};
        EXPECT_EQ(run_command_line(c.arguments, surroundings), exit_usage) << c.says;
        EXPECT_NE(err.str().find(c.says), std::string::npos) << err.str();
        EXPECT_EQ(std::ranges::count(err.str(), '\n'), 1) << err.str();
        EXPECT_EQ(out.str(), "");
    }
}

}  // namespace
}  // namespace mailroom::app
