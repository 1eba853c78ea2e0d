// One TCP connection, later perhaps with TLS on it, as SMTP wants it: lines, gathered writes, and a
// deadline on everything. Private to smtp/, because it shows Asio.
//
// A Stream belongs to one thread, the one that runs its executor. One read and one write may be
// under way at a time; the Stream must outlive both.
#pragma once

#include "base/result.h"
#include "net/tls.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::smtp {

struct StreamFailure {
    enum class Kind {
        closed,         // The peer ended the connection, in order or not, or we closed it.
        timed_out,      // The deadline passed. The connection still stands.
        line_too_long,  // Or: the buffer is full.
        tls,            // No handshake, or bytes in clear where the handshake should be.
    };
    Kind kind;
    std::string message;
    // Of a failed write: how many of its bytes may have left. The others certainly did not.
    std::size_t bytes_possibly_sent = 0;
};

enum class LineEnding {
    crlf,  // Only CR LF ends a line; a lone CR or LF is part of it.
    any,   // LF ends it too. For reading replies: a sloppy server harms nobody but itself.
};

class Stream {
public:
    template <class T = Ok>
    using Outcome = boost::asio::awaitable<Result<T, StreamFailure>>;

    // Holds at most `buffer_bytes` that were read and not yet consumed.
    Stream(boost::asio::ip::tcp::socket socket, std::size_t buffer_bytes);
    ~Stream();  // Closes.
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // The deadline of all that is under way and all that follows, until it is set again. What is
    // under way when it passes fails with `timed_out`. There is none before the first call.
    void expires_after(std::chrono::steady_clock::duration time);

    // For a Stream that was made with a fresh socket.
    Outcome<> connect(boost::asio::ip::tcp::endpoint endpoint);

    // A line without its line end, of at most `line_bytes_max` bytes (which must be less than the
    // buffer). The view is good until the next read or consume().
    Outcome<std::string_view> read_line(std::size_t line_bytes_max, LineEnding ending);

    // The same without waiting: a line if a whole one is in the buffer.
    std::optional<std::string_view> buffered_line(LineEnding ending);

    // For bodies: reads at least one more byte into buffered(), which the caller then consumes.
    Outcome<> fill();
    std::string_view buffered() const { return {buffer_.get() + begin_, end_ - begin_}; }
    void consume(std::size_t bytes);

    // All pieces, in order, in as few packets as they fit. What they point to must stay as it is
    // until the write is done.
    Outcome<> write(std::span<const std::string_view> pieces);
    Outcome<> write(std::string_view bytes);

    // From here on all is encrypted. Fails with `tls` if anything in clear was already received:
    // whoever wrote it hoped that it would be taken for protected (CVE-2011-0411). `host` is
    // whose certificate we expect, a name or an address.
    Outcome<> start_tls_as_client(const net::TlsClientContext& context, std::string host);
    Outcome<> start_tls_as_server(const net::TlsServerContext& context);
    bool is_tls() const { return tls_ != nullptr; }
    std::string tls_description() const;  // "TLSv1.3 TLS_AES_256_GCM_SHA384". Empty without TLS.

    // Whether the peer has said something that nobody asked for, or has gone. Asks the kernel.
    bool has_unexpected_input();

    // The same without what only TLS sees: its own messages, such as session tickets, look like
    // input to the kernel.
    bool has_plain_input() { return is_tls() ? unread_bytes() > 0 : has_unexpected_input(); }

    // What is under way fails with `closed`. With TLS no close_notify is sent: SMTP has QUIT.
    void close();
    bool is_open() const { return socket_.is_open(); }
    boost::asio::ip::tcp::socket& socket() { return socket_; }

private:
    struct Watchdog;
    struct Tls;
    enum class TlsRole { client, server };

    StreamFailure failure(const boost::system::error_code& error, std::string_view doing) const;
    std::optional<std::size_t> find_line_end(LineEnding ending);
    std::size_t unread_bytes() const { return end_ - begin_ - line_bytes_; }
    Outcome<> handshake(std::unique_ptr<Tls> tls, TlsRole role);
    Outcome<> write_plain(std::span<const std::string_view> pieces);
    Outcome<> write_encrypted(std::span<const std::string_view> pieces);

    boost::asio::ip::tcp::socket socket_;
    std::unique_ptr<Tls> tls_;
    // Shared with the timer's handler, which may run after the Stream is gone.
    std::shared_ptr<Watchdog> watchdog_;

    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t searched_ = 0;    // Bytes of buffered() known to hold no line end.
    std::size_t line_bytes_ = 0;  // Of the line last returned: gone at the next read.
};

}  // namespace mailroom::smtp
