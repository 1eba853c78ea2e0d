#include "smtp/stream.h"

#include <sys/socket.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto error_first = asio::as_tuple(asio::use_awaitable);
// What one TLS record carries at most (RFC 8446, 5.1). Small pieces are put together up to this.
constexpr std::size_t tls_record_bytes_max = 16 * 1024;

// Commands are small and each is waited for.
void send_at_once(asio::ip::tcp::socket& socket) {
    error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
}

}  // namespace

// One timer that is moved only when it would ring too late; a deadline that is set and set again
// for every command costs no more than a store.
struct Stream::Watchdog : std::enable_shared_from_this<Stream::Watchdog> {
    explicit Watchdog(asio::ip::tcp::socket& guarded)
        : socket(&guarded), timer(guarded.get_executor()) {}

    void set(std::chrono::steady_clock::duration time) {
        expired = false;
        deadline = asio::steady_timer::clock_type::now() + time;
        if (!armed || timer.expiry() > deadline) arm();
    }

    void arm() {
        armed = true;
        timer.expires_at(deadline);
        timer.async_wait([self = shared_from_this()](const error_code& error) {
            if (!error) self->ring();
        });
    }

    void ring() {
        armed = false;
        if (socket == nullptr) return;
        if (asio::steady_timer::clock_type::now() < deadline) return arm();
        expired = true;
        error_code ignored;
        socket->cancel(ignored);
    }

    void retire() {
        socket = nullptr;
        timer.cancel();
    }

    asio::ip::tcp::socket* socket;  // None when the Stream is gone.
    asio::steady_timer timer;
    std::chrono::steady_clock::time_point deadline = {};
    bool armed = false;
    bool expired = false;
};

struct Stream::Tls {
    Tls(asio::ip::tcp::socket& socket, SSL* connection) : stream(socket, connection) {}

    asio::ssl::stream<asio::ip::tcp::socket&> stream;  // Owns the SSL object.
    std::string record;
};

Stream::Stream(asio::ip::tcp::socket socket, std::size_t buffer_bytes)
    : socket_(std::move(socket)),
      watchdog_(std::make_shared<Watchdog>(socket_)),
      buffer_(std::make_unique<char[]>(buffer_bytes)),
      capacity_(buffer_bytes) {
    if (socket_.is_open()) send_at_once(socket_);
}

Stream::~Stream() {
    watchdog_->retire();
    close();
}

void Stream::expires_after(std::chrono::steady_clock::duration time) { watchdog_->set(time); }

Stream::Outcome<> Stream::connect(asio::ip::tcp::endpoint endpoint) {
    const auto [error] = co_await socket_.async_connect(endpoint, error_first);
    if (error) {
        if (watchdog_->expired) co_return failure(error, "connecting");
        co_return StreamFailure{StreamFailure::Kind::closed, "cannot connect: " + error.message()};
    }
    send_at_once(socket_);
    co_return Ok{};
}

StreamFailure Stream::failure(const error_code& error, std::string_view doing) const {
    if (watchdog_->expired) {
        return {StreamFailure::Kind::timed_out, "timed out while " + std::string(doing)};
    }
    if (error == asio::error::eof || error == asio::error::operation_aborted || !is_open()) {
        return {StreamFailure::Kind::closed,
                "the connection was closed while " + std::string(doing)};
    }
    return {StreamFailure::Kind::closed,
            "the connection was lost while " + std::string(doing) + ": " + error.message()};
}

void Stream::consume(std::size_t bytes) {
    assert(bytes <= end_ - begin_);
    begin_ += bytes;
    searched_ = searched_ > bytes ? searched_ - bytes : 0;
    line_bytes_ = 0;
    if (begin_ == end_) begin_ = end_ = 0;
}

std::optional<std::size_t> Stream::find_line_end(LineEnding ending) {
    const auto bytes = buffered();
    while (searched_ < bytes.size()) {
        const auto at = bytes.find('\n', searched_);
        if (at == bytes.npos) break;
        if (ending == LineEnding::any || (at > 0 && bytes[at - 1] == '\r')) return at;
        searched_ = at + 1;
    }
    searched_ = bytes.size();
    return std::nullopt;
}

std::optional<std::string_view> Stream::buffered_line(LineEnding ending) {
    consume(std::exchange(line_bytes_, 0));
    const auto at = find_line_end(ending);
    if (!at) return std::nullopt;
    line_bytes_ = *at + 1;
    searched_ = line_bytes_;
    auto line = buffered().substr(0, *at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

Stream::Outcome<std::string_view> Stream::read_line(std::size_t line_bytes_max, LineEnding ending) {
    assert(line_bytes_max + 2 <= capacity_);
    for (;;) {
        const auto line = buffered_line(ending);
        if (line ? line->size() > line_bytes_max : buffered().size() > line_bytes_max + 1) {
            co_return StreamFailure{StreamFailure::Kind::line_too_long, "a line is too long"};
        }
        if (line) co_return *line;
        auto filled = co_await fill();
        if (!filled) co_return std::move(filled).error();
    }
}

Stream::Outcome<> Stream::fill() {
    consume(std::exchange(line_bytes_, 0));
    if (end_ == capacity_ && begin_ > 0) {
        std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
        end_ -= std::exchange(begin_, 0);
    }
    if (end_ == capacity_) {
        co_return StreamFailure{StreamFailure::Kind::line_too_long, "the input buffer is full"};
    }
    constexpr std::string_view doing = "waiting for the peer";
    if (watchdog_->expired) co_return failure({}, doing);
    const auto room = asio::buffer(buffer_.get() + end_, capacity_ - end_);
    error_code error;
    std::size_t count = 0;
    if (tls_) {
        std::tie(error, count) = co_await tls_->stream.async_read_some(room, error_first);
    } else {
        std::tie(error, count) = co_await socket_.async_read_some(room, error_first);
    }
    if (error) co_return failure(error, doing);
    end_ += count;
    co_return Ok{};
}

Stream::Outcome<> Stream::write(std::span<const std::string_view> pieces) {
    if (watchdog_->expired) co_return failure({}, "writing");
    if (tls_) co_return co_await write_encrypted(pieces);
    co_return co_await write_plain(pieces);
}

Stream::Outcome<> Stream::write(std::string_view bytes) {
    const std::string_view pieces[] = {bytes};
    const std::span<const std::string_view> all(pieces);
    co_return co_await write(all);
}

Stream::Outcome<> Stream::write_plain(std::span<const std::string_view> pieces) {
    std::vector<asio::const_buffer> buffers;
    buffers.reserve(pieces.size());
    for (const auto piece : pieces) buffers.emplace_back(piece.data(), piece.size());
    const auto [error, sent] = co_await asio::async_write(socket_, buffers, error_first);
    if (!error) co_return Ok{};
    auto failed = failure(error, "writing");
    failed.bytes_possibly_sent = sent;
    co_return failed;
}

// Each write to OpenSSL makes a record, and a record that was handed to it may have left even when
// the write then fails.
Stream::Outcome<> Stream::write_encrypted(std::span<const std::string_view> pieces) {
    auto& record = tls_->record;
    std::size_t handed_over = 0;
    for (std::size_t i = 0; i < pieces.size();) {
        record.clear();
        std::string_view chunk = pieces[i];
        if (chunk.size() >= tls_record_bytes_max) {
            ++i;
        } else {
            while (i < pieces.size() && record.size() + pieces[i].size() <= tls_record_bytes_max) {
                record += pieces[i++];
            }
            chunk = record;
        }
        while (!chunk.empty()) {
            const auto part = chunk.substr(0, tls_record_bytes_max);
            handed_over += part.size();
            const auto bytes = asio::buffer(part.data(), part.size());
            const auto [error, sent] = co_await asio::async_write(tls_->stream, bytes, error_first);
            if (error) {
                auto failed = failure(error, "writing");
                failed.bytes_possibly_sent = handed_over;
                co_return failed;
            }
            chunk.remove_prefix(part.size());
        }
    }
    co_return Ok{};
}

Stream::Outcome<> Stream::start_tls_as_client(const net::TlsClientContext& context,
                                              std::string host) {
    auto* connection = SSL_new(context.native());
    if (connection == nullptr) throw std::bad_alloc();
    auto tls = std::make_unique<Tls>(socket_, connection);
    if (auto prepared = context.prepare(connection, host); !prepared) {
        co_return StreamFailure{StreamFailure::Kind::tls, std::move(prepared).error().message};
    }
    co_return co_await handshake(std::move(tls), TlsRole::client);
}

Stream::Outcome<> Stream::start_tls_as_server(const net::TlsServerContext& context) {
    auto* connection = SSL_new(context.native());
    if (connection == nullptr) throw std::bad_alloc();
    auto tls = std::make_unique<Tls>(socket_, connection);
    co_return co_await handshake(std::move(tls), TlsRole::server);
}

Stream::Outcome<> Stream::handshake(std::unique_ptr<Tls> tls, TlsRole role) {
    assert(!tls_);
    if (unread_bytes() > 0) {
        co_return StreamFailure{StreamFailure::Kind::tls,
                                "the peer sent text in clear where the TLS handshake should start"};
    }
    if (watchdog_->expired) co_return failure({}, "starting TLS");
    const auto side =
        role == TlsRole::client ? asio::ssl::stream_base::client : asio::ssl::stream_base::server;
    const auto [error] = co_await tls->stream.async_handshake(side, error_first);
    if (error) {
        if (watchdog_->expired) co_return failure(error, "starting TLS");
        auto why = net::explain_tls_failure(tls->stream.native_handle(), error.message());
        co_return StreamFailure{StreamFailure::Kind::tls, std::move(why)};
    }
    tls_ = std::move(tls);
    co_return Ok{};
}

std::string Stream::tls_description() const {
    if (!tls_) return "";
    const auto* connection = tls_->stream.native_handle();
    return std::string(SSL_get_version(connection)) + " " + SSL_get_cipher_name(connection);
}

bool Stream::has_unexpected_input() {
    if (unread_bytes() > 0 || !is_open()) return true;
    char scratch = 0;
    const auto count = ::recv(socket_.native_handle(), &scratch, 1, MSG_PEEK | MSG_DONTWAIT);
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void Stream::close() {
    error_code ignored;
    socket_.close(ignored);
}

}  // namespace mailroom::smtp
