// `mailroom COMMAND …`: finds the command and runs it.
#pragma once

#include "app/config.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace mailroom::app {

constexpr int exit_ok = 0;
constexpr int exit_failure = 1;  // It was asked rightly and could not be done.
constexpr int exit_usage = 2;    // Wrong arguments or configuration.

// What a command sees of the world. The streams must outlive it.
struct Surroundings {
    Environment environment;
    std::ostream& out;
    std::ostream& err;
    std::istream& in;
};

// `arguments` without the program's name. Returns the exit code; errors are one sentence on `err`.
int run_command_line(const std::vector<std::string>& arguments, const Surroundings& surroundings);

}  // namespace mailroom::app
