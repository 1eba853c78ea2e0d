// A message as DATA carries it (RFC 5321, 4.5.2): lines end in CR LF and nothing else, and a line
// that starts with a dot gets one more. So the only CR LF dot CR LF that leaves is the one that
// ends the message, and no server can be led to see an end where there is none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::smtp {

class DataText {
public:
    // Keeps a view of `message`, and a copy only if something must be changed.
    explicit DataText(std::string_view message);

    std::string_view body() const { return changed_ ? copy_ : message_; }
    std::string_view terminator() const { return ends_line_ ? ".\r\n" : "\r\n.\r\n"; }
    // As SIZE counts it (RFC 1870, 5): without the added dots and the end.
    std::size_t declared_bytes() const { return body().size() - dots_ + (ends_line_ ? 0 : 2); }
    // Where the dot of terminator() stands, counted from the start of body().
    std::size_t final_dot() const { return body().size() + (ends_line_ ? 0 : 2); }
    bool has_8bit() const { return has_8bit_; }

private:
    std::string_view message_;
    std::string copy_;
    bool changed_ = false;
    bool ends_line_ = true;
    bool has_8bit_ = false;
    std::size_t dots_ = 0;
};

}  // namespace mailroom::smtp
