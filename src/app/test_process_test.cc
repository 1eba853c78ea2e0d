#include "app/test_process.h"

#include "app/setting_values.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdlib>

namespace mailroom::app {

namespace {

std::string read_all(int file) {
    std::string text;
    char bytes[4096];
    for (ssize_t got; (got = ::read(file, bytes, sizeof bytes)) > 0;) {
        text.append(bytes, static_cast<std::size_t>(got));
    }
    return text;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (auto& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

TestProcess::TestProcess(const std::vector<std::string>& arguments, const Variables& environment) {
    int out[2], err[2];
    const bool piped = ::pipe2(out, O_CLOEXEC) == 0 && ::pipe2(err, O_CLOEXEC) == 0;
    assert(piped);
    std::vector<std::string> words{MAILROOM_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    // A sanitizer that does not know what to pass over would end the program.
    for (const auto* name : {"TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
        const char* value = std::getenv(name);
        if (value != nullptr) variables.push_back(std::string(name) + "=" + value);
    }

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    const int failed = ::posix_spawn(&id_, MAILROOM_BINARY, &actions, nullptr,
                                     pointers(words).data(), pointers(variables).data());
    assert(failed == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

TestProcess::~TestProcess() {
    if (!ended_) {
        send(SIGKILL);
        exit_code();
    }
    ::close(out_);
    ::close(err_);
}

std::string TestProcess::read_line() {
    std::string line;
    for (char c; ::read(out_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
}

void TestProcess::send(int signal) const { ::kill(id_, signal); }

int TestProcess::exit_code() {
    if (!ended_) {
        ::waitpid(id_, &status_, 0);
        ended_ = true;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

std::string TestProcess::rest_of_out() { return read_all(out_); }
std::string TestProcess::rest_of_err() { return read_all(err_); }

std::string listener_in(const std::string& ready_line, const std::string& name) {
    const auto key = " " + name + "=";
    const auto at = ready_line.find(key);
    if (at == ready_line.npos) return {};
    const auto begin = at + key.size();
    return ready_line.substr(begin, ready_line.find(' ', begin) - begin);
}

std::string ask(const std::string& address, const std::string& bytes) {
    const auto parsed = parse_listen_address(address);
    if (!parsed) return "no address: " + address;
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(parsed->port);
    ::inet_pton(AF_INET, parsed->host.c_str(), &peer.sin_addr);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::string answer = "cannot connect to " + address;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0) {
        const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        answer = sent == static_cast<ssize_t>(bytes.size()) ? read_all(socket) : "cannot send";
    }
    ::close(socket);
    return answer;
}

namespace {

TEST(TestProcess, ShowsWhatTheProgramWroteAndHowItEnded) {
    TestProcess version({"version"});
    EXPECT_TRUE(version.read_line().starts_with("mailroom "));
    EXPECT_EQ(version.exit_code(), 0);
    TestProcess wrong({"no-such-command"});
    EXPECT_EQ(wrong.exit_code(), 2);
    EXPECT_EQ(wrong.rest_of_out(), "");
    EXPECT_TRUE(wrong.rest_of_err().starts_with("mailroom: "));
}

}  // namespace
}  // namespace mailroom::app
