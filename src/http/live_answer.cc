#include "http/live_answer.h"

#include "base/log.h"

#include <charconv>
#include <utility>

namespace mailroom::http {

namespace {

// chunk := length in hexadecimal, CRLF, bytes, CRLF (RFC 9112, 7.1); the last one has no bytes.
void append_chunk(std::string& output, std::string_view bytes) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, bytes.size(), 16).ptr;
    output.append(digits, static_cast<std::size_t>(end - digits));
    output += "\r\n";
    output += bytes;
    output += "\r\n";
}
constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace

LiveAnswer::LiveAnswer(std::shared_ptr<const Streamed> how, std::shared_ptr<Stream> stream,
                       bool ends_with_connection)
    : streamed_(std::move(how)),
      stream_(std::move(stream)),
      ends_with_connection_(ends_with_connection) {}

LiveAnswer::LiveAnswer(std::shared_ptr<const Upgrade> how, std::shared_ptr<Stream> stream,
                       WebSocketSteps& steps)
    : upgrade_(std::move(how)),
      stream_(std::move(stream)),
      engine_(std::make_unique<WebSocketEngine>(steps, *upgrade_)) {}

LiveAnswer::~LiveAnswer() {
    stream_->gone();
    if (listener_) listener_->on_gone();
}

LiveAnswer::Outcome LiveAnswer::begin(std::string& output) {
    if (!engine_) {
        streamed_->begin(stream_);
        return Outcome::goes_on;
    }
    if (!engine_->accept(output)) return Outcome::over;
    listener_ = upgrade_->options.begin(std::make_shared<WebSocket>(stream_));
    engine_->listen(*listener_, output);
    return engines_outcome();
}

LiveAnswer::Outcome LiveAnswer::put(const Piece& piece, std::string& output) {
    switch (piece.last) {
        case Piece::Last::no:
            return put_bytes(*piece.bytes, output);
        case Piece::Last::whole:
            return finish(output);
        case Piece::Last::cut:
            return Outcome::broken;
        case Piece::Last::close:
            if (!engine_) return Outcome::broken;
            engine_->close(piece.close_code, *piece.bytes, output);
            return engines_outcome();
    }
    return Outcome::broken;
}

LiveAnswer::Outcome LiveAnswer::put_bytes(const std::string& bytes, std::string& output) {
    sent_bytes_ += bytes.size();
    if (engine_) {
        // Nothing follows a frame that closes.
        if (engine_->is_open()) output += bytes;
        return engines_outcome();
    }
    if (streamed_->bytes) {
        // What is too much would be read as the next answer.
        if (sent_bytes_ > *streamed_->bytes) return Outcome::broken;
        output += bytes;
    } else if (ends_with_connection_) {
        output += bytes;
    } else {
        append_chunk(output, bytes);
    }
    return Outcome::goes_on;
}

LiveAnswer::Outcome LiveAnswer::finish(std::string& output) {
    if (engine_) return stop(output);
    if (streamed_->bytes) {
        return sent_bytes_ == *streamed_->bytes ? Outcome::whole : Outcome::broken;
    }
    if (ends_with_connection_) return Outcome::over;
    output += last_chunk;
    return Outcome::whole;
}

LiveAnswer::Outcome LiveAnswer::read(std::string_view bytes, std::string& output) {
    engine_->feed(bytes, output);
    return engines_outcome();
}

LiveAnswer::Outcome LiveAnswer::engines_outcome() const {
    return engine_->is_over() ? Outcome::over : Outcome::goes_on;
}

void LiveAnswer::beat(std::string& output) {
    if (engine_) {
        if (engine_->is_open()) output += ping_frame();
    } else if (!streamed_->heartbeat.empty()) {
        put_bytes(streamed_->heartbeat, output);
    }
}

LiveAnswer::Outcome LiveAnswer::stop(std::string& output) {
    if (!engine_) return finish(output);
    engine_->close(close_going_away, "", output);
    return engines_outcome();
}

void LiveAnswer::taken(const Piece& piece, std::size_t unsent_bytes) {
    const bool counts = piece.last == Piece::Last::no;
    stream_->piece_taken(counts ? piece.bytes->size() : 0, unsent_bytes);
}

}  // namespace mailroom::http
