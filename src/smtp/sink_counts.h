// What a Sink has seen.
#pragma once

#include "smtp/sink_options.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace mailroom::smtp {

inline constexpr std::size_t step_count = 7;

struct SinkCounts {
    struct AtStep {
        std::uint64_t accepted = 0;
        std::map<int, std::uint64_t> refused = {};  // By code.
        std::uint64_t dropped = 0, stalled = 0, rubbish = 0;
        std::uint64_t delayed = 0;  // In addition to the above.
    };

    std::uint64_t connections = 0;  // Since the start; `open` of them now.
    std::uint64_t open = 0;
    // Connections on which at least one mail was accepted.
    std::uint64_t sessions = 0;
    std::uint64_t mails = 0;  // That got 250.
    // Received whole, but the connection was dropped, stalled or answered with rubbish instead of
    // 250. The peer cannot know; they count as received below.
    std::uint64_t unknown = 0;
    std::uint64_t recipients = 0;   // Of the mails received.
    std::uint64_t bytes = 0;        // Of the mails received.
    std::uint64_t message_ids = 0;  // Different ones received.
    std::uint64_t without_message_id = 0;
    // Received for the same recipient under the same Message-ID once more.
    std::uint64_t duplicates = 0;
    std::array<AtStep, step_count> steps = {};

    AtStep& at(Step step) { return steps[static_cast<std::size_t>(step)]; }
    // One line.
    std::string json() const;
};

// The Message-ID of a message, as written, without spaces around it; empty if there is none.
std::string_view message_id_of(std::string_view data);

// Remembers which mails came for whom, by 64-bit hashes: of a million mails two are confused once
// in thirty million runs.
class SeenMails {
public:
    // Adds to the counts what this mail adds.
    void note(const Message& message, SinkCounts& counts);

private:
    std::unordered_set<std::uint64_t> message_ids_;
    std::unordered_set<std::uint64_t> deliveries_;  // Message-ID and recipient.
};

}  // namespace mailroom::smtp
