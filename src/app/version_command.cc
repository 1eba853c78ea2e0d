#include "app/commands.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace mailroom::app {

VersionCommand::VersionCommand(CLI::App& parser, Invocation& invocation) {
    auto* command = parser.add_subcommand("version", "Print the version.");
    command->callback([&invocation] {
        invocation.chosen = [&invocation] {
            invocation.surroundings.out << "mailroom " MAILROOM_VERSION << std::endl;
            return exit_ok;
        };
    });
}

}  // namespace mailroom::app
