// A server that the benchmark started.
#pragma once

#include "base/result.h"
#include "file_descriptor.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

struct Command {
    std::vector<std::string> arguments;  // The program first; looked up in PATH if it has no slash.
    std::vector<std::string> environment;  // "NAME=value", in addition to our own.
    std::filesystem::path error_log;       // Where its standard error goes.
};

// Dies with us: when destroyed it is asked to stop and, after ten seconds, made to; when we are
// killed the kernel kills it too.
class Child {
public:
    static Result<Child> start(const Command& command);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    ~Child();

    // The first line of its standard output that begins with `prefix`, without the line end.
    // `unavailable` when it exits or 30 s pass before there is one.
    Result<std::string> line_starting(std::string_view prefix);

private:
    Child(pid_t pid, FileDescriptor process, FileDescriptor output, std::string log)
        : pid_(pid),
          process_(std::move(process)),
          output_(std::move(output)),
          error_log_(std::move(log)) {}

    pid_t pid_;
    FileDescriptor process_;  // Readable when it has exited.
    FileDescriptor output_;
    std::string error_log_;
};

}  // namespace mailroom::bench
