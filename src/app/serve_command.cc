#include "app/app.h"
#include "app/commands.h"
#include "app/stop_signals.h"
#include "http/keys.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace mailroom::app {

namespace {

// Programs get 1024 by default, because select() knows no more. We never call that, and a busy
// server needs more: a file for each connection and for each table.
constexpr rlim_t open_files_wanted = 65536;

void raise_open_files() {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = std::max(files.rlim_cur, std::min(files.rlim_max, open_files_wanted));
    setrlimit(RLIMIT_NOFILE, &files);  // What is refused here is not worth ending for.
}

std::optional<std::string> admin_key(const Environment& environment) {
    const auto found = environment.find(std::string(admin_key_variable));
    if (found == environment.end()) return std::nullopt;
    return found->second;
}

}  // namespace

ServeCommand::ServeCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* command = parser.add_subcommand("serve", "Run the server until SIGTERM or SIGINT.");
    config_flags_.add_to(*command, ConfigFlags::Which::all);
    command->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

int ServeCommand::run() {
    const auto& [environment, out, err, in] = invocation_.surroundings;
    auto config = config_flags_.load(environment);
    if (!config) return invocation_.fail(config.error().message, exit_usage);
    const auto wanted_key = admin_key(environment);
    if (wanted_key) {
        const auto checked = http::check_key_text(*wanted_key);
        if (!checked) {
            return invocation_.fail(
                std::string(admin_key_variable) + ": " + checked.error().message, exit_usage);
        }
    }
    log::configure(config->log.level, config->log.format);

    StopSignals signals;
    raise_open_files();
    auto app = App::start(*std::move(config), wanted_key);
    if (!app) return invocation_.fail(app.error().message, exit_failure);
    if (const auto& key = (*app)->new_admin_key()) {
        err << "mailroom: admin API key, shown only this once: " << *key << std::endl;
    }
    out << (*app)->ready_line() << std::endl;

    const auto signal = signals.wait([&] {
        log::info("reloading", {{"signal", "SIGHUP"}});
        (*app)->reload();
    });
    log::info("stopping", {{"signal", signal}});
    (*app)->stop();
    log::info("stopped");
    return exit_ok;
}

}  // namespace mailroom::app
