// Notifications as providers send them, signed with keys made for it: tests/corpus/notifications.
#pragma once

#include "base/time_format.h"

#include <cassert>
#include <string>

namespace mailroom::engagement::notifications {

std::string vector_file(const std::string& name);

// When all of them were sent.
inline Time vector_time() { return *parse_rfc3339("2026-01-15T10:00:05Z"); }

inline const std::string vector_topic = "arn:aws:sns:eu-west-1:123456789012:mail-events";
inline const std::string vector_mailgun_key = "key-0123456789abcdef0123456789abcdef";
inline const std::string vector_sendgrid_timestamp = "1768471205";

// With the first `from` in it made `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    assert(at != text.npos);
    return text.replace(at, from.size(), to);
}

}  // namespace mailroom::engagement::notifications
