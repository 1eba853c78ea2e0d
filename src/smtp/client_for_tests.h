// A client with little patience, and mails for it to send.
#pragma once

#include "smtp/client.h"
#include "smtp/scripted_peer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace mailroom::smtp {

inline Target target_at(std::uint16_t port) {
    using std::chrono::milliseconds;
    Target target{.host = "localhost",
                  .addresses = {"127.0.0.1"},
                  .port = port,
                  .hello_name = "client.example",
                  .tls = TlsMode::none};
    // Enough for a slow machine. For peers that stall there is impatient().
    const milliseconds patience(10'000);
    target.timeouts = {patience, patience, patience, patience,
                       patience, patience, patience, milliseconds(1000)};
    target.transcript_bytes_max = 16 * 1024;
    return target;
}

inline Target impatient(Target target) {
    const std::chrono::milliseconds patience(150);
    target.timeouts = {patience, patience, patience, patience,
                       patience, patience, patience, patience};
    return target;
}

inline Mail mail_to(std::vector<std::string> recipients) {
    return {.sender = "ann@sender.example",
            .recipients = std::move(recipients),
            .message = "Subject: hello\r\n\r\nHello.\r\n"};
}

inline std::unique_ptr<Client> make_client() {
    auto client = Client::create({});
    EXPECT_TRUE(client);
    return *std::move(client);
}

inline Delivery send(Client& client, const Target& target, Mail mail) {
    auto delivery = client.send_and_wait(std::make_shared<const Target>(target), mail);
    EXPECT_TRUE(delivery) << delivery.error().message;
    EXPECT_EQ(delivery->recipients.size(), mail.recipients.size());
    return *std::move(delivery);
}

// "refused_for_now sender 451": outcome, stage and code.
inline std::string brief(const Verdict& verdict) {
    return std::string(name_of(verdict.outcome)) + " " + std::string(name_of(verdict.stage)) + " " +
           std::to_string(verdict.code);
}

// Of one mail to one recipient, on a connection of its own.
inline std::string send_one(Client& client, Target target) {
    target.limits.messages_per_connection_max = 1;
    const auto delivery = send(client, target, mail_to({"bob@peer.example"}));
    return brief(delivery.recipients.at(0).verdict);
}

}  // namespace mailroom::smtp
