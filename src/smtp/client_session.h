// The client's end of one SMTP connection: open it, send mails one after the other, quit. Private
// to smtp/, because it shows Asio; others use Client.
//
// A session belongs to the thread that runs its executor and must outlive what it has under way.
#pragma once

#include "net/tls.h"
#include "smtp/capabilities.h"
#include "smtp/data_text.h"
#include "smtp/delivery.h"
#include "smtp/stream.h"
#include "smtp/transcript.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

struct TlsContexts {
    net::TlsClientContext verifying;
    net::TlsClientContext trusting;  // Takes any certificate.
};

struct ClientTransaction;
struct EndQuestion;

// What became of one mail on one connection.
struct Attempt {
    std::vector<Verdict> verdicts;  // One for each recipient of the mail.
    // The connection ended, or was ended with a 421, before a byte of the message was written: on
    // another connection the mail may still go.
    bool ended_before_message = false;
};

class ClientSession {
public:
    // `target` has passed check_target(). It is shared with the pool, which may get a newer one
    // while this session still uses the old. `tls` must outlive the session.
    ClientSession(boost::asio::any_io_executor executor, std::shared_ptr<const Target> target,
                  const TlsContexts& tls);

    // Connects to the first address that lets us in: greeting, EHLO, TLS, login. None when the
    // session is ready to send; otherwise why not, and it is of no more use.
    boost::asio::awaitable<std::optional<Verdict>> open();

    // `mail` has passed check_mail(), and stays as it is until this is done. `asked` is the
    // question to its `before_end`, if that was asked for all its recipients already.
    boost::asio::awaitable<Attempt> send(const Mail& mail, std::shared_ptr<EndQuestion> asked);

    // Says goodbye and closes.
    boost::asio::awaitable<void> quit();

    // Whether another mail can be tried on it. Asks the kernel whether the server has left.
    bool is_usable();
    // Whether it has broken or was ended by a 421. Asks nobody.
    bool has_ended() const { return !usable_; }
    std::size_t messages() const { return messages_; }  // Tried on this connection.
    std::string peer() const { return peer_; }
    std::string tls_description() const { return stream_ ? stream_->tls_description() : ""; }
    Transcript& transcript() { return transcript_; }

    // From its own thread: ends what is under way, as if the server had closed the connection.
    void abort();

private:
    enum class Security { as_target_says, clear };
    using Refusal = std::optional<Verdict>;  // None: go on.
    using Step = boost::asio::awaitable<Refusal>;

    // In client_open.cc.
    Step open_address(boost::asio::ip::tcp::endpoint endpoint, Security security);
    Step connect(boost::asio::ip::tcp::endpoint endpoint);
    Step handshake(const net::TlsClientContext& context);
    Step hello();
    Step secure(Security security, bool& handshake_failed);
    Step log_in();
    Step log_in_plain();
    Step log_in_login();
    TlsMode tls_mode() const;
    const net::TlsClientContext& tls_context() const;
    bool may_log_in() const;

    // In client_session.cc.
    using ReplyOrRefusal = Result<Reply, Verdict>;
    boost::asio::awaitable<ReplyOrRefusal> read_reply(Stage stage);
    // `shown` is what the transcript gets.
    boost::asio::awaitable<ReplyOrRefusal> ask(Stage stage, std::string command,
                                               std::string_view shown);
    Verdict lost(Stage stage, const StreamFailure& failure);

    boost::asio::awaitable<void> transact(ClientTransaction& transaction);
    boost::asio::awaitable<void> exchange(ClientTransaction& transaction);

    // In client_commands.cc.
    void refuse_what_server_lacks(ClientTransaction& transaction) const;
    boost::asio::awaitable<void> send_commands(ClientTransaction& transaction);
    boost::asio::awaitable<bool> read_replies(ClientTransaction& transaction, std::size_t first,
                                              std::size_t end);
    void take_reply(ClientTransaction& transaction, std::size_t command, const Reply& reply);

    // In client_message.cc.
    boost::asio::awaitable<void> send_message(ClientTransaction& transaction);
    boost::asio::awaitable<void> send_nothing(ClientTransaction& transaction);
    // Of the message, all but its last block; then that, and the end, together.
    boost::asio::awaitable<std::optional<StreamFailure>> write_blocks(std::string_view blocks);
    boost::asio::awaitable<std::optional<StreamFailure>> write_end(const DataText& data);
    boost::asio::awaitable<bool> may_end(ClientTransaction& transaction);
    boost::asio::awaitable<void> explain_interruption(ClientTransaction& transaction,
                                                      StreamFailure failure);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<const Target> target_;
    const TlsContexts& tls_;
    std::unique_ptr<Stream> stream_;
    std::string peer_;
    bool loopback_ = false;
    Capabilities capabilities_;
    Transcript transcript_;
    std::size_t messages_ = 0;
    bool aborted_ = false;
    bool usable_ = false;
    bool needs_reset_ = false;  // The server still holds a sender from a mail that was given up.
};

// The verdict that a reply to `stage` amounts to.
Verdict verdict_of(Stage stage, const Reply& reply);

}  // namespace mailroom::smtp
