#include "outbox/settings.h"

#include "net/address.h"
#include "net/url.h"
#include "outbox/callbacks/webhook.h"
#include "outbox/transports/relay.h"
#include "program/setting_forms.h"
#include "smtp/server_path.h"

namespace mailroom::outbox {

namespace {

using program::List;
using program::OneOf;
using program::OnOff;
using program::Text;
using program::Whole;

constexpr std::uint32_t connections_max = 1000;  // Each may hold a mail of 40 MB in memory.
constexpr std::uint32_t port_max = 65535;
constexpr std::uint32_t rate_max = 1'000'000;  // Far more than one machine sends.
constexpr std::uint32_t retry_first_max_seconds = 3600;
constexpr std::uint32_t retry_max_hours = 14 * 24;
constexpr std::uint32_t waiting_max = 1'000'000'000;
constexpr std::string_view no_limit = "; 0 is no limit";

bool is_transport(std::string_view text) {
    return text == "capture" || text == "mx" || parse_relay_url(text);
}
bool is_hello_name(std::string_view text) {
    return text.empty() || smtp::is_domain(text) || smtp::is_address_literal(text);
}
bool is_callback_url(std::string_view text) { return text.empty() || net::Url::parse(text); }
bool is_secret(std::string_view text) { return text.empty() || parse_webhook_secret(text); }
bool is_network(const std::string& text) { return static_cast<bool>(net::Network::parse(text)); }
// The name servers' form is checked where they are opened; here only that there are some.
bool is_resolver(const std::string& text) { return !text.empty(); }

struct DkimKeys {
    static constexpr auto type = program::Setting::Type::text;

    std::string accepts() const {
        return "DOMAIN:SELECTOR:FILE, several with commas between them, or nothing";
    }
    bool read(std::string_view text, std::vector<DkimKey>& value) const {
        auto keys = parse_dkim_keys(text);
        if (keys) value = *std::move(keys);
        return keys.has_value();
    }
    std::string show(const std::vector<DkimKey>& value) const {
        std::vector<std::string> parts;
        for (const auto& key : value) {
            parts.push_back(key.domain + ":" + key.selector + ":" + key.file);
        }
        return program::joined_list(parts);
    }
};

}  // namespace

std::optional<std::vector<DkimKey>> parse_dkim_keys(std::string_view text) {
    std::vector<DkimKey> keys;
    for (const auto& part : program::split_list(text)) {
        const auto first = part.find(':'), second = part.find(':', first + 1);
        if (first == part.npos || second == part.npos) return std::nullopt;
        DkimKey key{part.substr(0, first), part.substr(first + 1, second - first - 1),
                    part.substr(second + 1)};
        if (!smtp::is_domain(key.domain) || !smtp::is_domain(key.selector)) return std::nullopt;
        if (key.file.empty() || !program::is_optional_path(key.file)) return std::nullopt;
        keys.push_back(std::move(key));
    }
    return keys;
}

// clang-format off
void add_settings(program::Settings& list, Settings& values) {
    list.section("tables");
    list.add("outbox", program::table_name(), values.table, "The e-mail outbox: each mail and the states it went through.");
    list.section("outbox");
    list.add("transport", Text{"capture, mx, smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…", is_transport}, values.transport,
        "How mail leaves: kept for looking at, straight to the recipients' servers, or through a relay.", {.flag = "--transport", .is_secret = true});
    list.add("hello_name", Text{"a host name, an address in brackets, or nothing", is_hello_name}, values.hello_name,
        "How this server introduces itself to others; nothing means the host's own name.");
    list.add("connections", Whole{1, connections_max}, values.connections,
        "Connections to the relay at one time. Twice as many mails are on their way; more if that keeps the connections busy.");
    list.add("mx_port", Whole{1, port_max}, values.mx_port,
        "With mx, the port of the recipients' servers: another than 25 is for rehearsals.");
    list.add("rate_per_second", Whole{0, rate_max, no_limit}, values.rate_per_second,
        "Mails that leave in a second, in all.");
    list.add("domain_connections", Whole{0, connections_max, no_limit}, values.domain_connections,
        "Mails to one recipient domain at one time; with mx also the connections to each of its servers (4 if there is no limit).");
    list.add("domain_rate_per_second", Whole{0, rate_max, no_limit}, values.domain_rate_per_second,
        "Mails to one recipient domain in a second.");
    list.add("retry_first_seconds", Whole{1, retry_first_max_seconds}, values.retry_first,
        "The pause before a mail is tried again that a server refused for now; it doubles each time, up to four hours.");
    list.add("retry_hours", Whole{1, retry_max_hours}, values.retry_for,
        "How long a mail is tried again that servers refuse for now.");
    list.add("unknown", OneOf<UnknownPolicy>(), values.unknown,
        "What to do with a mail that may have arrived, because the connection or this server ended before the answer: wait for a person, or send it again.");
    list.add("waiting_max", Whole{1, waiting_max}, values.waiting_max,
        "Mails that may wait; further ones get 429 until some have left.");
    list.add("blobs", program::path("embedded, or a directory"), values.blobs,
        "Where requests and messages are kept: beside the tables, or as files.");
    list.add("attachments_directory", program::optional_path("a directory, or nothing"), values.attachments_directory,
        "Attachments given by path are looked for below it; with none they are refused.");
    list.add("other_programs", OneOf<OtherPrograms>(), values.other_programs,
        "What to do with mails that other programs write into the table of mails: send them, or only list and count them.");
    list.add("shared_directory", program::optional_path("a directory, or nothing"), values.shared_directory,
        "Files that those programs name in their rows (requests and messages) are read if they are below it; with none they are refused.");
    list.add("callback_url", Text{"an http or https URL, or nothing", is_callback_url}, values.callback_url,
        "Told what became of each mail that names no callback_url of its own.");
    list.add("callback_secret", Text{"whsec_ and base64, or text, or nothing", is_secret}, values.callback_secret,
        "Signs callbacks; with none one is made at the first start and shown by GET /v1/outbox/callback-secret.", {.is_secret = true});
    list.add("transcripts", OnOff(), values.transcripts,
        "Whether the dialogue with the other server is kept with each mail.");
    list.section("dkim");
    list.add("keys", DkimKeys(), values.dkim_keys,
        "Private keys (PEM) that sign the mail of each sender domain.");
    list.section("net");
    list.add("allow", List{"blocks of addresses such as 10.0.0.0/8, with commas between them, or nothing", is_network}, values.allowed_networks,
        "Private addresses that callbacks, attachments by URL and mx may connect to all the same.");
    list.add("resolvers", List{"addresses of name servers, each with its :PORT if that is not 53, with commas between them, or nothing", is_resolver}, values.resolvers,
        "Name servers to ask; nothing means those of the system.");
}
// clang-format on

}  // namespace mailroom::outbox
