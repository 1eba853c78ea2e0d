// Everything that can be set, as values the program can trust.
//
// From weakest to strongest: the defaults below, a TOML file, MAILROOM_SECTION_KEY in the
// environment, flags. settings.h describes each key; docs/configuration.md is made from it.
#pragma once

#include "base/log.h"
#include "base/result.h"

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
// Signed requests come with access keys; until then the tables are for this machine only.
enum class DynamodbAuth { sigv4, none };

// What to do with a mail of which nobody knows whether it arrived.
enum class OtherPrograms { send, leave };
enum class UnknownMails { hold, retry };

// Signs for a domain.
struct DkimKey {
    std::string domain, selector, file;
    bool operator==(const DkimKey&) const = default;
};

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

    struct Outbox {
        std::string transport = "capture";  // Or mx, smtp://…, smtps://….
        std::string hello_name;             // Empty: the host's own name.
        std::uint32_t connections = 16;
        std::uint32_t mx_port = 25;
        std::uint32_t rate_per_second = 0;  // 0: no limit, here and below.
        std::uint32_t domain_connections = 0;
        std::uint32_t domain_rate_per_second = 0;
        std::uint32_t retry_first_seconds = 60;
        std::uint32_t retry_hours = 72;
        UnknownMails unknown = UnknownMails::hold;
        std::uint32_t waiting_max = 5'000'000;
        std::string blobs = "embedded";     // Or a directory.
        std::string attachments_directory;  // Empty: no attachments by path.
        std::string shared_directory;       // Empty: no files of other programs.
        OtherPrograms other_programs = OtherPrograms::send;
        std::string callback_url;     // Empty: only those that mails name.
        std::string callback_secret;  // Empty: made at the first start.
        bool transcripts = true;
    } outbox;

    struct Reminders {
        std::string from;      // Empty: only while mail is captured.
        std::string reply_to;  // Empty: the sender.
        std::string company_name = "Mailroom";
        std::string payment_details;  // How to pay; empty: not said.
        bool four_eyes = false;
        std::string writer = "template";  // Or ai.
        std::string ai_url;               // Empty: there is none.
        std::string ai_key;
        std::string ai_model = "gpt-4o-mini";
        std::uint32_t ai_timeout_seconds = 30;
        std::uint32_t first_window_days = 7;
        std::uint32_t second_window_days = 5;
        std::uint32_t second_after_days = 7;
        std::uint32_t final_window_days = 3;
        std::uint32_t final_after_days = 5;
        std::uint32_t finals_per_cycle = 2;
    } reminders;

    struct Dkim {
        std::vector<DkimKey> keys;
    } dkim;

    struct Net {
        std::vector<std::string> allow;      // Blocks of addresses: "10.0.0.0/8".
        std::vector<std::string> resolvers;  // Empty: the system's.
    } net;

    struct Log {
        log::Level level = log::Level::info;
        log::Format format = log::Format::text;
    } log;

    struct Tables {
        std::string reminders = "EmailTrackingTable";
        std::string outbox = "EmailOutbox";
        std::string chat_conversations = "Conversations";
        std::string chat_messages = "Messages";
        std::string leads = "Leads";
        std::string affiliate_links = "AffiliateLinks";
        std::string audience = "Audience";
        std::string email_events = "EmailEvents";
        std::string threads = "conversations";
    } tables;
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

}  // namespace mailroom::app
