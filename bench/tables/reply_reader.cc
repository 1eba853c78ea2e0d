#include "reply_reader.h"

#include <strings.h>

#include <cassert>
#include <charconv>
#include <optional>

namespace mailroom::bench {

namespace {

constexpr std::size_t buffer_bytes = 64 * 1024;            // A Query of ten items is about 5 KB.
constexpr std::size_t reply_bytes_max = 32 * 1024 * 1024;  // Twice the largest legal answer.
constexpr std::string_view blank_line = "\r\n\r\n";
constexpr std::string_view length_name = "content-length:";

template <class Number>
std::optional<Number> leading_number(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    return number;
}

std::optional<std::size_t> content_length(std::string_view head) {
    for (auto line_end = head.find("\r\n"); line_end != head.npos; line_end = head.find("\r\n")) {
        head.remove_prefix(line_end + 2);
        if (head.size() < length_name.size() || (head.front() | 0x20) != 'c') continue;
        if (strncasecmp(head.data(), length_name.data(), length_name.size()) != 0) continue;
        return leading_number<std::size_t>(head.substr(length_name.size()));
    }
    return std::nullopt;
}

}  // namespace

ReplyReader::ReplyReader() : buffer_(buffer_bytes, '\0') {}

std::span<char> ReplyReader::space() {
    if (filled_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
    return {buffer_.data() + filled_, buffer_.size() - filled_};
}

ReplyReader::State ReplyReader::received(std::size_t bytes) {
    filled_ += bytes;
    assert(filled_ <= buffer_.size());
    if (head_bytes_ == 0) {
        const auto found = text().find(blank_line);
        if (found == std::string_view::npos) {
            return filled_ < buffer_bytes ? State::incomplete : State::broken;
        }
        head_bytes_ = found + blank_line.size();
        if (!read_head()) return State::broken;
    }
    if (filled_ < head_bytes_ + body_bytes_) return State::incomplete;
    return filled_ == head_bytes_ + body_bytes_ ? State::complete : State::broken;
}

bool ReplyReader::read_head() {
    const auto head = text().substr(0, head_bytes_);
    constexpr std::string_view version = "HTTP/1.1 ";
    if (!head.starts_with(version)) return false;

    const auto status = leading_number<int>(head.substr(version.size()));
    const auto length = content_length(head);
    if (!status || !length || *length > reply_bytes_max) return false;
    status_ = *status;
    body_bytes_ = *length;
    return true;
}

std::string_view ReplyReader::body() const { return text().substr(head_bytes_, body_bytes_); }

void ReplyReader::reset() { filled_ = head_bytes_ = body_bytes_ = 0; }

}  // namespace mailroom::bench
