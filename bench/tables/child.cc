#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace mailroom::bench {

namespace {

using Steady = std::chrono::steady_clock;

constexpr auto ready_wait = std::chrono::seconds(30);  // Many times what a cold start takes.
constexpr int stop_wait_ms = 10'000;                   // Time to flush what it has in memory.
constexpr int not_started_status = 127;                // What a shell reports for it.

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> with_own_environment(std::vector<std::string> additions) {
    for (char** entry = environ; *entry != nullptr; ++entry) additions.emplace_back(*entry);
    return additions;
}

// Runs in the child, between fork and exec: system calls only.
[[noreturn]] void become(char** arguments, char** environment, int output, int error_log) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(error_log, STDERR_FILENO);
    ::execvpe(arguments[0], arguments, environment);
    ::_exit(not_started_status);
}

}  // namespace

Result<Child> Child::start(const Command& command) {
    auto arguments = command.arguments;
    auto environment = with_own_environment(command.environment);
    const auto argument_pointers = pointers_to(arguments);
    const auto environment_pointers = pointers_to(environment);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Error{Errc::unavailable, "cannot make a pipe"};
    FileDescriptor output(ends[0]), child_output(ends[1]);
    FileDescriptor error_log(
        ::open(command.error_log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!error_log.is_open()) {
        return Error{Errc::unavailable, "cannot write " + command.error_log.string()};
    }

    const auto pid = ::fork();
    if (pid < 0) return Error{Errc::unavailable, "cannot fork"};
    if (pid == 0) {
        become(const_cast<char**>(argument_pointers.data()),
               const_cast<char**>(environment_pointers.data()), child_output.number(),
               error_log.number());
    }
    // The C library's own wrapper cannot be linked from C++ in every version.
    FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    return Child(pid, std::move(process), std::move(output), command.error_log.string());
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      process_(std::move(other.process_)),
      output_(std::move(other.output_)),
      error_log_(std::move(other.error_log_)) {}

Child::~Child() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGTERM);
    pollfd exited{process_.number(), POLLIN, 0};
    if (::poll(&exited, 1, stop_wait_ms) != 1) ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

Result<std::string> Child::line_starting(std::string_view prefix) {
    const auto deadline = Steady::now() + ready_wait;
    std::string text;
    std::array<char, 4096> chunk;
    while (Steady::now() < deadline) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now());
        pollfd readable{output_.number(), POLLIN, 0};
        if (::poll(&readable, 1, static_cast<int>(left.count())) <= 0) continue;
        const auto got = ::read(output_.number(), chunk.data(), chunk.size());
        if (got <= 0) return Error{Errc::unavailable, "it exited at once; see " + error_log_};
        text.append(chunk.data(), static_cast<std::size_t>(got));
        for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            const auto line = text.substr(0, end);
            if (line.starts_with(prefix)) return line;
            text.erase(0, end + 1);
        }
    }
    return Error{Errc::unavailable, "it is not ready after 30 s; see " + error_log_};
}

}  // namespace mailroom::bench
