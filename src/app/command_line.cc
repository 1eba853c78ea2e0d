#include "app/command_line.h"

#include "app/commands.h"
#include "base/suggestion.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace mailroom::app {

namespace {

// CLI11 writes some of its messages over several lines.
std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

// CLI11 would only say that a command is required.
std::optional<std::string> unknown_command(const CLI::App& parser,
                                           const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments[0].starts_with('-')) return std::nullopt;
    std::vector<std::string> known;
    for (const auto* command : parser.get_subcommands({})) known.push_back(command->get_name());
    if (std::ranges::find(known, arguments[0]) != known.end()) return std::nullopt;
    const auto near = suggestion(arguments[0], known);
    return "unknown command " + arguments[0] + (near ? "; did you mean " + *near + "?" : "");
}

}  // namespace

int Invocation::fail(std::string_view sentence, int exit_code) const {
    surroundings.err << "mailroom: " << sentence << std::endl;
    return exit_code;
}

int run_command_line(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
    Invocation invocation{surroundings, {}};
    CLI::App parser("Mailroom: everything a business writes to its customers, and their answers.",
                    "mailroom");
    parser.require_subcommand(1);
    parser.set_version_flag("--version", std::string(VersionCommand::text));
    parser.get_formatter()->column_width(34);
    const ServeCommand serve(parser, invocation);
    const KeyCommand key(parser, invocation);
    const BackupCommand backup(parser, invocation);
    const SalvageCommand salvage(parser, invocation);
    const RenderCommand render(parser, invocation);
    const ParseCommand parse(parser, invocation);
    const SinkCommand sink(parser, invocation);
    const DemoCommand demo(parser, invocation);
    const VersionCommand version(parser, invocation);

    if (const auto sentence = unknown_command(parser, arguments)) {
        return invocation.fail(*sentence, exit_usage);
    }
    // CLI11 takes arguments last one first.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        parser.parse(std::move(reversed));
    } catch (const CLI::CallForHelp& request) {
        parser.exit(request, surroundings.out, surroundings.err);
        return exit_ok;
    } catch (const CLI::CallForVersion&) {
        surroundings.out << VersionCommand::text << std::endl;
        return exit_ok;
    } catch (const CLI::ParseError& error) {
        return invocation.fail(one_line(error.what()) + " (see mailroom --help)", exit_usage);
    }
    return invocation.chosen();
}

}  // namespace mailroom::app
