// The commands. Each adds itself to the parser and, when the user chose it, sets `chosen`.
#pragma once

#include "app/command_line.h"
#include "app/config.h"
#include "app/data_directory.h"
#include "base/result.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}
namespace mailroom::dynamodb {
class AccessKeys;
}
namespace mailroom::http {
class Keys;
}

namespace mailroom::app {

struct Invocation {
    const Surroundings& surroundings;
    std::function<int()> chosen;  // What to do once all arguments are known to be right.

    // Writes "mailroom: <sentence>" and returns `exit_code`.
    int fail(std::string_view sentence, int exit_code) const;
};

// The flags that name the configuration: --config and those of settings().
class ConfigFlags {
public:
    enum class Which { all, storage };  // storage: only what says where the tables are.

    // Once. `command` must outlive this object's use.
    void add_to(CLI::App& command, Which which);
    // When all arguments are parsed: what was not given is left to the file and the environment.
    Result<Config> load(const Environment& environment) const;

private:
    const CLI::App* command_ = nullptr;
    std::string file_;
    std::map<std::string, std::string> values_;  // By flag.
};

// The parser calls the commands that were added to it, and they use their invocation: keep all
// three until `chosen` has run.

class ServeCommand {
public:
    ServeCommand(CLI::App& parser, Invocation& invocation);

private:
    int run();

    Invocation& invocation_;
    ConfigFlags config_flags_;
};

class KeyCommand {
public:
    KeyCommand(CLI::App& parser, Invocation& invocation);

private:
    void add_create(CLI::App& key);
    void add_list(CLI::App& key);
    void add_revoke(CLI::App& key);
    int with_keys(DataDirectory::Absent absent,
                  const std::function<Result<>(http::Keys&, dynamodb::AccessKeys&)>& use);
    Result<> create(http::Keys& keys);
    Result<> create(dynamodb::AccessKeys& keys);
    Result<> list(http::Keys& keys, dynamodb::AccessKeys& access_keys);
    Result<> revoke(http::Keys& keys, dynamodb::AccessKeys& access_keys);

    Invocation& invocation_;
    ConfigFlags config_flags_;
    std::string name_, id_, person_;
    std::vector<std::string> scopes_;
    bool dynamodb_ = false, read_only_ = false, manage_ = false;
    std::vector<std::string> tables_;
};

// Copies the whole data directory, and brings a copy back.
class BackupCommand {
public:
    BackupCommand(CLI::App& parser, Invocation& invocation);

private:
    int run(Result<> (BackupCommand::*work)(const Config&) const);
    Result<> back_up(const Config& config) const;
    Result<> restore(const Config& config) const;

    Invocation& invocation_;
    ConfigFlags config_flags_, restore_flags_;
    bool is_restoring_ = false;
    std::string path_;
};

// Opens data of which a part is missing with what is left.
class SalvageCommand {
public:
    SalvageCommand(CLI::App& parser, Invocation& invocation);

private:
    int run();
    Result<> salvage(const std::string& data) const;

    Invocation& invocation_;
    ConfigFlags config_flags_;
};

// Checks a template: prints what it renders to.
class RenderCommand {
public:
    RenderCommand(CLI::App& parser, Invocation& invocation);

private:
    int run();
    Result<std::string> render() const;

    Invocation& invocation_;
    std::string template_file_, data_file_, partials_directory_;
    std::string escape_ = "none", time_zone_ = "UTC";
    bool strict_ = false;
};

// A rude mail server to rehearse with.
class SinkCommand {
public:
    SinkCommand(CLI::App& parser, Invocation& invocation);
    ~SinkCommand();

    struct Flags;  // What was given on the command line.

private:
    int run();

    Invocation& invocation_;
    std::unique_ptr<Flags> flags_;
};

// Tells what is understood of a mail.
class ParseCommand {
public:
    ParseCommand(CLI::App& parser, Invocation& invocation);

private:
    int run();

    Invocation& invocation_;
    std::string mail_file_;
    bool no_dkim_ = false;
};

// Something to try reminders with.
class DemoCommand {
public:
    DemoCommand(CLI::App& parser, Invocation& invocation);

private:
    int run();

    Invocation& invocation_;
    std::string http_ = "127.0.0.1:8025", key_;
};

class VersionCommand {
public:
    static const std::string_view text;  // "mailroom 1.2.3"

    VersionCommand(CLI::App& parser, Invocation& invocation);
};

}  // namespace mailroom::app
