#include "outbox/callbacks/webhook.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "json/json.h"
#include "json/writer.h"
#include "outbox/mail/json_text.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cassert>

namespace mailroom::outbox {
namespace {

constexpr std::size_t secret_bytes_min = 24;  // Standard Webhooks: 24 to 64 bytes.

std::string_view event_name(State state) {
    return state == State::sent     ? "email.sent"
           : state == State::failed ? "email.failed"
                                    : "email.invalid";
}

void write_recipients(json::Writer& writer, const std::vector<Recipient>& recipients) {
    writer.open_list();
    for (const auto& recipient : recipients) {
        writer.open_object();
        writer.key("address").text(recipient.address);
        writer.key("state").text(name_of(recipient.state));
        writer.key("code").integer(recipient.code);
        writer.key("text").text(recipient.text);
        if (recipient.doubtful_since) {
            writer.key("may_have_arrived_at").text(format_rfc3339(*recipient.doubtful_since));
        }
        writer.close_object();
    }
    writer.close_list();
}

}  // namespace

Result<std::string> parse_webhook_secret(std::string_view text) {
    constexpr std::string_view prefix = "whsec_";
    std::string secret(text);
    if (text.starts_with(prefix)) {
        auto decoded = base64_decode(text.substr(prefix.size()));
        if (!decoded) {
            return Error{Errc::invalid, "the webhook secret must have base64 after \"whsec_\""};
        }
        secret = *std::move(decoded);
    }
    if (secret.size() < secret_bytes_min) {
        return Error{Errc::invalid, "the webhook secret must have at least " +
                                        std::to_string(secret_bytes_min) + " bytes"};
    }
    return secret;
}

std::string webhook_signature(std::string_view secret, std::string_view id,
                              std::string_view timestamp, std::string_view body) {
    std::string text;
    text.reserve(id.size() + timestamp.size() + body.size() + 2);
    text.append(id).append(".").append(timestamp).append(".").append(body);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    [[maybe_unused]] const auto* made =
        HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &length);
    assert(made != nullptr);
    return "v1," + base64_encode({reinterpret_cast<const char*>(digest), length});
}

net::Headers webhook_headers(const std::vector<std::string>& keys, std::string_view id, Time now,
                             std::string_view body) {
    const auto timestamp = std::to_string(to_unix_seconds(now));
    net::Headers headers = {{"Content-Type", "application/json"},
                            {"User-Agent", "Mailroom"},
                            {"webhook-id", std::string(id)},
                            {"webhook-timestamp", timestamp}};
    std::string signatures;
    for (const auto& key : keys) {
        if (!signatures.empty()) signatures += ' ';
        signatures += webhook_signature(key, id, timestamp, body);
    }
    if (!signatures.empty()) headers.emplace_back("webhook-signature", std::move(signatures));
    return headers;
}

Result<CallbackWishes> read_callback_wishes(std::string_view payload) {
    json::Parser parser;
    const auto parsed = parser.parse(payload);
    if (!parsed || parsed->type() != json::View::Type::object) {
        return Error{Errc::invalid, "the payload is no JSON object"};
    }
    CallbackWishes wishes;
    const auto url = parsed->find("callback_url");
    if (url && url->type() == json::View::Type::text) wishes.url = std::string(url->text());
    const auto tags = parsed->find("tags");
    if (tags && tags->type() == json::View::Type::list) wishes.tags = json_text(*tags);
    const auto metadata = parsed->find("metadata");
    if (metadata && metadata->type() == json::View::Type::object) {
        wishes.metadata = json_text(*metadata);
    }
    return wishes;
}

std::optional<State> told_state(State state) {
    switch (state) {
        case State::sent:
        case State::calling_sent_callback:
            return State::sent;
        case State::failed:
        case State::calling_failed_callback:
            return State::failed;
        case State::invalid:
            return State::invalid;
        default:
            return std::nullopt;
    }
}

std::string webhook_id(const Mail& mail, Time reached) {
    return mail.id + "-" + std::to_string(to_unix_ms(reached));
}

std::string webhook_body(const Mail& mail, Time reached, const CallbackWishes& wishes) {
    const auto state = told_state(mail.state);
    assert(state);
    std::string body;
    json::Writer writer(body);
    writer.open_object();
    writer.key("type").text(event_name(*state));
    writer.key("timestamp").text(format_rfc3339(reached));
    writer.key("id").text(mail.id);
    writer.key("state").text(name_of(*state));
    writer.key("reason").text(mail.reason);
    writer.key("recipients");
    write_recipients(writer, mail.recipients);
    writer.key("message_id").text(mail.message_id);
    writer.key("created_at").text(format_rfc3339_seconds(mail.created));
    writer.key("reached_at").text(format_rfc3339_seconds(reached));
    writer.key("tags").value() += wishes.tags;
    writer.key("metadata").value() += wishes.metadata;
    writer.key("code").text(*state == State::sent ? "TRAVELING" : "DISPATCH-ERROR");
    writer.key("message_ids").open_list().text(mail.id).close_list();
    writer.close_object();
    return body;
}

}  // namespace mailroom::outbox
