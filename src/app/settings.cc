#include "app/settings.h"

#include "app/setting_values.h"

#include <algorithm>
#include <array>
#include <vector>

namespace mailroom::app {

namespace {

using Type = Setting::Type;

// A value to parse or show goes through these two names, one pair per type of value.
template <class T>
bool assign(T& to, std::optional<T> value) {
    if (value) to = *std::move(value);
    return value.has_value();
}

template <class Enum>
struct Word {
    std::string_view word;
    Enum value;
};

template <class Enum, std::size_t n>
std::optional<Enum> value_of(const Word<Enum> (&words)[n], std::string_view text) {
    for (const auto& word : words) {
        if (word.word == text) return word.value;
    }
    return std::nullopt;
}

template <class Enum, std::size_t n>
std::string word_of(const Word<Enum> (&words)[n], Enum value) {
    return std::string(std::ranges::find(words, value, &Word<Enum>::value)->word);
}

constexpr Word<Durability> durability_words[] = {{"full", Durability::full},
                                                 {"relaxed", Durability::relaxed}};
constexpr Word<DynamodbAuth> auth_words[] = {{"sigv4", DynamodbAuth::sigv4},
                                             {"none", DynamodbAuth::none}};
constexpr Word<log::Level> level_words[] = {{"debug", log::Level::debug},
                                            {"info", log::Level::info},
                                            {"warn", log::Level::warn},
                                            {"error", log::Level::error},
                                            {"off", log::Level::off}};
constexpr Word<log::Format> format_words[] = {{"text", log::Format::text},
                                              {"json", log::Format::json}};

bool assign_listener(std::optional<ListenAddress>& to, std::string_view text) {
    if (text == "off") {
        to = std::nullopt;
        return true;
    }
    const auto address = parse_listen_address(text);
    if (address) to = address;
    return address.has_value();
}

std::string listener_text(const std::optional<ListenAddress>& address) {
    return address ? address->text() : "off";
}

bool assign_store(Config& config, std::string_view text) {
    if (text == "embedded") {
        config.store.remote = std::nullopt;
        return true;
    }
    const auto remote = parse_remote_dynamodb(text);
    if (remote) config.store.remote = remote;
    return remote.has_value();
}

bool assign_path(std::string& to, std::string_view text) {
    return !text.empty() && assign_optional_path(to, text);
}

bool assign_region(std::string& to, std::string_view text) {
    constexpr std::size_t chars_max = 64;
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    const bool good =
        !text.empty() && text.size() <= chars_max && std::ranges::all_of(text, allowed);
    if (good) to = text;
    return good;
}

template <std::string Config::Tables::*name>
bool assign_table(Config& config, std::string_view text) {
    if (!is_table_name(text)) return false;
    config.tables.*name = text;
    return true;
}

template <std::string Config::Tables::*name>
std::string table_text(const Config& config) {
    return config.tables.*name;
}

template <std::string Config::Tables::*name>
constexpr Setting table_setting(std::string_view key, std::string_view help) {
    return {"tables",
            key,
            Type::text,
            "a table name: 3 to 255 letters, digits, '_', '-' or '.'",
            help,
            "",
            assign_table<name>,
            table_text<name>};
}

constexpr std::uint32_t cache_mb_min = 8;            // Less does not hold one block of each kind.
constexpr std::uint32_t request_memory_mb_min = 64;  // One mail has up to 40.
constexpr std::uint32_t cache_mb_max = 1 << 20;      // A terabyte: more is a slip of the finger.

// clang-format off
const std::array general_settings = {
    Setting{"server", "data", Type::text, "a path",
        "Directory that holds everything; made when missing, used by one process at a time.",
        "--data",
        [](Config& c, std::string_view text) { return assign_path(c.server.data, text); },
        [](const Config& c) { return c.server.data; }},
    Setting{"server", "http", Type::text, "HOST:PORT with an IP address or localhost",
        "Where the HTTP API listens; port 0 picks a free one.", "--http",
        [](Config& c, std::string_view text) { return assign(c.server.http, parse_listen_address(text)); },
        [](const Config& c) { return c.server.http.text(); }},
    Setting{"server", "dynamodb", Type::text, "HOST:PORT with an IP address or localhost, or off",
        "Where the tables listen for DynamoDB clients; port 0 picks a free one.", "--dynamodb",
        [](Config& c, std::string_view text) { return assign_listener(c.server.dynamodb, text); },
        [](const Config& c) { return listener_text(c.server.dynamodb); }},
    Setting{"server", "smtp", Type::text, "HOST:PORT with an IP address or localhost, or off",
        "Where programs submit mail over SMTP, with an API key as password; port 0 picks a free one.", "--smtp",
        [](Config& c, std::string_view text) { return assign_listener(c.server.smtp, text); },
        [](const Config& c) { return listener_text(c.server.smtp); }},
    Setting{"server", "smtps", Type::text, "HOST:PORT with an IP address or localhost, or off",
        "The same with TLS from the first byte, usually on port 465; needs tls_certificate.", "",
        [](Config& c, std::string_view text) { return assign_listener(c.server.smtps, text); },
        [](const Config& c) { return listener_text(c.server.smtps); }},
    Setting{"server", "tls_certificate", Type::text, "a path, or nothing",
        "PEM file with the certificate for SMTP submission; with none there is no TLS, and only this machine can log in.", "",
        [](Config& c, std::string_view text) { return assign_optional_path(c.server.tls_certificate, text); },
        [](const Config& c) { return c.server.tls_certificate; }},
    Setting{"server", "tls_key", Type::text, "a path, or nothing",
        "PEM file with the key of that certificate.", "",
        [](Config& c, std::string_view text) { return assign_optional_path(c.server.tls_key, text); },
        [](const Config& c) { return c.server.tls_key; }},
    Setting{"server", "request_memory_mb", Type::integer, "a whole number from 64 to 1048576",
        "Memory for the bodies of all requests and messages in hand, in MiB; further ones get 503 (452 over SMTP) and come again. What is made of a body takes up to four times as much.", "",
        [](Config& c, std::string_view text) { return assign(c.server.request_memory_mb, parse_whole_number(text, request_memory_mb_min, cache_mb_max)); },
        [](const Config& c) { return std::to_string(c.server.request_memory_mb); }},
    Setting{"server", "durability", Type::text, "full or relaxed",
        "With full, what is acknowledged is on disk; relaxed may lose the last moments and is for test data only.", "--durability",
        [](Config& c, std::string_view text) { return assign(c.server.durability, value_of(durability_words, text)); },
        [](const Config& c) { return word_of(durability_words, c.server.durability); }},
    Setting{"store", "kind", Type::text, "embedded, or dynamodb+http(s)://HOST[:PORT]",
        "Where the tables are: in this process, or in a DynamoDB elsewhere.", "--store",
        assign_store,
        [](const Config& c) { return c.store.remote ? c.store.remote->text() : "embedded"; }},
    Setting{"store", "cache_mb", Type::integer, "a whole number from 8 to 1048576",
        "Memory for the embedded tables' cache and write buffers, in MiB.", "",
        [](Config& c, std::string_view text) { return assign(c.store.cache_mb, parse_whole_number(text, cache_mb_min, cache_mb_max)); },
        [](const Config& c) { return std::to_string(c.store.cache_mb); }},
    Setting{"dynamodb", "auth", Type::text, "sigv4 or none",
        "Whether requests to the tables must be signed with an access key; none is for loopback only.", "",
        [](Config& c, std::string_view text) { return assign(c.dynamodb.auth, value_of(auth_words, text)); },
        [](const Config& c) { return word_of(auth_words, c.dynamodb.auth); }},
    Setting{"dynamodb", "region", Type::text, "a region name such as eu-west-1",
        "AWS region in the names (ARNs) of tables and in signatures.", "",
        [](Config& c, std::string_view text) { return assign_region(c.dynamodb.region, text); },
        [](const Config& c) { return c.dynamodb.region; }},
    Setting{"log", "level", Type::text, "debug, info, warn, error or off",
        "The least serious event that is written to standard error.", "",
        [](Config& c, std::string_view text) { return assign(c.log.level, value_of(level_words, text)); },
        [](const Config& c) { return word_of(level_words, c.log.level); }},
    Setting{"log", "format", Type::text, "text or json",
        "Lines for people, or one JSON object per line.", "",
        [](Config& c, std::string_view text) { return assign(c.log.format, value_of(format_words, text)); },
        [](const Config& c) { return word_of(format_words, c.log.format); }},
    table_setting<&Config::Tables::reminders>("reminders", "Payment reminders: drafts, approvals, what was sent."),
    table_setting<&Config::Tables::outbox>("outbox", "The e-mail outbox: each mail and the states it went through."),
    table_setting<&Config::Tables::chat_conversations>("chat_conversations", "Support chat conversations."),
    table_setting<&Config::Tables::chat_messages>("chat_messages", "Support chat messages."),
    table_setting<&Config::Tables::leads>("leads", "Leads from chat and affiliate links."),
    table_setting<&Config::Tables::affiliate_links>("affiliate_links", "Affiliate links and their counts."),
    table_setting<&Config::Tables::audience>("audience", "Subscribers, tags, sequences, broadcasts, suppression."),
    table_setting<&Config::Tables::email_events>("email_events", "Opens, clicks, bounces and complaints."),
    table_setting<&Config::Tables::threads>("threads", "E-mail conversations."),
};
// clang-format on

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return result;
}

}  // namespace

std::string Setting::path() const { return std::string(section) + "." + std::string(key); }

std::string Setting::environment() const { return "MAILROOM_" + upper(section) + "_" + upper(key); }

std::span<const Setting> settings() {
    static const auto all = [] {
        std::vector<Setting> list(general_settings.begin(), general_settings.end());
        for (const auto more : {outbox_settings(), reminder_settings()}) {
            list.insert(list.end(), more.begin(), more.end());
        }
        return list;
    }();
    return all;
}

std::string settings_markdown() {
    const Config defaults;
    std::string text;
    std::string_view section;
    for (const auto& setting : settings()) {
        if (setting.section != section) {
            section = setting.section;
            text += "\n## [" + std::string(section) + "]\n\n";
            text += "| key | default | accepts | flag | environment | what it does |\n";
            text += "| --- | --- | --- | --- | --- | --- |\n";
        }
        const auto flag =
            setting.flag.empty() ? std::string() : "`" + std::string(setting.flag) + "`";
        const auto value = setting.show(defaults);
        const auto shown = value.empty() ? "nothing" : "`" + value + "`";
        text += "| `" + std::string(setting.key) + "` | " + shown + " | " +
                std::string(setting.accepts) + " | " + flag + " | `" + setting.environment() +
                "` | " + std::string(setting.help) + " |\n";
    }
    return text;
}

}  // namespace mailroom::app
