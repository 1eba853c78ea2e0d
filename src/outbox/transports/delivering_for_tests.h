// Mails for transports under test, and their answers in few words.
#pragma once

#include "outbox/transports/transport.h"

#include <chrono>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::outbox {

// Enough for a slow machine, and a test that hangs ends.
inline smtp::Timeouts short_timeouts() {
    const std::chrono::milliseconds patience(10'000);
    return {patience, patience, patience, patience,
            patience, patience, patience, std::chrono::milliseconds(1000)};
}

inline Outgoing mail_to(std::vector<std::string> recipients) {
    return {.id = "11111111-2222-4333-8444-555555555555",
            .sender = "a@example.com",
            .recipients = std::move(recipients),
            .message = "From: a@example.com\r\nSubject: hello\r\n\r\nHello.\r\n"};
}

inline smtp::Delivery deliver(Transport& transport, Outgoing mail) {
    std::promise<smtp::Delivery> settled;
    transport.send(std::move(mail),
                   [&settled](smtp::Delivery delivery) { settled.set_value(std::move(delivery)); });
    return settled.get_future().get();
}

// "accepted message 250, refused_for_now recipient 451": outcome, stage and code of each.
inline std::string briefs(const smtp::Delivery& delivery) {
    std::string text;
    for (const auto& [recipient, verdict] : delivery.recipients) {
        if (!text.empty()) text += ", ";
        text.append(name_of(verdict.outcome)).append(" ").append(name_of(verdict.stage));
        text.append(" ").append(std::to_string(verdict.code));
    }
    return text;
}

}  // namespace mailroom::outbox
