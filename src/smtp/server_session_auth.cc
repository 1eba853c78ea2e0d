// AUTH PLAIN and AUTH LOGIN (RFC 4954, RFC 4616).
#include "base/base64.h"
#include "base/text.h"
#include "smtp/server_session.h"

#include <algorithm>

namespace mailroom::smtp {
namespace {

// LOGIN's questions are fixed by custom: "Username:" and "Password:".
constexpr std::string_view ask_user = "VXNlcm5hbWU6";
constexpr std::string_view ask_password = "UGFzc3dvcmQ6";

}  // namespace

void ServerSession::auth(std::string_view argument) {
    if (context_.settings.auth == AuthPolicy::off) {
        return error(502, "5.5.1", "AUTH is not offered");
    }
    if (!auth_offered()) return error(538, "5.7.11", "AUTH needs TLS: say STARTTLS first");
    if (!peer_.extended) return error(503, "5.5.1", "Say EHLO first");
    if (!peer_.user.empty()) return error(503, "5.5.1", "You are authenticated already");
    if (has_sender_) return error(503, "5.5.1", "A mail is under way");

    const auto space = std::min(argument.find(' '), argument.size());
    const auto mechanism = argument.substr(0, space);
    const bool has_initial = space < argument.size();
    auto initial = argument.substr(std::min(space + 1, argument.size()));
    // RFC 4954, section 4: "=" is an empty initial response.
    if (initial == "=") initial = {};
    credentials_ = {};
    if (ascii_equal_ignoring_case(mechanism, "PLAIN")) {
        auth_step_ = AuthStep::plain;
        if (!has_initial) return reply(334, "", "");
    } else if (ascii_equal_ignoring_case(mechanism, "LOGIN")) {
        auth_step_ = AuthStep::login_user;
        if (!has_initial) return reply(334, "", ask_user);
    } else {
        return error(504, "5.5.4", "The mechanisms are PLAIN and LOGIN");
    }
    auth_line(initial);
}

void ServerSession::auth_line(std::string_view line) {
    const auto step = std::exchange(auth_step_, AuthStep::none);
    if (line == "*") return error(501, "5.7.0", "Authentication cancelled");
    auto decoded = base64_decode(line);
    if (!decoded) return error(501, "5.5.2", "The response is not base 64");
    switch (step) {
        case AuthStep::none:
            return;
        case AuthStep::plain:
            return auth_plain(*decoded);
        case AuthStep::login_user:
            credentials_.user = *std::move(decoded);
            auth_step_ = AuthStep::login_password;
            return reply(334, "", ask_password);
        case AuthStep::login_password:
            credentials_.password = *std::move(decoded);
            return check_credentials();
    }
}

//   message := [authorise-as] NUL user NUL password
void ServerSession::auth_plain(std::string_view text) {
    const auto first = text.find('\0');
    const auto second = first == text.npos ? text.npos : text.find('\0', first + 1);
    if (second == text.npos) return error(501, "5.5.2", "The response is not as PLAIN wants it");
    const auto authorise_as = text.substr(0, first);
    credentials_.user = text.substr(first + 1, second - first - 1);
    credentials_.password = text.substr(second + 1);
    if (!authorise_as.empty() && authorise_as != credentials_.user) {
        credentials_ = {};
        return error(535, "5.7.8", "Nobody may act for another user");
    }
    check_credentials();
}

void ServerSession::check_credentials() {
    const auto has_control = [](const std::string& text) {
        return std::ranges::any_of(text,
                                   [](char c) { return static_cast<unsigned char>(c) < ' '; });
    };
    if (credentials_.user.empty() || has_control(credentials_.user) ||
        has_control(credentials_.password)) {
        credentials_ = {};
        return error(501, "5.5.2", "The user name or password is malformed");
    }
    ask(Step::auth);
}

}  // namespace mailroom::smtp
