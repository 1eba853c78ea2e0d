// Just enough HTTP/1.1 to find the end of a reply: status line, Content-Length, body.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::bench {

// Collects the bytes of one reply at a time. Receive into `space`, tell how much came with
// `received`, look at the state it returns. Not thread-safe.
class ReplyReader {
public:
    enum class State {
        incomplete,
        complete,
        broken,  // Not HTTP, without a usable Content-Length, too long, or more than one reply.
    };

    ReplyReader();

    // Where the next bytes go. Never empty.
    std::span<char> space();
    State received(std::size_t bytes);

    // Only when complete; the body is valid until `reset`.
    int status() const { return status_; }
    std::string_view body() const;

    // What has arrived so far, as it came.
    std::string_view text() const { return {buffer_.data(), filled_}; }

    // Ready for the next reply.
    void reset();

private:
    bool read_head();

    std::string buffer_;
    std::size_t filled_ = 0;
    std::size_t head_bytes_ = 0;  // Zero until the blank line was seen.
    std::size_t body_bytes_ = 0;
    int status_ = 0;
};

}  // namespace mailroom::bench
