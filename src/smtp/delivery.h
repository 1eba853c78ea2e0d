// What the sending side is asked to do, and what became of it.
#pragma once

#include "net/tls.h"
#include "smtp/reply.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

enum class TlsMode {
    none,
    opportunistic,  // STARTTLS if the server has it, unverified, and clear text if that fails.
                    // With a login it means `required`.
    required,       // STARTTLS, or no mail.
    implicit,       // TLS from the first byte (port 465).
};

// Passwords are never sent in clear, except to this machine where that is allowed.
enum class ClearTextLogin { never, on_loopback };

struct Login {
    std::string user;
    std::string password;
};

// RFC 5321, 4.5.3.2, where it names a value.
struct Timeouts {
    std::chrono::milliseconds connect{std::chrono::seconds(30)};  // For each address.
    std::chrono::milliseconds greeting{std::chrono::minutes(5)};
    std::chrono::milliseconds command{std::chrono::minutes(5)};  // EHLO, AUTH, MAIL, RCPT …
    std::chrono::milliseconds tls{std::chrono::minutes(1)};
    std::chrono::milliseconds data{std::chrono::minutes(2)};
    std::chrono::milliseconds block{std::chrono::minutes(3)};  // For each 64 KB of the message.
    std::chrono::milliseconds end_of_data{std::chrono::minutes(10)};
    std::chrono::milliseconds quit{std::chrono::seconds(5)};  // Nothing is lost without an answer.
};

struct TargetLimits {
    std::size_t connections_max = 8;                // At one time.
    std::size_t messages_per_connection_max = 100;  // Many servers count, and close.
    std::chrono::milliseconds idle_max{std::chrono::seconds(10)};
};

// Where mail goes. The addresses were looked up, and judged, by the caller.
struct Target {
    std::string host;                    // Its certificate is for this name. Also names the pool.
    std::vector<std::string> addresses;  // IPv4 or IPv6, tried in this order.
    std::uint16_t port = 25;
    std::string hello_name;  // How we introduce ourselves: our host's name, or "[192.0.2.1]".
    TlsMode tls = TlsMode::opportunistic;
    net::TlsVerify verify = net::TlsVerify::peer;  // Where TLS is `required` or `implicit`.
    std::optional<Login> login = std::nullopt;
    ClearTextLogin clear_text_login = ClearTextLogin::never;
    Timeouts timeouts = {};
    TargetLimits limits = {};
    std::size_t transcript_bytes_max = 0;  // 0: no transcript is kept.
};

// Asked before the end of a message leaves, from when on the server may have taken it: with the
// recipients that it took, by their place; or with the only one, before it is heard, to save time.
// Must not block; answers once, from any thread, with what is called right before the end leaves.
// If that says no, or the answer is empty, the end does not leave: the connection is closed, and
// the recipients are refused for now. Asked again where a mail is tried on another connection
// after some of it had left.
using Leave = std::function<bool()>;
using BeforeEnd =
    std::function<void(std::vector<std::size_t> recipients, std::function<void(Leave)> answer)>;

// One message to recipients that share a Target.
struct Mail {
    std::string sender;  // Empty: a report, to which nobody shall answer.
    std::vector<std::string> recipients;
    std::string message;        // Header and body. Lone CR and LF become CR LF.
    bool utf8_header = false;   // The header has UTF-8 outside of encoded words (RFC 6531).
    BeforeEnd before_end = {};  // Empty: nobody is asked.
    // Of a mail to one recipient: that may be asked before its turn on an open connection has come,
    // of one mail for each connection, so that connections need not wait for the answer.
    bool ask_ahead = false;
};

// A thousand is what large servers take at most (RFC 5321, 4.5.3.1.8 asks for a hundred).
inline constexpr std::size_t recipients_max = 1000;

enum class Outcome {
    accepted,          // The server has answered for the message.
    refused_for_good,  // 5xx, or something we know the server cannot take.
    refused_for_now,   // 4xx, or it certainly was not taken: trying again doubles nothing.
    unknown,           // All of the message may have left and no answer came: it may be both.
};

// What was being done when the outcome was settled.
enum class Stage { check, connect, greeting, hello, tls, login, sender, recipient, data, message };

std::string_view name_of(Outcome outcome);
std::string_view name_of(Stage stage);

struct Verdict {
    Outcome outcome = Outcome::refused_for_now;
    Stage stage = Stage::check;
    int code = 0;                                         // 0: not the server's word but ours.
    std::optional<EnhancedStatus> status = std::nullopt;  // The server's, or a fitting one.
    std::string text = {};
};

struct RecipientResult {
    std::string recipient;
    Verdict verdict;
};

struct Delivery {
    std::vector<RecipientResult> recipients;  // In the order of the mail's.
    std::string peer = {};                    // "192.0.2.1:25". Empty if no connection came to be.
    std::string tls = {};  // "TLSv1.3 TLS_AES_256_GCM_SHA384". Empty if it went in clear.
    // What was said, if it was asked for: passwords masked, messages as their size.
    std::string transcript = {};
};

// `invalid` if an address could be taken for more than an address (line ends, spaces, angle
// brackets, control characters, bytes that are no UTF-8), is too long, or there are no or too many
// recipients.
Result<> check_mail(const Mail& mail);

// `invalid` if the name, an address or the way we introduce ourselves cannot be used.
Result<> check_target(const Target& target);

}  // namespace mailroom::smtp
