#include "app/app.h"
#include "app/commands.h"
#include "base/time_format.h"
#include "dynamodb/access_keys.h"
#include "http/keys.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace mailroom::app {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

// "read Orders,People" or "write *"
std::string described(const table::TableScope& scope) {
    const auto access = std::string(name_of(scope.access)) + " ";
    if (scope.tables.empty()) return access + "*";
    return access + joined({scope.tables.begin(), scope.tables.end()});
}

}  // namespace

KeyCommand::KeyCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* key = parser.add_subcommand(
        "key", "Make, list and revoke API keys. Not while a mailroom serves from the same data.");
    key->require_subcommand(1);
    config_flags_.add_to(*key, ConfigFlags::Which::storage);
    add_create(*key);
    add_list(*key);
    add_revoke(*key);
}

void KeyCommand::add_create(CLI::App& key) {
    auto* command = key.add_subcommand("create", "Make a key and print it, this once.");
    command->fallthrough();
    command->add_option("name", name_, "What the key is for.")->required()->type_name("");
    auto* scope =
        command
            ->add_option("--scope", scopes_,
                         "What it may do: " + http::known_scopes_text() + ". May be repeated.")
            ->type_name("SCOPE")
            ->take_all();
    auto* person =
        command->add_option("--person", person_, "Who holds it, where two people have to agree.")
            ->type_name("NAME");
    auto* dynamodb =
        command
            ->add_flag("--dynamodb", dynamodb_,
                       "Make an access key for the tables instead: an id and a secret, with which "
                       "AWS SDKs sign.")
            ->excludes(scope)
            ->excludes(person);
    command
        ->add_option("--table", tables_,
                     "With --dynamodb: a table it may use; all without. May be repeated.")
        ->needs(dynamodb)
        ->type_name("NAME")
        ->take_all();
    auto* read_only =
        command->add_flag("--read-only", read_only_, "With --dynamodb: it may not write.")
            ->needs(dynamodb);
    command
        ->add_flag("--manage", manage_,
                   "With --dynamodb: it may also change and delete Mailroom's own tables.")
        ->needs(dynamodb)
        ->excludes(read_only);
    command->callback([this] {
        invocation_.chosen = [this] {
            // Before a directory is opened, or made, for a command that says too little.
            if (!dynamodb_ && scopes_.empty()) {
                return invocation_.fail("--scope is required", exit_usage);
            }
            // The first key may be made before the first start.
            const auto absent = DataDirectory::Absent::make;
            return with_keys(absent, [this](http::Keys& keys, dynamodb::AccessKeys& access_keys) {
                return dynamodb_ ? create(access_keys) : create(keys);
            });
        };
    });
}

void KeyCommand::add_list(CLI::App& key) {
    auto* command = key.add_subcommand("list", "Show the keys there are, without their secrets.");
    command->fallthrough();
    command->callback([this] {
        invocation_.chosen = [this] {
            const auto absent = DataDirectory::Absent::refuse;
            return with_keys(absent, [this](http::Keys& keys, dynamodb::AccessKeys& access_keys) {
                return list(keys, access_keys);
            });
        };
    });
}

void KeyCommand::add_revoke(CLI::App& key) {
    auto* command = key.add_subcommand("revoke", "Make a key invalid, for good.");
    command->fallthrough();
    command->add_option("id", id_, "The key's id, as shown by list.")->required()->type_name("");
    command->callback([this] {
        invocation_.chosen = [this] {
            const auto absent = DataDirectory::Absent::refuse;
            return with_keys(absent, [this](http::Keys& keys, dynamodb::AccessKeys& access_keys) {
                return revoke(keys, access_keys);
            });
        };
    });
}

int KeyCommand::with_keys(DataDirectory::Absent absent,
                          const std::function<Result<>(http::Keys&, dynamodb::AccessKeys&)>& use) {
    const auto config = config_flags_.load(invocation_.surroundings.environment);
    if (!config) return invocation_.fail(config.error().message, exit_usage);
    log::configure(config->log.level, config->log.format);
    const auto done = app::with_keys(*config, absent, use);
    if (done) return exit_ok;
    const auto code = done.error().code == Errc::invalid ? exit_usage : exit_failure;
    return invocation_.fail(done.error().message, code);
}

Result<> KeyCommand::create(http::Keys& keys) {
    const auto created = TRY(keys.create(name_, scopes_, person_));
    // The secret alone goes to standard output, so that a script can take it.
    invocation_.surroundings.err << "key " << created.key.id << " with scopes "
                                 << joined(created.key.scopes)
                                 << "; it is shown only now:" << std::endl;
    invocation_.surroundings.out << created.text << std::endl;
    return Ok{};
}

// As a shell takes them: `set -a; eval "$(mailroom key create --dynamodb NAME)"`.
Result<> KeyCommand::create(dynamodb::AccessKeys& keys) {
    table::TableScope scope;
    scope.access = table::TableAccess::write;
    if (read_only_) scope.access = table::TableAccess::read;
    if (manage_) scope.access = table::TableAccess::manage;
    scope.tables = {tables_.begin(), tables_.end()};
    const auto key = TRY(keys.create(name_, std::move(scope)));
    invocation_.surroundings.err << "access key " << key.id << " for " << described(key.scope)
                                 << "; its secret is shown only now:" << std::endl;
    invocation_.surroundings.out << "AWS_ACCESS_KEY_ID=" << key.id
                                 << "\nAWS_SECRET_ACCESS_KEY=" << key.secret << std::endl;
    return Ok{};
}

Result<> KeyCommand::list(http::Keys& keys, dynamodb::AccessKeys& access_keys) {
    for (const auto& key : TRY(keys.list())) {
        invocation_.surroundings.out << key.id << "  " << format_rfc3339_seconds(key.created)
                                     << "  …" << key.last_four << "  " << joined(key.scopes) << "  "
                                     << key.name << "\n";
    }
    for (const auto& key : TRY(access_keys.list())) {
        invocation_.surroundings.out << key.id << "  " << format_rfc3339_seconds(key.created)
                                     << "  " << described(key.scope) << "  " << key.name << "\n";
    }
    invocation_.surroundings.out.flush();
    return Ok{};
}

Result<> KeyCommand::revoke(http::Keys& keys, dynamodb::AccessKeys& access_keys) {
    if (dynamodb::is_access_key_id(id_)) {
        TRY(access_keys.revoke(id_));
    } else {
        TRY(keys.revoke(id_));
    }
    invocation_.surroundings.err << "key " << id_ << " is revoked" << std::endl;
    return Ok{};
}

}  // namespace mailroom::app
