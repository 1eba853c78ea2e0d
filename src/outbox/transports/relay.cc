#include "outbox/transports/relay.h"

#include "base/hex.h"
#include "base/text.h"
#include "outbox/transports/handover.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace mailroom::outbox {
namespace {

Error no_relay_url(const std::string& why) {
    return {Errc::invalid, "the relay's address " + why +
                               "; it looks like smtp://user:password@mail.example.com:587"};
}

Result<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const auto byte = hex_decode(text.substr(i + 1, 2));
        if (!byte || byte->size() != 1) return no_relay_url("has a \"%\" without two hex digits");
        decoded += *byte;
        i += 2;
    }
    return decoded;
}

Result<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (problem != std::errc() || end != text.data() + text.size() || port == 0) {
        return no_relay_url("has a port that is no number from 1 to 65535");
    }
    return port;
}

bool is_host_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

Result<> read_host_and_port(std::string_view text, RelayOptions& options) {
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        const auto address = net::IpAddress::parse(text.substr(1, end == text.npos ? 0 : end - 1));
        if (!address) return no_relay_url("has brackets without an IPv6 address in them");
        options.host = address->text();
        port = text.substr(end + 1);
    } else {
        const auto colon = std::min(text.find(':'), text.size());
        options.host = ascii_lower(text.substr(0, colon));
        port = text.substr(colon);
        if (options.host.empty() || !std::ranges::all_of(options.host, is_host_character)) {
            return no_relay_url("has no usable host name");
        }
    }
    if (port.empty()) return Ok{};
    if (port.front() != ':') return no_relay_url("has something after the host");
    options.port = TRY(parse_port(port.substr(1)));
    return Ok{};
}

Result<> read_login(std::string_view text, RelayOptions& options) {
    const auto colon = text.find(':');
    if (colon == 0 || colon == text.npos) return no_relay_url("has a user without a password");
    auto user = TRY(percent_decoded(text.substr(0, colon)));
    auto password = TRY(percent_decoded(text.substr(colon + 1)));
    options.login = smtp::Login{std::move(user), std::move(password)};
    options.tls = smtp::TlsMode::required;
    options.port = 587;
    return Ok{};
}

}  // namespace

Result<RelayOptions> parse_relay_url(std::string_view text) {
    RelayOptions options;
    const auto scheme_end = text.find("://");
    const auto scheme = ascii_lower(text.substr(0, std::min(scheme_end, text.size())));
    if (scheme_end == text.npos || (scheme != "smtp" && scheme != "smtps")) {
        return no_relay_url("does not begin with smtp:// or smtps://");
    }
    auto rest = text.substr(scheme_end + 3);
    if (rest.ends_with('/')) rest.remove_suffix(1);
    // The last one: people forget to encode an "@" in a password.
    const auto at = rest.rfind('@');
    if (at != rest.npos) {
        TRY(read_login(rest.substr(0, at), options));
        rest.remove_prefix(at + 1);
    }
    if (scheme == "smtps") {
        options.tls = smtp::TlsMode::implicit;
        options.port = 465;
    }
    TRY(read_host_and_port(rest, options));
    return options;
}

Relay::Relay(net::Resolver& resolver, const Clock& clock, RelayOptions options,
             std::unique_ptr<smtp::Client> client)
    : resolver_(resolver),
      options_(std::move(options)),
      health_(std::make_shared<RelayHealth>(clock, options_.host)),
      client_(std::move(client)) {}

Result<std::unique_ptr<Relay>> Relay::open(net::Resolver& resolver, const Clock& clock,
                                           RelayOptions options) {
    auto client = TRY(smtp::Client::create(options.client));
    std::unique_ptr<Relay> relay(new Relay(resolver, clock, std::move(options), std::move(client)));
    // Everything but the address is known now, so what is wrong with it is said now.
    TRY(smtp::check_target(relay->target_at({"127.0.0.1"})));
    return relay;
}

smtp::Target Relay::target_at(std::vector<std::string> addresses) const {
    return {.host = options_.host,
            .addresses = std::move(addresses),
            .port = options_.port,
            .hello_name = options_.hello_name,
            .tls = options_.tls,
            .verify = options_.verify,
            .login = options_.login,
            .clear_text_login = options_.clear_text_login,
            .timeouts = options_.timeouts,
            .limits = options_.limits,
            .transcript_bytes_max = options_.transcript_bytes_max};
}

Result<std::shared_ptr<const smtp::Target>> Relay::target() {
    std::vector<std::string> addresses;
    if (const auto literal = net::IpAddress::parse(options_.host)) {
        addresses = {literal->text()};
    } else if (options_.host == "localhost") {
        addresses = {"127.0.0.1", "::1"};  // RFC 6761, 6.3: not asked of anybody.
    } else {
        const auto found = resolver_.addresses(options_.host);
        if (!found) {
            return Error{Errc::unavailable, "the relay " + options_.host +
                                                " cannot be found: " + found.error().message};
        }
        for (const auto& address : *found) addresses.push_back(address.text());
    }
    const std::lock_guard lock(mutex_);
    if (!target_ || target_->addresses != addresses) {
        target_ = std::make_shared<const smtp::Target>(target_at(std::move(addresses)));
    }
    return target_;
}

void Relay::send(Outgoing mail, Done done) {
    if (const auto refusal = health_->refusal()) {
        return done(refuse_all(mail.recipients, *refusal));
    }
    auto target = this->target();
    if (!target) {
        auto verdict = verdict_of(target.error());
        verdict.stage = smtp::Stage::connect;
        const auto unknown = refuse_all(mail.recipients, verdict);
        health_->note(unknown);
        return done(unknown);
    }
    hand_over(*client_, *std::move(target), std::move(mail),
              [health = health_, done = std::move(done)](smtp::Delivery delivery) {
                  health->note(delivery);
                  done(std::move(delivery));
              });
}

void Relay::stop(std::chrono::milliseconds grace) { client_->stop(grace); }

}  // namespace mailroom::outbox
