#include "smtp/delivery.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

namespace mailroom::smtp {
namespace {

constexpr std::size_t path_bytes_max = 254;  // RFC 5321, 4.5.3.1.3, less the angle brackets.
constexpr std::size_t host_bytes_max = 255;
constexpr std::size_t credential_bytes_max = 1024;

bool breaks_command(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == '<' || c == '>';
}

Result<> check_address(const std::string& address) {
    if (address.size() > path_bytes_max) return Error{Errc::invalid, "an address is too long"};
    if (std::ranges::any_of(address, breaks_command)) {
        return Error{Errc::invalid, "an address holds a space, a control character or a bracket"};
    }
    if (!is_utf8(address)) return Error{Errc::invalid, "an address is not UTF-8"};
    return Ok{};
}

bool is_address(const std::string& text) {
    in6_addr scratch;
    return ::inet_pton(AF_INET, text.c_str(), &scratch) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), &scratch) == 1;
}

bool is_host(const std::string& text) {
    return !text.empty() && text.size() <= host_bytes_max &&
           std::ranges::none_of(text, breaks_command);
}

bool is_credential(const std::string& text) {
    return text.size() <= credential_bytes_max && text.find('\0') == text.npos;
}

}  // namespace

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::accepted:
            return "accepted";
        case Outcome::refused_for_good:
            return "refused_for_good";
        case Outcome::refused_for_now:
            return "refused_for_now";
        case Outcome::unknown:
            break;
    }
    return "unknown";
}

std::string_view name_of(Stage stage) {
    constexpr std::string_view names[] = {"check", "connect", "greeting",  "hello", "tls",
                                          "login", "sender",  "recipient", "data",  "message"};
    return names[static_cast<std::size_t>(stage)];
}

Result<> check_mail(const Mail& mail) {
    if (mail.recipients.empty()) return Error{Errc::invalid, "there is no recipient"};
    if (mail.recipients.size() > recipients_max) {
        return Error{Errc::invalid, "there are more recipients than one mail may have"};
    }
    TRY(check_address(mail.sender));
    for (const auto& recipient : mail.recipients) {
        if (recipient.empty()) return Error{Errc::invalid, "a recipient's address is empty"};
        TRY(check_address(recipient));
    }
    return Ok{};
}

Result<> check_target(const Target& target) {
    if (!is_host(target.host)) return Error{Errc::invalid, "the server's name cannot be used"};
    if (!is_host(target.hello_name)) {
        return Error{Errc::invalid, "the name we introduce ourselves with cannot be used"};
    }
    if (target.addresses.empty()) return Error{Errc::invalid, "the server has no address"};
    if (!std::ranges::all_of(target.addresses, is_address)) {
        return Error{Errc::invalid, "an address of the server is no IP address"};
    }
    if (target.login &&
        !(is_credential(target.login->user) && is_credential(target.login->password))) {
        return Error{Errc::invalid, "user name or password is too long or holds a NUL"};
    }
    if (target.limits.connections_max == 0 || target.limits.messages_per_connection_max == 0) {
        return Error{Errc::invalid, "a limit of 0 lets no mail pass"};
    }
    return Ok{};
}

}  // namespace mailroom::smtp
