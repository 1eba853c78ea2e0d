#include "app/commands.h"
#include "app/settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

namespace mailroom::app {

namespace {

bool says_where_the_tables_are(const Setting& setting) {
    constexpr std::array<std::string_view, 2> flags{"--data", "--store"};
    return std::ranges::find(flags, setting.flag) != flags.end();
}

std::string all_keys() {
    Config defaults;
    std::string text =
        "Every setting, as key of the file, environment variable, and default\n"
        "(flags are stronger than the environment, the environment is stronger than the file):\n";
    for (const auto& setting : settings_of(defaults)) {
        auto path = setting.path(), variable = setting.environment();
        path.resize(std::max<std::size_t>(path.size(), 26), ' ');
        variable.resize(std::max<std::size_t>(variable.size(), 36), ' ');
        text += "  " + path + " " + variable + " " + setting.show() + "\n";
    }
    text += "  " + std::string(26, ' ') + " " + std::string(admin_key_variable) +
            ": the admin API key to register at the first start\n";
    return text;
}

}  // namespace

void ConfigFlags::add_to(CLI::App& command, Which which) {
    command.add_option("--config", file_, "TOML file with settings.")->type_name("FILE");
    Config defaults;
    for (const auto& setting : settings_of(defaults)) {
        if (setting.flag.empty()) continue;
        if (which == Which::storage && !says_where_the_tables_are(setting)) continue;
        const std::string flag(setting.flag);
        command.add_option(flag, values_[flag], std::string(setting.help))
            ->type_name("[" + setting.show() + "]");
    }
    if (which == Which::all) command.footer(all_keys());
    command_ = &command;
}

Result<Config> ConfigFlags::load(const Environment& environment) const {
    ConfigSources sources;
    if (command_->count("--config") > 0) sources.file = file_;
    sources.environment = environment;
    for (const auto& [name, value] : values_) {
        if (command_->count(name) > 0) sources.flags.push_back({name, value});
    }
    return load_config(sources);
}

}  // namespace mailroom::app
