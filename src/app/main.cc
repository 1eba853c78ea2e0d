#include "app/command_line.h"

#include <unistd.h>

#include <iostream>
#include <string_view>

namespace {

mailroom::app::Environment read_environment() {
    mailroom::app::Environment environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (!text.starts_with("MAILROOM_") || equals == text.npos) continue;
        environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const mailroom::app::Surroundings surroundings{read_environment(), std::cout, std::cerr,
                                                   std::cin};
    return mailroom::app::run_command_line(arguments, surroundings);
}
