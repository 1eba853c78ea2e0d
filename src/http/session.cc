#include "http/session.h"

#include "base/log.h"
#include "http/response_text.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <exception>
#include <utility>

namespace mailroom::http {
namespace {

// Answers to pipelined requests are gathered up to this, then written.
constexpr std::size_t output_bytes_gathered = 64 * 1024;
// A buffer that a large request or answer has grown beyond this is given back.
constexpr std::size_t kept_buffer_bytes_max = 256 * 1024;

// A connection keeps no more than this between answers, so that thousands of idle ones are cheap.
constexpr std::size_t kept_answer_bytes_max = 4 * 1024;

// Bodies in hand are gone soon.
constexpr const char* retry_after_seconds = "1";
// A header that takes longer than so many sweeps does not come in one piece.
constexpr std::uint64_t dripping_ticks_min = 5;

constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

void add_one(std::atomic<std::uint64_t>& counter) {
    // One writer, so no read-modify-write is needed.
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK; }

ssize_t receive(int socket, std::vector<char>& into) {
    for (;;) {
        const auto count = ::recv(socket, into.data(), into.size(), 0);
        if (count >= 0 || errno != EINTR) return count;
    }
}

}  // namespace

Session::Session(SessionContext& context, int socket, std::uint32_t slot, std::string peer)
    : context_(context),
      socket_(socket),
      slot_(slot),
      peer_(std::move(peer)),
      number_(++context.last_session),
      parser_(context.limits, context.handler),
      since_tick_(context.tick) {}

Session::~Session() { close(); }

bool Session::has_request() const {
    if (state_ == State::streaming) return !live_->is_endless();
    return state_ == State::body || state_ == State::answering || state_ == State::sending;
}

void Session::enter(State state) {
    state_ = state;
    since_tick_ = context_.tick;
}

void Session::close() {
    if (socket_ < 0) return;
    ::close(socket_);
    socket_ = -1;
    state_ = State::closed;
    wants_turn_ = wants_flush_ = false;
    context_.output.clear();
    live_.reset();
}

void Session::on_event(std::uint32_t events) {
    if (closed()) return;
    if (events & (EPOLLHUP | EPOLLERR)) return close();
    if (events & EPOLLRDHUP) peer_finished_ = true;
    if (events & (EPOLLIN | EPOLLRDHUP)) readable_ = true;
    if (!unsent_.empty() && (events & EPOLLOUT)) flush();
    advance();
}

void Session::on_turn() { advance(); }

void Session::on_flush() {
    if (!wants_flush_ || closed()) return;
    flush();
}

void Session::on_answer(const Ticket& ticket, std::variant<Response, Piece> answer) {
    if (ticket.serial != serial_in_hand_) return;
    if (auto* response = std::get_if<Response>(&answer)) {
        if (state_ != State::answering) return;
        respond(std::move(*response));
    } else {
        if (state_ != State::streaming) return;
        put_piece(std::get<Piece>(answer));
    }
    advance();
}

// Reads, parses and answers until it has to wait for the peer, the handler or its next turn.
void Session::advance() {
    wants_turn_ = false;
    if (receiving() && !pending_.empty()) pending_.erase(0, consume(pending_));
    for (int reads = 0; receiving() && readable_; ++reads) {
        if (reads == reads_per_turn_max) {
            wants_turn_ = true;
            break;
        }
        if (!fill()) break;
    }
    if (state_ == State::streaming) read_live();
    if (state_ == State::lingering) drain();
    hold_output();
    if (pending_.empty() && pending_.capacity() > kept_buffer_bytes_max) pending_ = {};
}

// One read, parsed. False when there was nothing to read.
bool Session::fill() {
    const auto count = read_into_context();
    if (count == 0) return false;
    const std::string_view bytes(context_.input.data(), count);
    if (pending_.empty()) {
        pending_ = bytes.substr(consume(bytes));
    } else {
        pending_ += bytes;
        pending_.erase(0, consume(pending_));
    }
    return true;
}

std::size_t Session::read_into_context() {
    auto& input = context_.input;
    const auto count = receive(socket_, input);
    if (count > 0) {
        // A read that did not fill the buffer has emptied the socket (epoll(7)), unless the end of
        // the stream was announced together with these bytes.
        const auto read = static_cast<std::size_t>(count);
        readable_ = read == input.size() || peer_finished_;
        return read;
    }
    if (count < 0 && would_block()) {
        readable_ = false;
        return 0;
    }
    // The end, or an error. A half-read request will never be whole; answers are all written.
    flush();
    if (state_ != State::sending) {
        close();
    } else {
        readable_ = false;
        close_after_send_ = true;
    }
    return 0;
}

// Parses as many requests as `bytes` hold and can be taken up now. Returns how much was used.
std::size_t Session::consume(std::string_view bytes) {
    std::size_t used = 0;
    while (receiving() && used < bytes.size()) {
        if (!parse(bytes, used)) break;
        if (context_.output.size() >= output_bytes_gathered) flush();
    }
    return closed() ? bytes.size() : used;
}

// One request, or what there is of it. False when more bytes are needed.
bool Session::parse(std::string_view bytes, std::size_t& used) {
    std::size_t taken = 0;
    const auto outcome = parser_.put(bytes.substr(used), taken);
    used += taken;
    switch (outcome) {
        case RequestParser::Outcome::complete:
            dispatch();
            return true;
        case RequestParser::Outcome::refused:
            if (auto answer = parser_.take_refusal()) {
                refuse(*std::move(answer));
            } else {
                refuse(parser_.refused_status(), parser_.refused_why());
            }
            used = bytes.size();
            return true;
        case RequestParser::Outcome::need_more:
            break;
    }
    if (parser_.header_done()) {
        if (state_ != State::body) enter(State::body);
        continue_after_header();
    } else if (state_ == State::awaiting && (parser_.started() || used < bytes.size())) {
        enter(State::head);
    }
    return false;
}

void Session::continue_after_header() {
    if (!parser_.expects_continue() || continued_) return;
    continued_ = true;
    // A client that did not wait needs no word.
    if (parser_.body_bytes() == 0) context_.output += continue_line;
}

void Session::dispatch() {
    add_one(context_.counters.requests);
    enter(State::answering);
    first_request_ = false;
    const Ticket ticket{slot_, ++context_.last_serial};
    serial_in_hand_ = ticket.serial;

    auto request = parser_.take();
    request.peer = peer_;
    auto& queue = *context_.queue;
    queue.begin_inline(ticket);
    bool failed = false;
    try {
        context_.handler.handle(std::move(request),
                                [queue = context_.queue, ticket](Response response) {
                                    queue->deliver(ticket, std::move(response));
                                });
    } catch (const std::exception& error) {
        log::error("a request handler failed", {{"error", error.what()}});
        failed = true;
    }
    // Pieces only follow an answer.
    auto answer = queue.end_inline();
    if (answer) {
        respond(std::get<Response>(*std::move(answer)));
    } else if (failed) {
        respond(context_.handler.refuse(500, "the request could not be handled"));
    }
}

// Queues the answer of the request in hand, and is ready for the next one.
void Session::respond(Response response) {
    if (!has_only_safe_headers(response)) {
        log::error("an answer had a header field that cannot be written", {});
        response = context_.handler.refuse(500, "the request could not be handled");
    }
    if (response.upgrade && parser_.is_http_1_0()) {
        response = context_.handler.refuse(426, "WebSockets begin with HTTP/1.1");
    }
    if (response.streamed || response.upgrade) return begin_live(response);
    const bool keep_alive = parser_.keep_alive() && !close_after_send_ && !context_.stopping;
    append_response(context_.output, response,
                    {.keep_alive = keep_alive,
                     .http_1_0 = parser_.is_http_1_0(),
                     .head = parser_.is_head(),
                     .date = context_.date});
    if (!keep_alive) close_after_send_ = true;
    end_answer();
}

// All of the answer is on its way; ready for the next request, if one may come.
void Session::end_answer() {
    serial_in_hand_ = 0;
    continued_ = false;
    if (!close_after_send_) parser_.reset();
    // What streamed may still wait for the network.
    enter(close_after_send_ || !unsent_.empty() ? State::sending : State::awaiting);
}

// An answer of our own, after which the connection ends: where the next request would start is not
// known, or not worth waiting for.
void Session::refuse(Response response) {
    add_one(context_.counters.refused);
    close_after_send_ = true;
    pending_.clear();
    respond(std::move(response));
}

void Session::refuse(int status, std::string_view why) {
    auto response = context_.handler.refuse(status, why);
    if (status == 503) response.headers.emplace_back("Retry-After", retry_after_seconds);
    refuse(std::move(response));
}

std::optional<Session::Silence> Session::silence() const {
    if (state_ == State::awaiting) return Silence{!first_request_, since_tick_, number_};
    // Its header comes in drops.
    if (state_ == State::head && context_.tick - since_tick_ >= dripping_ticks_min) {
        return Silence{true, since_tick_, number_};
    }
    return std::nullopt;
}

// Answers of one round are written together at its end: a client program that holds many
// connections is then woken once, not for each of them, and waking is the dearest part of a small
// answer.
void Session::hold_output() {
    if (closed() || context_.output.empty()) return flush();
    unsent_ += context_.output;
    context_.output.clear();
    if (context_.output.capacity() > kept_buffer_bytes_max) context_.output = {};
    wants_flush_ = true;
}

// Writes what has gathered. Whatever the kernel does not take waits for EPOLLOUT.
void Session::flush() {
    if (closed()) return;
    wants_flush_ = false;
    auto& output = context_.output;
    const auto bytes_before = unsent_.size() - unsent_at_ + output.size();
    if (!unsent_.empty()) {
        unsent_ += output;
        output.clear();
        send_all({});
    } else if (!output.empty()) {
        send_all(output);
        output.clear();
        if (output.capacity() > kept_buffer_bytes_max) output = {};
    } else if (state_ == State::sending) {
        after_send();
    }
    if (live_) sent_live(bytes_before);
}

// Sends `bytes`, or what is left in unsent_ when that is where they are.
void Session::send_all(std::string_view bytes) {
    const bool from_unsent = !unsent_.empty();
    if (from_unsent) bytes = std::string_view(unsent_).substr(unsent_at_);
    while (!bytes.empty()) {
        const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && !would_block()) return close();
        if (count < 0) break;
        bytes.remove_prefix(static_cast<std::size_t>(count));
        if (from_unsent) unsent_at_ += static_cast<std::size_t>(count);
    }
    if (bytes.empty()) {
        unsent_.clear();
        unsent_at_ = 0;
        if (unsent_.capacity() > kept_answer_bytes_max) unsent_ = {};
        return after_send();
    }
    if (!from_unsent) unsent_ = bytes;
    if (state_ == State::awaiting) enter(State::sending);
}

void Session::after_send() {
    if (state_ != State::sending) return;
    if (!close_after_send_) {
        // The next request may have come meanwhile.
        wants_turn_ = readable_ || !pending_.empty();
        return enter(State::awaiting);
    }
    // Closing with unread bytes would reset the connection, and the peer could lose the answer.
    ::shutdown(socket_, SHUT_WR);
    enter(State::lingering);
    drain();
}

void Session::drain() {
    for (int reads = 0; readable_ && !closed(); ++reads) {
        if (reads == reads_per_turn_max) {
            wants_turn_ = true;
            return;
        }
        const auto count = receive(socket_, context_.input);
        if (count < 0 && would_block()) {
            readable_ = false;
            return;
        }
        if (count <= 0) return close();
        lingered_bytes_ += static_cast<std::size_t>(count);
        if (lingered_bytes_ > context_.limits.linger_bytes_max) return close();
    }
}

bool Session::overdue(std::chrono::milliseconds allowed, std::size_t bytes_moved) const {
    const auto& limits = context_.limits;
    allowed += std::chrono::milliseconds(bytes_moved * 1000 / limits.transfer_bytes_per_second_min);
    // One tick more, because the first one may have come at once.
    const auto ticks =
        (allowed + limits.sweep_interval - std::chrono::milliseconds(1)) / limits.sweep_interval;
    return context_.tick - since_tick_ > static_cast<std::uint64_t>(ticks);
}

void Session::on_sweep() {
    const auto& limits = context_.limits;
    const auto time_out = [this] { add_one(context_.counters.timed_out); };
    switch (state_) {
        case State::awaiting:
            if (!overdue(first_request_ ? limits.header_max : limits.idle_max)) return;
            time_out();
            return close();
        case State::head:
            if (!overdue(limits.header_max)) return;
            time_out();
            refuse(408, "the request's header took too long to arrive");
            return flush();
        case State::body:
            if (!overdue(limits.transfer_max, parser_.body_bytes())) return;
            time_out();
            refuse(408, "the request's body took too long to arrive");
            return flush();
        case State::answering:
            if (!overdue(limits.answer_max)) return;
            time_out();
            refuse(503, "the answer took too long");
            return flush();
        case State::streaming:
            return sweep_live();
        case State::sending:
            if (!overdue(limits.transfer_max, unsent_at_)) return;
            time_out();
            return close();
        case State::lingering:
            if (overdue(limits.linger_max)) close();
            return;
        case State::closed:
            return;
    }
}

void Session::on_stop() {
    assert(context_.stopping);
    if (receiving()) {
        readable_ = true;
        advance();
    }
    if (state_ == State::streaming) stop_live();
    if (!has_request()) close();
}

}  // namespace mailroom::http
