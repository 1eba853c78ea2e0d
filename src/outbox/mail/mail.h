// One mail, as its _META row says.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "outbox/mail/engagement.h"
#include "outbox/mail/states.h"
#include "people/mail_kind.h"
#include "schedule/position.h"
#include "table/value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

using people::Stream;
using people::stream_named;

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
    // A server refused it for good because there is no such address: to write there again is
    // pointless.
    bool no_such_address = false;
    // Of one that failed: who did not want it. Of rows of earlier versions nobody says.
    enum class Refuser {
        somebody,    // Who that was is only in the text.
        permission,  // It may not be written to: nobody was asked outside.
        server,      // The one that answered, or would have been asked.
        patience,    // It was refused for now for too long.
    };
    Refuser refuser = Refuser::somebody;
    std::string status = {};  // The server's enhanced code (RFC 3463), "5.1.1", if it said one.
    // Since when it may have the mail, though nobody said so; whatever was tried and said later.
    std::optional<Time> doubtful_since = std::nullopt;

    bool operator==(const Recipient&) const = default;
};
std::string_view name_of(Recipient::State state);  // "waiting", …
constexpr auto names_of(Recipient::Refuser) {
    using enum Recipient::Refuser;
    return std::array{Name{somebody, "somebody"}, Name{permission, "permission"},
                      Name{server, "server"}, Name{patience, "patience"}};
}

// Who hears of it when the mail is settled: by a job in a queue of theirs (followers.h).
struct Follow {
    std::string queue;      // Of schedule/: the follower's own. Empty: nobody asked.
    std::string key;        // What it is about there; at most follow_key_bytes_max.
    table::Item data = {};  // The follower's own; at most follow_data_bytes_max.
};

struct Mail {
    std::string id;  // A UUID in lower case.
    State state = State::accepted;
    std::string reason;  // Why it is in this state; empty when there is nothing to say.
    Time created, updated;
    std::string payload_path;
    std::string eml_path;  // Empty until the message is made.
    // When all that belongs to it goes, Unix seconds; 0: never. While it waits, that is put off,
    // and
    // its _META row has no TTL.
    std::int64_t expires_seconds = 0;

    Stream stream = Stream::transactional;
    std::string sender;  // Of the envelope. Empty for a mail to which nobody shall answer.
    std::vector<Recipient> recipients;
    std::string message_id;
    std::int64_t attempts = 0;              // To hand it over.
    Time first_due;                         // Giving up counts from here.
    bool held = false;                      // PROCESSING, and a person must say how to go on.
    bool callback = false;                  // One is to be made when it is settled.
    std::optional<schedule::Position> job;  // The job that will bring it forward.
    std::optional<Follow> follow;
    std::int64_t settlements = 0;  // How often whoever follows it, or keeps account, was told.
    std::optional<Engagement> engagement;

    // What its row is counted as, and its TTL: not always what it is, because other programs write
    // rows, too.
    std::string counted;  // "READY", "HELD", …; empty: not counted yet.
    std::int64_t counted_expiry_seconds = 0;
    // Why nothing can be made of the row, which is then INVALID for this reason; else empty.
    std::string problem;
    // Why nobody brings it forward, though it waits; it is then the reason, too.
    std::string obstacle;
    bool is_followed = false;        // The row has what we add to those of other programs.
    bool expires_too_early = false;  // It waits, and its row has a TTL all the same.

    // What the permission to send it is asked for.
    people::MailKind kind() const {
        return {stream, engagement ? engagement->topic : std::string()};
    }
};

}  // namespace mailroom::outbox
