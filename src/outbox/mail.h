// One mail, as its _META row says.
#pragma once

#include "base/clock.h"
#include "outbox/states.h"
#include "schedule/position.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// What somebody waits for goes before what goes to many.
enum class Stream { transactional, bulk };
std::string_view name_of(Stream stream);
std::optional<Stream> stream_named(std::string_view name);

struct Recipient {
    enum class State {
        waiting,
        delivered,  // A server has taken it.
        failed,
        unknown,  // A server may have taken it.
    };
    std::string address;
    State state = State::waiting;
    int code = 0;           // The server's last answer, or 0.
    std::string text = {};  // The same in words.

    bool operator==(const Recipient&) const = default;
};
std::string_view name_of(Recipient::State state);  // "waiting", …

struct Mail {
    std::string id;  // A UUID in lower case.
    State state = State::accepted;
    std::string reason;  // Why it is in this state; empty when there is nothing to say.
    Time created, updated;
    std::string payload_path;
    std::string eml_path;              // Empty until the message is made.
    std::int64_t expires_seconds = 0;  // TTL: when the rows go, Unix seconds.

    Stream stream = Stream::transactional;
    std::string sender;  // Of the envelope. Empty for a mail to which nobody shall answer.
    std::vector<Recipient> recipients;
    std::string message_id;
    std::int64_t attempts = 0;              // To hand it over.
    Time first_due;                         // Giving up counts from here.
    bool held = false;                      // PROCESSING, and a person must say how to go on.
    bool callback = false;                  // One is to be made when it is settled.
    std::optional<schedule::Position> job;  // The job that will bring it forward.
};

}  // namespace mailroom::outbox
