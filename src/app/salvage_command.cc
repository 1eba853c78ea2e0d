#include "app/commands.h"
#include "app/data_directory.h"
#include "app/open_tables.h"
#include "base/log.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <ostream>

namespace mailroom::app {

SalvageCommand::SalvageCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* salvage = parser.add_subcommand(
        "salvage",
        "Make data usable of which a part is missing: what cannot be read any more is given up for "
        "good. Copy the directory first.");
    config_flags_.add_to(*salvage, ConfigFlags::Which::storage);
    salvage->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

int SalvageCommand::run() {
    const auto config = config_flags_.load(invocation_.surroundings.environment);
    if (!config) return invocation_.fail(config.error().message, exit_usage);
    log::configure(config->log.level, config->log.format);
    const auto done = salvage(config->server.data);
    return done ? exit_ok : invocation_.fail(done.error().message, exit_failure);
}

Result<> SalvageCommand::salvage(const std::string& data) const {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::path(data) / "FORMAT", error)) {
        return Error{Errc::not_found, "there is no data in " + data};
    }
    auto& out = invocation_.surroundings.out;
    const auto directory = TRY(DataDirectory::open(data));
    const auto whole = open_tables(directory);
    if (whole) {
        out << "nothing is missing" << std::endl;
        return Ok{};
    }
    if (whole.error().code != Errc::corrupt) return whole.error();
    kv::RocksOptions accepting;
    accepting.damaged_log = kv::DamagedLog::cut_off;
    TRY(open_tables(directory, accepting));
    out << "given up: " << whole.error().message << std::endl;
    return Ok{};
}

}  // namespace mailroom::app
