// What the SMTP server asks of its owner, and what it is told. The server has no policy: every
// decision is a Receiver's.
#pragma once

#include "smtp/reply.h"
#include "smtp/server_path.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::smtp {

// The answer to one question.
struct Decision {
    enum class Kind {
        accept,   // Go on; `reply` replaces the usual words if it is set.
        refuse,   // Send `reply`, which is 4xx or 5xx.
        hang_up,  // Close without a word.
        stall,    // Say nothing more until the peer leaves. For rehearsals.
        raw,      // Send `raw` instead of a reply, otherwise as refuse. For rehearsals.
    };
    enum class After { go_on, close };  // Whether the connection ends after the reply.

    Kind kind = Kind::accept;
    std::optional<Reply> reply = std::nullopt;
    After after = After::go_on;
    std::string raw = {};
    // The answer takes effect after this time.
    std::chrono::milliseconds delay{0};

    static Decision accept() { return {}; }
    static Decision refuse(int code, EnhancedStatus enhanced, std::string text);
};

// Takes the one answer to a question: at once or later, from any thread. A question that is dropped
// unanswered is refused with 451, and an answer after the connection ended is ignored.
class Answer {
public:
    explicit Answer(std::function<void(Decision)> deliver) : deliver_(std::move(deliver)) {}
    Answer(Answer&& other) noexcept : deliver_(std::exchange(other.deliver_, nullptr)) {}
    Answer& operator=(Answer&&) = delete;
    ~Answer();

    void operator()(Decision decision);
    void accept() { (*this)(Decision::accept()); }
    void refuse(int code, EnhancedStatus enhanced, std::string text) {
        (*this)(Decision::refuse(code, enhanced, std::move(text)));
    }

private:
    std::function<void(Decision)> deliver_;
};

// Who is at the other end.
struct Peer {
    std::string address;     // "192.0.2.1", "2001:db8::1".
    std::uint16_t port = 0;  // Theirs.
    std::string hello = {};  // Their word for themselves; empty before EHLO or HELO.
    bool extended = false;   // It was EHLO.
    std::string tls = {};    // "TLSv1.3 TLS_AES_256_GCM_SHA384"; empty without TLS.
    std::string user = {};   // Empty until AUTH succeeded.
};

struct Credentials {
    std::string user;
    std::string password;
};

// One mail transaction.
struct Envelope {
    enum class Body { seven_bit, eight_bit };

    std::optional<Path> sender;  // None is the null sender, `<>`, of bounces.
    std::vector<Path> recipients;
    std::optional<std::uint64_t> declared_bytes;  // SIZE=
    Body body = Body::seven_bit;                  // BODY=
    bool utf8 = false;                            // SMTPUTF8
    std::optional<std::string> submitter;         // AUTH=, decoded; "<>" if unknown.
};

struct Message {
    Peer peer;
    Envelope envelope;
    std::string id;  // Ours, unique; it is in `received` and in the reply.
    // The Received: field to put before `data`, with its line end (RFC 5321, 4.4).
    std::string received;
    // As sent, dots unstuffed; every line ends with CRLF.
    std::string data;
};

// Called on the server's I/O thread, so no call may block. A connection asks one question at a
// time and goes on when it is answered; references are good for the call only.
class Receiver {
public:
    virtual ~Receiver() = default;

    // Before the greeting.
    virtual void connected(const Peer& peer, Answer answer);
    virtual void hello(const Peer& peer, Answer answer);
    // Asked only if the settings offer AUTH. Refuses unless overridden.
    virtual void authenticate(const Peer& peer, const Credentials& credentials, Answer answer);
    // `envelope` has all that MAIL said.
    virtual void sender(const Peer& peer, const Envelope& envelope, Answer answer);
    // `recipient` is not yet in `envelope`.
    virtual void recipient(const Peer& peer, const Envelope& envelope, const Path& recipient,
                           Answer answer);
    // Before the first byte of the message.
    virtual void data(const Peer& peer, const Envelope& envelope, Answer answer);
    // Accepting means that the message is stored: the peer forgets it then.
    virtual void take(Message message, Answer answer) = 0;
    // The connection is gone. For those whose `connected` was asked.
    virtual void ended(const Peer& peer);
};

}  // namespace mailroom::smtp
