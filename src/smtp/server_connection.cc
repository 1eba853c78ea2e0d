#include "smtp/server_connection.h"

#include "base/log.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <exception>
#include <utility>

namespace mailroom::smtp {
namespace {

// Reads of one connection before the others get their turn.
constexpr int reads_per_turn_max = 8;
// A peer that does not read its replies is not read either.
constexpr std::size_t unsent_bytes_max = 64 * 1024;
// What a read or write returns beside a count of bytes.
constexpr long would_block = -1;
constexpr long gone = 0;

long outcome_of(ssize_t count) {
    if (count > 0) return count;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? would_block : gone;
}

}  // namespace

ServerConnection::ServerConnection(ConnectionContext& context, int socket, std::uint32_t slot,
                                   Peer peer)
    : context_(context),
      socket_(socket),
      slot_(slot),
      session_(context.session, std::move(peer)),
      tls_(nullptr, ::SSL_free),
      opened_(context.now),
      since_(context.now),
      unsent_since_(context.now) {}

ServerConnection::~ServerConnection() { close(); }

bool ServerConnection::has_message() const {
    if (phase_ != Phase::open) return false;
    if (serial_in_hand_ != 0) return step_in_hand_ == Step::message;
    return session_.want() == ServerSession::Want::input &&
           session_.doing() == ServerSession::Doing::data;
}

void ServerConnection::enter(Phase phase) {
    phase_ = phase;
    since_ = context_.now;
}

void ServerConnection::close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    wants_turn_ = false;
    ::close(std::exchange(socket_, -1));
    if (was_announced_) context_.receiver.ended(session_.peer());
}

void ServerConnection::on_start() {
    if (context_.session.settings.tls == TlsPolicy::implicit) start_handshake();
    advance();
}

void ServerConnection::on_event(std::uint32_t events) {
    if (events & (EPOLLHUP | EPOLLERR)) return close();
    if (events & EPOLLRDHUP) peer_finished_ = true;
    if (events & (EPOLLIN | EPOLLRDHUP)) readable_ = true;
    if (session_.want() == ServerSession::Want::stall && (events & EPOLLRDHUP)) return close();
    advance();
}

void ServerConnection::on_turn() { advance(); }

void ServerConnection::on_answer(WakingQueue::Delivery delivery) {
    if (closed() || delivery.ticket.serial != serial_in_hand_) return;
    apply(std::move(delivery.answer));
    advance();
}

void ServerConnection::on_stop() {
    if (phase_ == Phase::handshake) return close();
    if (phase_ != Phase::open) return;
    session_.stop();
    advance();
}

// Goes on until it has to wait for the peer, the Receiver or its next turn.
void ServerConnection::advance() {
    wants_turn_ = false;
    if (phase_ == Phase::handshake && !handshake()) return;
    for (int rounds = 0; phase_ == Phase::open && go_on(); ++rounds) {
        if (rounds < reads_per_turn_max || session_.want() != ServerSession::Want::input) continue;
        wants_turn_ = true;
        break;
    }
    if (phase_ == Phase::open) flush();
    if (phase_ == Phase::lingering) drain();
    if (session_.progress() != seen_progress_) {
        seen_progress_ = session_.progress();
        since_ = context_.now;
    }
}

// One step. False when it has to wait.
bool ServerConnection::go_on() {
    switch (session_.want()) {
        case ServerSession::Want::answer:
            if (serial_in_hand_ != 0) return false;
            ask();
            return serial_in_hand_ == 0;
        case ServerSession::Want::tls:
            flush();
            if (phase_ != Phase::open || !unsent_.empty()) return false;
            pending_.clear();
            start_handshake();
            return handshake();
        case ServerSession::Want::close:
            flush();
            if (phase_ == Phase::open && unsent_.empty()) linger();
            return false;
        case ServerSession::Want::stall:
            return false;
        case ServerSession::Want::input:
            return go_on_with_input();
    }
    return false;
}

bool ServerConnection::go_on_with_input() {
    if (!pending_.empty()) {
        const auto used = session_.consume(pending_);
        pending_.erase(0, used);
        return true;
    }
    // The answers to one read are sent together, and before the next one.
    flush();
    if (phase_ != Phase::open || !readable_ || unsent_.size() > unsent_bytes_max) return false;
    const auto count = receive();
    if (count == would_block) return false;
    if (count == gone) {
        close();
        return false;
    }
    const std::string_view bytes(context_.input.data(), static_cast<std::size_t>(count));
    pending_ = bytes.substr(session_.consume(bytes));
    return true;
}

void ServerConnection::ask() {
    const net::Ticket ticket{slot_, ++context_.last_serial};
    serial_in_hand_ = ticket.serial;
    step_in_hand_ = session_.step();
    delayed_since_.reset();
    since_ = context_.now;
    context_.queue->begin_inline(ticket);
    try {
        put_question(ticket);
    } catch (const std::exception& failure) {
        log::error("an SMTP receiver failed", {{"error", failure.what()}});
    }
    auto answer = context_.queue->end_inline();
    if (answer) apply(*std::move(answer));
}

Answer ServerConnection::make_answer(const net::Ticket& ticket) const {
    return Answer([queue = context_.queue, ticket](Decision decision) {
        queue->deliver(ticket, std::move(decision));
    });
}

void ServerConnection::put_question(const net::Ticket& ticket) {
    auto& receiver = context_.receiver;
    const auto& peer = session_.peer();
    auto answer = make_answer(ticket);
    switch (session_.step()) {
        case Step::connect:
            was_announced_ = true;
            return receiver.connected(peer, std::move(answer));
        case Step::hello:
            return receiver.hello(peer, std::move(answer));
        case Step::auth:
            return receiver.authenticate(peer, session_.credentials(), std::move(answer));
        case Step::mail:
            return receiver.sender(peer, session_.envelope(), std::move(answer));
        case Step::rcpt:
            return receiver.recipient(peer, session_.envelope(), session_.recipient(),
                                      std::move(answer));
        case Step::data:
            return receiver.data(peer, session_.envelope(), std::move(answer));
        case Step::message:
            return receiver.take(session_.take_message(), std::move(answer));
    }
}

void ServerConnection::apply(Decision decision) {
    auto delay = std::exchange(decision.delay, std::chrono::milliseconds(0));
    const bool connecting = step_in_hand_ == Step::connect;
    if (connecting && !std::exchange(greeting_was_delayed_, true)) {
        delay = std::max(delay, context_.session.settings.greeting_delay);
    }
    if (delay.count() > 0) {
        flush();
        const auto due = context_.now + delay;
        since_ = due;  // The wait is ours, not the Receiver's.
        delayed_since_ = context_.now;
        context_.delayed.emplace(
            due, WakingQueue::Delivery{net::Ticket{slot_, serial_in_hand_}, std::move(decision)});
        return;
    }
    if (connecting) greet_after_looking();
    if (step_in_hand_ == Step::message && decision.kind == Decision::Kind::accept) {
        add_one(context_.counters.messages);
    }
    serial_in_hand_ = 0;
    delayed_since_.reset();
    since_ = context_.now;
    if (closed()) return;
    session_.answer(std::move(decision));
}

// Has the peer spoken before our greeting?
void ServerConnection::greet_after_looking() {
    if (context_.session.settings.early_talkers != EarlyTalkers::refuse) return;
    char byte = 0;
    if (!tls_ && ::recv(socket_, &byte, 1, MSG_PEEK) > 0) session_.talked_early();
    if (tls_ && ::SSL_has_pending(tls_.get())) session_.talked_early();
}

void ServerConnection::start_handshake() {
    assert(context_.tls != nullptr);
    tls_.reset(context_.tls->make());
    if (!tls_ || ::SSL_set_fd(tls_.get(), socket_) != 1) return close();
    ::SSL_set_mode(tls_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    ::SSL_set_accept_state(tls_.get());
    enter(Phase::handshake);
}

// False if it is not done.
bool ServerConnection::handshake() {
    if (phase_ != Phase::handshake) return false;
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(tls_.get());
    if (result == 1) {
        enter(Phase::open);
        readable_ = true;
        session_.tls_started(tls_description());
        return true;
    }
    if (tls_outcome(result) == gone) {
        log::debug("a TLS handshake of an SMTP client failed", {{"peer", session_.peer().address}});
        close();
    }
    return false;
}

std::string ServerConnection::tls_description() const {
    return std::string(::SSL_get_version(tls_.get())) + " " + ::SSL_get_cipher_name(tls_.get());
}

// A write may want to read and the other way round; with edges both are simply tried again.
long ServerConnection::tls_outcome(int result) {
    switch (::SSL_get_error(tls_.get(), result)) {
        case SSL_ERROR_WANT_READ:
            readable_ = false;
            return would_block;
        case SSL_ERROR_WANT_WRITE:
            return would_block;
        default:
            return gone;
    }
}

long ServerConnection::receive() {
    auto& input = context_.input;
    if (tls_) {
        ::ERR_clear_error();
        const int count = ::SSL_read(tls_.get(), input.data(), static_cast<int>(input.size()));
        return count > 0 ? count : tls_outcome(count);
    }
    ssize_t count = -1;
    do count = ::recv(socket_, input.data(), input.size(), 0);
    while (count < 0 && errno == EINTR);
    const auto outcome = outcome_of(count);
    // A read that did not fill the buffer has emptied the socket (epoll(7)), unless the end of the
    // stream was announced together with these bytes.
    readable_ = count == static_cast<ssize_t>(input.size()) || peer_finished_;
    return outcome;
}

long ServerConnection::transmit(std::string_view bytes) {
    if (tls_) {
        ::ERR_clear_error();
        const int count = ::SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
        return count > 0 ? count : tls_outcome(count);
    }
    ssize_t count = -1;
    do count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return outcome_of(count);
}

// Sends what has gathered. Whatever the kernel does not take waits for EPOLLOUT.
void ServerConnection::flush() {
    auto& output = session_.output();
    if (phase_ != Phase::open) return;
    if (unsent_.empty()) unsent_since_ = context_.now;
    unsent_ += output;
    output.clear();
    while (unsent_at_ < unsent_.size()) {
        const auto count = transmit(std::string_view(unsent_).substr(unsent_at_));
        if (count == gone) return close();
        if (count == would_block) return;
        unsent_at_ += static_cast<std::size_t>(count);
        unsent_since_ = context_.now;
    }
    unsent_.clear();
    unsent_at_ = 0;
}

// Closing with unread bytes would reset the connection, and the peer could lose the last reply.
void ServerConnection::linger() {
    if (tls_) ::SSL_shutdown(tls_.get());
    ::shutdown(socket_, SHUT_WR);
    enter(Phase::lingering);
}

void ServerConnection::drain() {
    auto& input = context_.input;
    for (int reads = 0; phase_ == Phase::lingering; ++reads) {
        if (reads == reads_per_turn_max) {
            wants_turn_ = true;
            return;
        }
        const auto outcome = outcome_of(::recv(socket_, input.data(), input.size(), 0));
        if (outcome == would_block) return;
        if (outcome == gone) return close();
        lingered_bytes_ += static_cast<std::uint64_t>(outcome);
        if (lingered_bytes_ > context_.session.settings.limits.linger_bytes_max) return close();
    }
}

}  // namespace mailroom::smtp
