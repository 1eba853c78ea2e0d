#include "app/commands.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace mailroom::app {

const std::string_view VersionCommand::text = "mailroom " MAILROOM_VERSION;

VersionCommand::VersionCommand(CLI::App& parser, Invocation& invocation) {
    auto* command = parser.add_subcommand("version", "Print the version.");
    command->callback([&invocation] {
        invocation.chosen = [&invocation] {
            invocation.surroundings.out << text << std::endl;
            return exit_ok;
        };
    });
}

}  // namespace mailroom::app
