#include "engagement/notifications/told.h"

#include "base/hex.h"
#include "base/text.h"
#include "base/time_format.h"

#include <openssl/sha.h>

#include <chrono>

namespace mailroom::engagement::notifications {

namespace {

constexpr std::size_t kept_text_bytes_max = 2000;
constexpr std::size_t id_hex_digits = 40;

// Before mail was read, and after this program.
constexpr Time earliest{std::chrono::sys_days{std::chrono::year(2000) / 1 / 1}};
constexpr Time latest{std::chrono::sys_days{std::chrono::year(2200) / 1 / 1}};

}  // namespace

std::string told_id(std::string_view provider, std::initializer_list<std::string_view> parts) {
    std::string text;
    // The length before each keeps "a" "bc" and "ab" "c" apart.
    for (const auto part : parts) text.append(std::to_string(part.size())).append(":").append(part);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
    const auto hex = hex_encode({reinterpret_cast<const char*>(digest), sizeof digest});
    return std::string(provider) + ":" + hex.substr(0, id_hex_digits);
}

std::optional<json::View> member(const json::View& of, std::string_view name) {
    if (of.type() != json::View::Type::object) return std::nullopt;
    return of.find(name);
}

std::string_view text_member(const json::View& of, std::string_view name) {
    const auto found = member(of, name);
    return found && found->type() == json::View::Type::text ? found->text() : "";
}

std::optional<std::int64_t> integer_member(const json::View& of, std::string_view name) {
    const auto found = member(of, name);
    if (!found || found->type() != json::View::Type::integer) return std::nullopt;
    return found->integer();
}

bool is_member_true(const json::View& of, std::string_view name) {
    const auto found = member(of, name);
    return found && found->type() == json::View::Type::boolean && found->boolean();
}

Result<Time> time_member(const json::View& of, std::string_view name) {
    const auto time = parse_rfc3339(text_member(of, name));
    return checked_time(time ? std::optional(*time) : std::nullopt, name);
}

Result<Time> checked_time(std::optional<Time> time, std::string_view name) {
    if (!time || *time < earliest || *time > latest) {
        return Error{Errc::invalid, std::string(name) + " is no time"};
    }
    return *time;
}

std::string message_id_of(std::string_view text) {
    text = trim(text);
    if (text.starts_with('<')) text.remove_prefix(1);
    if (text.ends_with('>')) text.remove_suffix(1);
    return kept_text(text);
}

Bounce bounce_of(bounces::Cause cause, std::string_view type, std::string_view diagnostic,
                 std::string_view provider) {
    const auto severity = severity_of(cause);
    return {.severity = severity,
            .type = std::string(type.empty() ? bounces::bounce_type(severity) : type),
            .subclass = std::string(name_of(cause)),
            .diagnostic = kept_text(diagnostic),
            .provider = std::string(provider),
            .notification_id = {}};
}

std::string kept_text(std::string_view text) {
    return std::string(truncate_utf8(text, kept_text_bytes_max));
}

}  // namespace mailroom::engagement::notifications
