#include "app/config.h"

#include "app/settings.h"
#include "base/suggestion.h"
#include "base/text.h"
#include "table/own_tables.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace mailroom::app {

namespace {

constexpr std::string_view environment_prefix = "MAILROOM_";
// Set by the test programs for themselves; the servers they start inherit them.
constexpr std::string_view test_variable_prefix = "MAILROOM_TEST_";
constexpr std::string_view long_tests_variable = "MAILROOM_LONG";

constexpr std::size_t file_bytes_max = 1 << 20;  // Far more than every key and a comment on each.
constexpr std::size_t shown_bytes_max = 100;     // Of a bad value, in a message.

Error invalid(std::string message) { return {Errc::invalid, std::move(message)}; }

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    const auto near = suggestion(word, candidates);
    return near ? "; did you mean " + *near + "?" : "";
}

Error bad_secret(const std::string& name, std::string_view accepts) {
    return invalid(name + " is not what was expected: " + std::string(accepts));
}

Error bad_value(const std::string& name, std::string_view value, std::string_view accepts) {
    return invalid(name + " is \"" + std::string(truncate_utf8(value, shown_bytes_max)) +
                   "\"; expected " + std::string(accepts));
}

Error refused(const Setting& setting, const std::string& name, std::string_view value) {
    return setting.is_secret ? bad_secret(name, setting.accepts)
                             : bad_value(name, value, setting.accepts);
}

using Settings = std::vector<Setting>;

const Setting* find_setting(const Settings& settings, std::string_view section,
                            std::string_view key) {
    for (const auto& setting : settings) {
        if (setting.section == section && setting.key == key) return &setting;
    }
    return nullptr;
}

std::vector<std::string> names_of(const Settings& settings, std::string (*name)(const Setting&)) {
    std::vector<std::string> names;
    for (const auto& setting : settings) names.push_back(name(setting));
    return names;
}

std::string at(const std::string& path, const toml::source_region& source) {
    return path + ":" + std::to_string(source.begin.line) + ": ";
}

Result<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return invalid("cannot read " + path + ": " + std::strerror(errno));
    std::string text(file_bytes_max + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad() || (file.fail() && !file.eof())) return invalid("cannot read " + path);
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > file_bytes_max) return invalid(path + " is larger than 1 MiB");
    return text;
}

std::string shown(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    std::ostringstream out;
    node.visit([&](const auto& value) {
        if constexpr (toml::is_table<decltype(value)>) {
            out << "a table";
        } else if constexpr (toml::is_array<decltype(value)>) {
            out << "an array";
        } else {
            out << value;
        }
    });
    return out.str();
}

Result<> apply_node(const Setting& setting, const toml::node& node) {
    const bool right_type =
        setting.type == Setting::Type::text ? node.is_string() : node.is_integer();
    const auto text = shown(node);
    if (!right_type) {
        const auto* type = setting.type == Setting::Type::text ? " in quotes" : " without quotes";
        if (setting.is_secret) return bad_secret(setting.path(), setting.accepts + type);
        return bad_value(setting.path(), text, setting.accepts + type);
    }
    if (!setting.set(text)) return refused(setting, setting.path(), text);
    return Ok{};
}

Result<> apply_section(const Settings& settings, const std::string& path, std::string_view section,
                       const toml::table& table) {
    for (const auto& [key, node] : table) {
        const auto place = at(path, key.source());
        const auto* setting = find_setting(settings, section, key.str());
        if (setting == nullptr) {
            const auto name = std::string(section) + "." + std::string(key.str());
            return invalid(
                place + "unknown key " + name +
                did_you_mean(name, names_of(settings, [](const Setting& s) { return s.path(); })));
        }
        if (auto applied = apply_node(*setting, node); !applied) {
            return invalid(place + applied.error().message);
        }
    }
    return Ok{};
}

Result<> apply_file(const Settings& settings, const std::string& path) {
    const auto text = TRY(read_file(path));
    toml::table root;
    try {
        root = toml::parse(text, path);
    } catch (const toml::parse_error& error) {
        return invalid(at(path, error.source()) + std::string(error.description()));
    }
    const auto sections =
        names_of(settings, [](const Setting& s) { return "[" + std::string(s.section) + "]"; });
    for (const auto& [name, node] : root) {
        const auto place = at(path, name.source());
        const std::string section(name.str()), in_brackets = "[" + section + "]";
        if (std::ranges::find(sections, in_brackets) == sections.end()) {
            if (!node.is_table()) {
                return invalid(place + "unknown key " + section + " outside of a section");
            }
            return invalid(place + "unknown section " + in_brackets +
                           did_you_mean(in_brackets, sections));
        }
        if (!node.is_table()) {
            return invalid(place + section + " must be a section: " + in_brackets);
        }
        TRY(apply_section(settings, path, section, *node.as_table()));
    }
    return Ok{};
}

bool is_for_settings(std::string_view variable) {
    return variable.starts_with(environment_prefix) && variable != admin_key_variable &&
           variable != long_tests_variable && !variable.starts_with(test_variable_prefix);
}

Result<> apply_environment(const Settings& settings, const Environment& environment) {
    auto known = names_of(settings, [](const Setting& s) { return s.environment(); });
    for (const auto& [name, value] : environment) {
        if (!is_for_settings(name)) continue;
        const auto found = std::ranges::find(known, name);
        if (found == known.end()) {
            known.emplace_back(admin_key_variable);
            return invalid("unknown environment variable " + name + did_you_mean(name, known));
        }
        const auto& setting = settings[static_cast<std::size_t>(found - known.begin())];
        if (!setting.set(value)) return refused(setting, name, value);
    }
    return Ok{};
}

Result<> apply_flag(const Settings& settings, const ConfigSources::Flag& flag) {
    const auto setting = std::ranges::find(settings, flag.name, &Setting::flag);
    if (setting == settings.end()) return invalid("unknown flag " + flag.name);
    if (!setting->set(flag.value)) return refused(*setting, flag.name, flag.value);
    return Ok{};
}

Result<> check_listeners(const Config& config) {
    if (config.server.dynamodb && config.dynamodb.auth == DynamodbAuth::none &&
        !config.server.dynamodb->is_loopback()) {
        return invalid("server.dynamodb is " + config.server.dynamodb->text() +
                       ", which others can reach, but requests to the tables are not "
                       "authenticated; use a loopback address such as 127.0.0.1:8000");
    }
    const std::pair<const char*, std::optional<ListenAddress>> listeners[] = {
        {"server.http", config.server.http},
        {"server.dynamodb", config.server.dynamodb},
        {"server.smtp", config.server.smtp},
        {"server.smtps", config.server.smtps}};
    std::map<std::string, std::string> taken;
    for (const auto& [name, address] : listeners) {
        if (!address || address->port == 0) continue;
        const auto [other, is_new] = taken.try_emplace(address->text(), name);
        if (!is_new) {
            return invalid(other->second + " and " + name + " are both " + address->text());
        }
    }
    return Ok{};
}

Result<> check_submission(const Config& config) {
    const auto& server = config.server;
    if (server.tls_certificate.empty() != server.tls_key.empty()) {
        return invalid("server.tls_certificate and server.tls_key belong together: set both");
    }
    if (server.smtp && !server.smtp->is_loopback() && server.tls_certificate.empty()) {
        return invalid("server.smtp is " + server.smtp->text() +
                       ", which others can reach, but there is no TLS to protect their keys; set "
                       "server.tls_certificate and server.tls_key, or use a loopback address");
    }
    if (server.smtps && server.tls_certificate.empty()) {
        return invalid("server.smtps needs server.tls_certificate and server.tls_key");
    }
    return Ok{};
}

Result<> check_tables(const Settings& settings) {
    std::map<std::string, std::string> taken;
    for (const auto& setting : settings) {
        if (setting.section != "tables") continue;
        const auto name = setting.show();
        const auto [other, is_new] = taken.try_emplace(name, setting.path());
        if (!is_new) return invalid(other->second + " and " + setting.path() + " are both " + name);
        // These are ours: a program's items must not meet our own rows.
        if (table::OwnTables::is_reserved(name)) {
            return bad_value(setting.path(), name, "a name that does not begin with Mailroom");
        }
    }
    return Ok{};
}

}  // namespace

Result<Config> load_config(const ConfigSources& sources) {
    Config config;
    TRY(load_config(sources, config));
    return config;
}

Result<> load_config(const ConfigSources& sources, Config& config) {
    const auto settings = settings_of(config);
    if (sources.file) TRY(apply_file(settings, *sources.file));
    TRY(apply_environment(settings, sources.environment));
    for (const auto& flag : sources.flags) TRY(apply_flag(settings, flag));
    TRY(check_listeners(config));
    TRY(check_submission(config));
    TRY(check_tables(settings));
    return config.programs.house.check_settings();
}

}  // namespace mailroom::app
