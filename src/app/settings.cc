#include "app/settings.h"

#include "app/setting_values.h"
#include "base/names.h"
#include "program/setting_forms.h"

#include <algorithm>
#include <array>
#include <optional>

namespace mailroom::log {

constexpr auto names_of(Level) {
    return std::array{Name{Level::debug, "debug"}, Name{Level::info, "info"},
                      Name{Level::warn, "warn"}, Name{Level::error, "error"},
                      Name{Level::off, "off"}};
}
constexpr auto names_of(Format) {
    return std::array{Name{Format::text, "text"}, Name{Format::json, "json"}};
}

}  // namespace mailroom::log

namespace mailroom::app {

namespace {

using program::OneOf;
using program::Text;
using program::Whole;

constexpr std::uint32_t cache_mb_min = 8;            // Less does not hold one block of each kind.
constexpr std::uint32_t request_memory_mb_min = 64;  // One mail has up to 40.
constexpr std::uint32_t memory_mb_max = 1 << 20;     // A terabyte: more is a slip of the finger.

struct Listener {
    static constexpr auto type = Setting::Type::text;

    std::string accepts() const { return "HOST:PORT with an IP address or localhost"; }
    bool read(std::string_view text, ListenAddress& value) const {
        const auto address = parse_listen_address(text);
        if (address) value = *address;
        return address.has_value();
    }
    std::string show(const ListenAddress& value) const { return value.text(); }
};

struct ListenerOrOff {
    static constexpr auto type = Setting::Type::text;

    std::string accepts() const { return Listener().accepts() + ", or off"; }
    bool read(std::string_view text, std::optional<ListenAddress>& value) const {
        const auto address = parse_listen_address(text);
        if (address || text == "off") value = address;
        return address || text == "off";
    }
    std::string show(const std::optional<ListenAddress>& value) const {
        return value ? value->text() : "off";
    }
};

struct WhereTablesAre {
    static constexpr auto type = Setting::Type::text;

    std::string accepts() const { return "embedded, or dynamodb+http(s)://HOST[:PORT]"; }
    bool read(std::string_view text, std::optional<RemoteDynamodb>& value) const {
        const auto remote = parse_remote_dynamodb(text);
        if (remote || text == "embedded") value = remote;
        return remote || text == "embedded";
    }
    std::string show(const std::optional<RemoteDynamodb>& value) const {
        return value ? value->text() : "embedded";
    }
};

bool is_region(std::string_view text) {
    constexpr std::size_t chars_max = 64;
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    return !text.empty() && text.size() <= chars_max && std::ranges::all_of(text, allowed);
}

// clang-format off
void add_server(program::Settings& list, Config::Server& server) {
    list.section("server");
    list.add("data", program::path("a path"), server.data,
        "Directory that holds everything; made when missing, used by one process at a time.", {.flag = "--data"});
    list.add("http", Listener(), server.http,
        "Where the HTTP API listens; port 0 picks a free one.", {.flag = "--http"});
    list.add("dynamodb", ListenerOrOff(), server.dynamodb,
        "Where the tables listen for DynamoDB clients; port 0 picks a free one.", {.flag = "--dynamodb"});
    list.add("smtp", ListenerOrOff(), server.smtp,
        "Where programs submit mail over SMTP, with an API key as password; port 0 picks a free one.", {.flag = "--smtp"});
    list.add("smtps", ListenerOrOff(), server.smtps,
        "The same with TLS from the first byte, usually on port 465; needs tls_certificate.");
    list.add("tls_certificate", program::optional_path("a path, or nothing"), server.tls_certificate,
        "PEM file with the certificate for SMTP submission; with none there is no TLS, and only this machine can log in.");
    list.add("tls_key", program::optional_path("a path, or nothing"), server.tls_key,
        "PEM file with the key of that certificate.");
    list.add("request_memory_mb", Whole{request_memory_mb_min, memory_mb_max}, server.request_memory_mb,
        "Memory for the bodies of all requests and messages in hand, in MiB; further ones get 503 (452 over SMTP) and come again. What is made of a body takes up to six times as much.");
    list.add("durability", OneOf<Durability>(), server.durability,
        "With full, what is acknowledged is on disk; relaxed may lose the last moments and is for test data only.", {.flag = "--durability"});
}

void add_tables(program::Settings& list, Config::Tables& tables) {
    list.section("tables");
    list.add("chat_conversations", program::table_name(), tables.chat_conversations, "Support chat conversations.");
    list.add("chat_messages", program::table_name(), tables.chat_messages, "Support chat messages.");
    list.add("leads", program::table_name(), tables.leads, "Leads from chat and affiliate links.");
    list.add("affiliate_links", program::table_name(), tables.affiliate_links, "Affiliate links and their counts.");
    list.add("threads", program::table_name(), tables.threads, "E-mail conversations.");
}

void add_settings(program::Settings& list, Config& config) {
    add_server(list, config.server);
    list.section("store");
    list.add("kind", WhereTablesAre(), config.store.remote,
        "Where the tables are: in this process, or in a DynamoDB elsewhere.", {.flag = "--store"});
    list.add("cache_mb", Whole{cache_mb_min, memory_mb_max}, config.store.cache_mb,
        "Memory for the embedded tables' cache and write buffers, in MiB.");
    list.section("dynamodb");
    list.add("auth", OneOf<DynamodbAuth>(), config.dynamodb.auth,
        "Whether requests to the tables must be signed with an access key; none is for loopback only.");
    list.add("region", Text{"a region name such as eu-west-1", is_region}, config.dynamodb.region,
        "AWS region in the names (ARNs) of tables and in signatures.");
    list.section("log");
    list.add("level", OneOf<log::Level>(), config.log.level,
        "The least serious event that is written to standard error.");
    list.add("format", OneOf<log::Format>(), config.log.format,
        "Lines for people, or one JSON object per line.");
    add_tables(list, config.tables);
}
// clang-format on

}  // namespace

std::vector<Setting> settings_of(Config& config) {
    program::Settings list;
    add_settings(list, config);
    config.programs.house.add_settings(list);
    return list.all();
}

std::string settings_markdown() {
    Config defaults;
    std::string text;
    std::string_view section;
    for (const auto& setting : settings_of(defaults)) {
        if (setting.section != section) {
            section = setting.section;
            text += "\n## [" + std::string(section) + "]\n\n";
            text += "| key | default | accepts | flag | environment | what it does |\n";
            text += "| --- | --- | --- | --- | --- | --- |\n";
        }
        const auto flag =
            setting.flag.empty() ? std::string() : "`" + std::string(setting.flag) + "`";
        const auto value = setting.show();
        const auto shown = value.empty() ? "nothing" : "`" + value + "`";
        text += "| `" + std::string(setting.key) + "` | " + shown + " | " + setting.accepts +
                " | " + flag + " | `" + setting.environment() + "` | " + std::string(setting.help) +
                " |\n";
    }
    return text;
}

}  // namespace mailroom::app
