// Sends mail over SMTP and says for each recipient what became of it.
//
//   auto client = TRY(Client::create({}));
//   const auto relay = std::make_shared<const Target>(Target{
//       .host = "smtp.example.com", .addresses = {"192.0.2.7"}, .port = 587,
//       .hello_name = "mail.example.com", .tls = TlsMode::required});
//   const auto delivery = TRY(client->send_and_wait(relay, {.sender = "a@example.com",
//       .recipients = {"b@example.org"}, .message = text}));
//
// Connections to a Target are kept for a while and used again, for so many mails. A mail whose kept
// connection turns out to be dead is tried once more on a fresh one, but only if not a byte of the
// message had left; in no other case is anything sent twice.
#pragma once

#include "base/result.h"
#include "smtp/delivery.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::smtp {

// Thread-safe. Owns its threads; all connections to one Target belong to the same one.
class Client {
public:
    struct Options {
        unsigned io_threads = 1;           // At least 1.
        std::size_t pending_max = 10'000;  // Mails taken and not yet settled: all in memory.
        std::optional<std::string> ca_file = std::nullopt;  // PEM. None: the system's.
    };

    // `invalid` if the file of authorities cannot be used.
    static Result<std::unique_ptr<Client>> create(const Options& options);
    ~Client();  // As stop(0).
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    using Done = std::function<void(Delivery)>;

    // Calls `done` once, from an I/O thread, when there is an outcome for each recipient. `done`
    // must not block or throw; it may call send(). Fails, and never calls `done`, with `invalid`
    // (see check_target() and check_mail()), `throttled` when pending_max mails are pending,
    // and `unavailable` after stop(). The Target is shared because thousands of mails have the
    // same; connections are kept by host, port, user, TLS and the name we give.
    Result<> send(std::shared_ptr<const Target> target, Mail mail, Done done);

    // The same for callers who have nothing else to do. Not from `done`.
    Result<Delivery> send_and_wait(std::shared_ptr<const Target> target, Mail mail);

    // Refuses for now what waits for a connection, lets what is under way finish within `grace`,
    // then closes: what is still under way is `unknown` or refused for now, as it stands. Every
    // `done` has been called when this returns. Not from `done`. A second call does nothing.
    void stop(std::chrono::milliseconds grace);

    struct Stats {
        std::uint64_t pending = 0;      // Mails taken and not yet settled.
        std::uint64_t connections = 0;  // Open now, or being opened.
        std::uint64_t opened = 0;       // Since the start, as all below.
        std::uint64_t reused = 0;       // Mails that went over a kept connection.
        std::uint64_t retried = 0;      // Mails whose kept connection was dead.
    };
    Stats stats() const;

private:
    class Impl;
    explicit Client(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::smtp
