// What one SMTP listener offers, and what one client, and all of them together, may ask of it.
#pragma once

#include "base/byte_budget.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mailroom::smtp {

enum class AuthPolicy { off, offered, required };
enum class TlsPolicy { off, offered, required, implicit };
// A line end that is not CRLF. Passed on, it lets a message end in one server's eyes and go on in
// another's.
enum class BareNewlines { refuse, make_crlf };
// What to do with a client that talks before it was its turn, as many spam programs do.
enum class EarlyTalkers { tolerate, refuse };

struct ServerLimits {
    // In all and from one address (an IPv6 address counts as its /64). For a further one the one
    // that has been silent for longest gets 421, those that have not logged in first; if none is
    // silent, the newcomer.
    std::size_t connections_max = 1000;
    std::size_t connections_per_address_max = 100;

    // RFC 5321, 4.5.3.1.8 asks for 100 at least; what is over gets 452 and comes again.
    std::size_t recipients_max = 1000;
    std::uint64_t message_bytes_max = 40 * 1024 * 1024;
    // Messages arriving or being stored, of all connections. Further ones get 452.
    std::uint64_t memory_bytes_max = 512 * 1024 * 1024;
    // Of what others hold as well, if any; must outlive the server.
    ByteBudget* shared_memory = nullptr;
    // RFC 5321, 4.5.3.1.4 with room for ESMTP parameters.
    std::size_t command_bytes_max = 2048;
    // RFC 4954, section 4.
    std::size_t auth_bytes_max = 12288;
    // RFC 5321 allows 998, and programs that write HTML often do not know.
    std::size_t text_line_bytes_max = 256 * 1024;

    // Per connection; then 421.
    std::size_t errors_max = 20;        // Commands that were wrong.
    std::size_t refusals_max = 500;     // By the Receiver: guessing addresses is dear.
    std::size_t auth_failures_max = 3;  // Guessing passwords too.
    std::size_t commands_max = 100'000;
    std::size_t idle_commands_max = 200;  // NOOP, RSET … with no message between them.

    // Between commands, measured from the last reply, so that single bytes do not prolong it. RFC
    // 5321, 4.5.3.2.7.
    std::chrono::milliseconds idle_max = std::chrono::minutes(5);
    // Where a login is required: from the connection to the login, whatever is said between.
    std::chrono::milliseconds login_max = std::chrono::seconds(60);
    std::chrono::milliseconds tls_handshake_max = std::chrono::seconds(60);
    // A message or chunk gets this long, more for the bytes that arrived at the rate below, and
    // never longer than data_total_max.
    std::chrono::milliseconds data_max = std::chrono::minutes(2);
    std::uint64_t data_bytes_per_second_min = 1024;
    std::chrono::milliseconds data_total_max = std::chrono::minutes(30);
    // For the Receiver; then 451 and the connection ends. Clients wait 10 minutes for the last dot.
    std::chrono::milliseconds answer_max = std::chrono::minutes(5);
    // For the peer to read our replies.
    std::chrono::milliseconds write_max = std::chrono::seconds(60);
    // After the last reply: for the peer to leave, and how much it may still say.
    std::chrono::milliseconds linger_max = std::chrono::seconds(5);
    std::uint64_t linger_bytes_max = 1024 * 1024;
    // One connection in all, whatever it does; it ends between messages.
    std::chrono::milliseconds session_max = std::chrono::hours(2);

    // How often the times above are looked at. All are rounded up to this.
    std::chrono::milliseconds sweep_interval = std::chrono::seconds(1);
};

struct ServerSettings {
    // Our own name, in the greeting and in Received:. A domain or an address literal.
    std::string host_name = "localhost";
    TlsPolicy tls = TlsPolicy::off;
    AuthPolicy auth = AuthPolicy::off;
    // Passwords in the clear. For loopback and tests.
    bool auth_without_tls = false;
    BareNewlines bare_newlines = BareNewlines::refuse;
    EarlyTalkers early_talkers = EarlyTalkers::tolerate;
    // How long a client is left to show that it does not wait for the greeting.
    std::chrono::milliseconds greeting_delay{0};
    ServerLimits limits = {};
};

}  // namespace mailroom::smtp
