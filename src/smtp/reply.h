// What an SMTP server answers (RFC 5321, 4.2; RFC 2034 and RFC 3463 for the enhanced status).
//
//   reply := (code "-" text CRLF)* code [" " text] CRLF      the same code on every line
//   text  := [enhanced " "] words                            enhanced: 5.1.1
#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

// RFC 5321, 4.5.3.1.5 allows 512 bytes; real servers write longer ones.
inline constexpr std::size_t reply_line_bytes_max = 2048;
// The longest EHLO answers of real servers have about 30.
inline constexpr std::size_t reply_lines_max = 128;

// 5.1.1: class, subject, detail.
struct EnhancedStatus {
    int category = 0;  // 2, 4 or 5.
    int subject = 0;   // 0 to 999, as `detail`.
    int detail = 0;

    std::string text() const;
    bool operator==(const EnhancedStatus&) const = default;
};

// The status that `text` starts with. None unless a space or the end of `text` follows it.
std::optional<EnhancedStatus> parse_enhanced_status(std::string_view text);

enum class ReplyClass {
    done,      // 2xx
    go_on,     // 3xx: the server waits for more.
    for_now,   // 4xx: the same command may succeed later.
    for_good,  // 5xx
};

struct Reply {
    int code = 0;  // 200 to 599.
    std::optional<EnhancedStatus> enhanced = std::nullopt;
    std::vector<std::string> lines = {};  // Without code and status; one at least.

    ReplyClass reply_class() const;
    bool is_done() const { return reply_class() == ReplyClass::done; }
    std::string text() const;       // All lines, joined by spaces.
    std::string wire_text() const;  // As it is sent, status on each line, CRLF at the end.
};

// Puts a reply together, line by line. Control characters in the text become `?`, so that a reply
// can be logged as it is.
class ReplyParser {
public:
    // `line` without its line end. The reply if this line ends it, none if more follow. `corrupt`
    // if it is no reply line, changes the code, or is past the limits above; the parser is then
    // of no more use, and neither is the connection.
    Result<std::optional<Reply>> put(std::string_view line);

private:
    Reply reply_;
};

}  // namespace mailroom::smtp
