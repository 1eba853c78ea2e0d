#include "app/commands.h"
#include "app/data_backup.h"
#include "app/data_directory.h"
#include "app/open_tables.h"
#include "base/clock.h"
#include "base/time_format.h"
#include "json/json.h"
#include "json/writer.h"
#include "net/http_client.h"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <ostream>

namespace mailroom::app {

namespace fs = std::filesystem;

namespace {

// A copy of many tables on a slow disk takes its time.
constexpr auto answer_timeout = std::chrono::minutes(30);

// No two runs choose the same.
std::string new_name() {
    return "backup-" + format_aws_time(SystemClock().now()) + "-" + std::to_string(::getpid());
}

// The member `name` of the answer's object; empty if there is none.
std::string text_in(const std::string& body, std::string_view name) {
    json::Parser parser;
    const auto parsed = parser.parse(body);
    if (!parsed || parsed->type() != json::View::Type::object) return "";
    auto at = std::optional(*parsed);
    if (const auto error = parsed->find("error"); error && name == "message") at = error;
    if (at->type() != json::View::Type::object) return "";
    const auto found = at->find(name);
    if (!found || found->type() != json::View::Type::text) return "";
    return std::string(found->text());
}

// Asks the server that has the data for a copy, and returns where it is.
Result<fs::path> ask_server(const Config& config, const std::string& key) {
    const auto url = TRY(net::Url::parse("http://" + config.server.http.text() + "/v1/backups"));
    std::string body;
    json::Writer(body).open_object().key("name").text(new_name()).close_object();
    net::HttpClient client({});
    net::HttpRequest request{
        .method = "POST",
        .url = url,
        .headers = {{"Authorization", "Bearer " + key}, {"Content-Type", "application/json"}},
        .body = body,
        .reach = net::Reach::trusted};
    request.limits.total_timeout = answer_timeout;
    const auto answer = client.send(request);
    if (!answer) return static_cast<Error>(answer.error());
    if (answer->status != 201) {
        return Error{Errc::unavailable, "the server at " + config.server.http.text() +
                                            " made no backup: " + text_in(answer->body, "message")};
    }
    return fs::path(text_in(answer->body, "directory"));
}

// Such files may be on a file system that others share, and nothing ever changes them: the copy of
// a directory that is made after the backup has all that the backup names.
void mention_blobs(const Config& config, std::string_view what_to_do, std::ostream& err) {
    const auto& outbox = config.programs.outbox.settings();
    if (outbox.has_embedded_blobs()) return;
    err << "mailroom: requests and messages are files in " << outbox.blobs
        << " (outbox.blobs) and not part of the backup: " << what_to_do << std::endl;
}

}  // namespace

BackupCommand::BackupCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* backup = parser.add_subcommand(
        "backup",
        "Copy all data to a new directory, also while a mailroom serves from it: it is asked then, "
        "with the key in MAILROOM_ADMIN_KEY.");
    config_flags_.add_to(*backup, ConfigFlags::Which::all);
    backup->add_option("target", path_, "The directory to make.")->required()->type_name("");
    backup->callback(
        [this] { invocation_.chosen = [this] { return run(&BackupCommand::back_up); }; });

    auto* restore = parser.add_subcommand("restore", "Copy a backup to a new data directory.");
    restore_flags_.add_to(*restore, ConfigFlags::Which::storage);
    restore->add_option("backup", path_, "The directory that backup made.")
        ->required()
        ->type_name("");
    restore->callback([this] {
        is_restoring_ = true;
        invocation_.chosen = [this] { return run(&BackupCommand::restore); };
    });
}

int BackupCommand::run(Result<> (BackupCommand::*work)(const Config&) const) {
    const auto& flags = is_restoring_ ? restore_flags_ : config_flags_;
    const auto config = flags.load(invocation_.surroundings.environment);
    if (!config) return invocation_.fail(config.error().message, exit_usage);
    log::configure(config->log.level, config->log.format);
    const auto done = (this->*work)(*config);
    return done ? exit_ok : invocation_.fail(done.error().message, exit_failure);
}

Result<> BackupCommand::back_up(const Config& config) const {
    std::error_code error;
    if (fs::exists(path_, error)) return Error{Errc::conflict, path_ + " is there already"};
    const auto directory = DataDirectory::open(config.server.data, DataDirectory::Absent::refuse);
    if (directory) {
        const auto rows = TRY(open_tables(*directory));
        TRY(back_up_data(*rows, path_));
    } else {
        if (directory.error().code != Errc::conflict) return directory.error();
        const auto& environment = invocation_.surroundings.environment;
        const auto key = environment.find(std::string(admin_key_variable));
        if (key == environment.end()) {
            return Error{Errc::invalid, directory.error().message +
                                            "; to ask it for a backup, set " +
                                            std::string(admin_key_variable)};
        }
        const auto made = TRY(ask_server(config, key->second));
        TRY(move_directory(made, path_));
    }
    mention_blobs(config, "copy that directory now", invocation_.surroundings.err);
    invocation_.surroundings.out << path_ << std::endl;
    return Ok{};
}

Result<> BackupCommand::restore(const Config& config) const {
    TRY(restore_data(path_, config.server.data));
    mention_blobs(config, "put your copy of that directory in place, too",
                  invocation_.surroundings.err);
    invocation_.surroundings.out << config.server.data << std::endl;
    return Ok{};
}

}  // namespace mailroom::app
