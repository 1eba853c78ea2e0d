// Everything that can be set, as values the program can trust.
//
// From weakest to strongest: the defaults below, a TOML file, MAILROOM_SECTION_KEY in the
// environment, flags. settings.h describes each key; docs/configuration.md is made from it.
#pragma once

#include "app/programs.h"
#include "base/log.h"
#include "base/names.h"
#include "base/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::app {

// Where to listen. Port 0 lets the system choose.
struct ListenAddress {
    std::string host;  // An IPv4 or IPv6 address, without brackets.
    std::uint16_t port = 0;

    // HOST:PORT; an IPv6 host is in brackets.
    std::string text() const;
    bool is_loopback() const;
    bool operator==(const ListenAddress&) const = default;
};

// A DynamoDB that somebody else runs.
struct RemoteDynamodb {
    bool tls = true;
    std::string host;  // A name, or an address without brackets.
    std::uint16_t port = 0;

    std::string text() const;  // dynamodb+https://host:port
    bool operator==(const RemoteDynamodb&) const = default;
};

enum class Durability { full, relaxed };
constexpr auto names_of(Durability) {
    return std::array{Name{Durability::full, "full"}, Name{Durability::relaxed, "relaxed"}};
}
// Signed requests come with access keys; until then the tables are for this machine only.
enum class DynamodbAuth { sigv4, none };
constexpr auto names_of(DynamodbAuth) {
    return std::array{Name{DynamodbAuth::sigv4, "sigv4"}, Name{DynamodbAuth::none, "none"}};
}

struct Config {
    struct Server {
        std::string data = "./mailroom-data";
        ListenAddress http{"127.0.0.1", 8025};
        std::optional<ListenAddress> dynamodb = ListenAddress{"127.0.0.1", 8000};
        std::optional<ListenAddress> smtp = ListenAddress{"127.0.0.1", 2525};
        std::optional<ListenAddress> smtps;    // None: no TLS from the first byte.
        std::string tls_certificate, tls_key;  // PEM files; empty: no TLS.
        std::uint32_t request_memory_mb = 256;
        Durability durability = Durability::full;
    } server;

    struct Store {
        std::optional<RemoteDynamodb> remote;  // None: the tables are in this process.
        std::uint32_t cache_mb = 96;
    } store;

    struct Dynamodb {
        DynamodbAuth auth = DynamodbAuth::sigv4;
        std::string region = "us-east-1";
    } dynamodb;

    struct Log {
        log::Level level = log::Level::info;
        log::Format format = log::Format::text;
    } log;

    // Of programs that are to come: nobody else shall have them.
    struct Tables {
        std::string chat_conversations = "Conversations";
        std::string chat_messages = "Messages";
        std::string leads = "Leads";
        std::string affiliate_links = "AffiliateLinks";
        std::string threads = "conversations";
    } tables;

    Programs programs;  // Each has its own settings.
};

// Environment variables by name. Only those that begin with MAILROOM_ are looked at.
using Environment = std::map<std::string, std::string>;

// Registers an admin key at the first start. Not a setting: it is a secret, and it is read once.
constexpr std::string_view admin_key_variable = "MAILROOM_ADMIN_KEY";

struct ConfigSources {
    std::optional<std::string> file;  // A path. It must exist.
    Environment environment;
    struct Flag {
        std::string name;  // With its dashes: one of those in settings().
        std::string value;
    };
    std::vector<Flag> flags;
};

// `invalid`, with a sentence that names the place, the key and what is accepted, for: a file that
// cannot be read or is not TOML, an unknown key, a wrong type, a bad value, and settings that do
// not go together.
Result<Config> load_config(const ConfigSources& sources);
// The same into one that may have more programs. After a failure some are set.
Result<> load_config(const ConfigSources& sources, Config& config);

}  // namespace mailroom::app
