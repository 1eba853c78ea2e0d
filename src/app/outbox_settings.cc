#include "app/setting_values.h"
#include "app/settings.h"
#include "net/address.h"
#include "net/url.h"
#include "outbox/relay.h"
#include "outbox/webhook.h"
#include "smtp/server_path.h"

#include <algorithm>
#include <array>

namespace mailroom::app {

namespace {

using Type = Setting::Type;

bool assign_number(std::uint32_t& to, std::string_view text, std::uint32_t least,
                   std::uint32_t most) {
    const auto number = parse_whole_number(text, least, most);
    if (number) to = *number;
    return number.has_value();
}

bool assign_transport(std::string& to, std::string_view text) {
    const bool good = text == "capture" || text == "mx" || outbox::parse_relay_url(text);
    if (good) to = text;
    return good;
}

bool assign_hello_name(std::string& to, std::string_view text) {
    const bool good = text.empty() || smtp::is_domain(text) || smtp::is_address_literal(text);
    if (good) to = text;
    return good;
}

bool assign_unknown(UnknownMails& to, std::string_view text) {
    if (text != "hold" && text != "retry") return false;
    to = text == "hold" ? UnknownMails::hold : UnknownMails::retry;
    return true;
}

bool assign_other_programs(OtherPrograms& to, std::string_view text) {
    if (text != "send" && text != "leave") return false;
    to = text == "send" ? OtherPrograms::send : OtherPrograms::leave;
    return true;
}

bool assign_blobs(std::string& to, std::string_view text) {
    return !text.empty() && assign_optional_path(to, text);
}

bool assign_callback_url(std::string& to, std::string_view text) {
    const bool good = text.empty() || net::Url::parse(text);
    if (good) to = text;
    return good;
}

bool assign_callback_secret(std::string& to, std::string_view text) {
    const bool good = text.empty() || outbox::parse_webhook_secret(text);
    if (good) to = text;
    return good;
}

bool assign_switch(bool& to, std::string_view text) {
    if (text != "on" && text != "off") return false;
    to = text == "on";
    return true;
}

bool assign_networks(std::vector<std::string>& to, std::string_view text) {
    auto list = split_list(text);
    const bool good = std::ranges::all_of(
        list, [](const std::string& block) { return bool(net::Network::parse(block)); });
    if (good) to = std::move(list);
    return good;
}

// The name servers' form is checked where they are opened; here only that there are some.
bool assign_resolvers(std::vector<std::string>& to, std::string_view text) {
    auto list = split_list(text);
    const bool good =
        std::ranges::none_of(list, [](const std::string& server) { return server.empty(); });
    if (good) to = std::move(list);
    return good;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
}

std::string dkim_text(const Config& config) {
    std::vector<std::string> parts;
    for (const auto& key : config.dkim.keys) {
        parts.push_back(key.domain + ":" + key.selector + ":" + key.file);
    }
    return joined(parts);
}

bool assign_dkim(Config& config, std::string_view text) {
    auto keys = parse_dkim_keys(text);
    if (keys) config.dkim.keys = *std::move(keys);
    return keys.has_value();
}

constexpr std::uint32_t connections_max = 1000;  // Each may hold a mail of 40 MB in memory.
constexpr std::uint32_t port_max = 65535;
constexpr std::uint32_t rate_max = 1'000'000;  // Far more than one machine sends.
constexpr std::uint32_t retry_first_max = 3600;
constexpr std::uint32_t retry_hours_max = 14 * 24;
constexpr std::uint32_t waiting_max = 1'000'000'000;

template <std::uint32_t Config::Outbox::*number, std::uint32_t least, std::uint32_t most>
constexpr Setting number_setting(std::string_view key, std::string_view accepts,
                                 std::string_view help) {
    return {"outbox",
            key,
            Type::integer,
            accepts,
            help,
            "",
            [](Config& c, std::string_view text) {
                return assign_number(c.outbox.*number, text, least, most);
            },
            [](const Config& c) { return std::to_string(c.outbox.*number); }};
}

using Outbox = Config::Outbox;

// clang-format off
const std::array all_settings = {
    Setting{"outbox", "transport", Type::text, "capture, mx, smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…",
        "How mail leaves: kept for looking at, straight to the recipients' servers, or through a relay.", "--transport",
        [](Config& c, std::string_view text) { return assign_transport(c.outbox.transport, text); },
        [](const Config& c) { return c.outbox.transport; }, true},
    Setting{"outbox", "hello_name", Type::text, "a host name, an address in brackets, or nothing",
        "How this server introduces itself to others; nothing means the host's own name.", "",
        [](Config& c, std::string_view text) { return assign_hello_name(c.outbox.hello_name, text); },
        [](const Config& c) { return c.outbox.hello_name; }},
    number_setting<&Outbox::connections, 1, connections_max>("connections", "a whole number from 1 to 1000",
        "Connections to the relay at one time. Twice as many mails are on their way; more if that keeps the connections busy."),
    number_setting<&Outbox::mx_port, 1, port_max>("mx_port", "a whole number from 1 to 65535",
        "With mx, the port of the recipients' servers: another than 25 is for rehearsals."),
    number_setting<&Outbox::rate_per_second, 0, rate_max>("rate_per_second", "a whole number up to 1000000; 0 is no limit",
        "Mails that leave in a second, in all."),
    number_setting<&Outbox::domain_connections, 0, connections_max>("domain_connections", "a whole number up to 1000; 0 is no limit",
        "Mails to one recipient domain at one time; with mx also the connections to each of its servers (4 if there is no limit)."),
    number_setting<&Outbox::domain_rate_per_second, 0, rate_max>("domain_rate_per_second", "a whole number up to 1000000; 0 is no limit",
        "Mails to one recipient domain in a second."),
    number_setting<&Outbox::retry_first_seconds, 1, retry_first_max>("retry_first_seconds", "a whole number from 1 to 3600",
        "The pause before a mail is tried again that a server refused for now; it doubles each time, up to four hours."),
    number_setting<&Outbox::retry_hours, 1, retry_hours_max>("retry_hours", "a whole number from 1 to 336",
        "How long a mail is tried again that servers refuse for now."),
    Setting{"outbox", "unknown", Type::text, "hold or retry",
        "What to do with a mail that may have arrived, because the connection or this server ended before the answer: wait for a person, or send it again.", "",
        [](Config& c, std::string_view text) { return assign_unknown(c.outbox.unknown, text); },
        [](const Config& c) { return std::string(c.outbox.unknown == UnknownMails::hold ? "hold" : "retry"); }},
    number_setting<&Outbox::waiting_max, 1, waiting_max>("waiting_max", "a whole number from 1 to 1000000000",
        "Mails that may wait; further ones get 429 until some have left."),
    Setting{"outbox", "blobs", Type::text, "embedded, or a directory",
        "Where requests and messages are kept: beside the tables, or as files.", "",
        [](Config& c, std::string_view text) { return assign_blobs(c.outbox.blobs, text); },
        [](const Config& c) { return c.outbox.blobs; }},
    Setting{"outbox", "attachments_directory", Type::text, "a directory, or nothing",
        "Attachments given by path are looked for below it; with none they are refused.", "",
        [](Config& c, std::string_view text) { return assign_optional_path(c.outbox.attachments_directory, text); },
        [](const Config& c) { return c.outbox.attachments_directory; }},
    Setting{"outbox", "other_programs", Type::text, "send or leave",
        "What to do with mails that other programs write into the table of mails: send them, or only list and count them.", "",
        [](Config& c, std::string_view text) { return assign_other_programs(c.outbox.other_programs, text); },
        [](const Config& c) { return std::string(c.outbox.other_programs == OtherPrograms::send ? "send" : "leave"); }},
    Setting{"outbox", "shared_directory", Type::text, "a directory, or nothing",
        "Files that those programs name in their rows (requests and messages) are read if they are below it; with none they are refused.", "",
        [](Config& c, std::string_view text) { return assign_optional_path(c.outbox.shared_directory, text); },
        [](const Config& c) { return c.outbox.shared_directory; }},
    Setting{"outbox", "callback_url", Type::text, "an http or https URL, or nothing",
        "Told what became of each mail that names no callback_url of its own.", "",
        [](Config& c, std::string_view text) { return assign_callback_url(c.outbox.callback_url, text); },
        [](const Config& c) { return c.outbox.callback_url; }},
    Setting{"outbox", "callback_secret", Type::text, "whsec_ and base64, or text, or nothing",
        "Signs callbacks; with none one is made at the first start and shown by GET /v1/outbox/callback-secret.", "",
        [](Config& c, std::string_view text) { return assign_callback_secret(c.outbox.callback_secret, text); },
        [](const Config& c) { return c.outbox.callback_secret; }, true},
    Setting{"outbox", "transcripts", Type::text, "on or off",
        "Whether the dialogue with the other server is kept with each mail.", "",
        [](Config& c, std::string_view text) { return assign_switch(c.outbox.transcripts, text); },
        [](const Config& c) { return std::string(c.outbox.transcripts ? "on" : "off"); }},
    Setting{"dkim", "keys", Type::text, "DOMAIN:SELECTOR:FILE, several with commas between them, or nothing",
        "Private keys (PEM) that sign the mail of each sender domain.", "",
        assign_dkim, dkim_text},
    Setting{"net", "allow", Type::text, "blocks of addresses such as 10.0.0.0/8, with commas between them, or nothing",
        "Private addresses that callbacks, attachments by URL and mx may connect to all the same.", "",
        [](Config& c, std::string_view text) { return assign_networks(c.net.allow, text); },
        [](const Config& c) { return joined(c.net.allow); }},
    Setting{"net", "resolvers", Type::text, "addresses of name servers, each with its :PORT if that is not 53, with commas between them, or nothing",
        "Name servers to ask; nothing means those of the system.", "",
        [](Config& c, std::string_view text) { return assign_resolvers(c.net.resolvers, text); },
        [](const Config& c) { return joined(c.net.resolvers); }},
};
// clang-format on

}  // namespace

std::span<const Setting> outbox_settings() { return all_settings; }

}  // namespace mailroom::app
