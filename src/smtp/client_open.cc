#include "base/base64.h"
#include "smtp/client_session.h"

#include <boost/asio/ip/address.hpp>

#include <cassert>
#include <utility>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Replies are read in pieces of at most this; more than the longest line.
constexpr std::size_t input_buffer_bytes = 4096;
static_assert(input_buffer_bytes >= reply_line_bytes_max + 2);

// A name may have any number of addresses, and each may take a while to fail.
constexpr std::size_t addresses_tried_max = 8;

Verdict refuse(Outcome outcome, Stage stage, std::string text) {
    return {.outcome = outcome, .stage = stage, .text = std::move(text)};
}

// A server that turns us away before it has heard of a mail says nothing about that mail: another
// server, or the same one later, may take it (RFC 7504, 3).
Verdict turned_away(Stage stage, const Reply& reply) {
    auto verdict = verdict_of(stage, reply);
    verdict.outcome = Outcome::refused_for_now;
    return verdict;
}

std::string text_of(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
           std::to_string(endpoint.port());
}

}  // namespace

ClientSession::ClientSession(asio::any_io_executor executor, std::shared_ptr<const Target> target,
                             const TlsContexts& tls)
    : executor_(std::move(executor)),
      target_(std::move(target)),
      tls_(tls),
      transcript_(target_->transcript_bytes_max) {}

TlsMode ClientSession::tls_mode() const {
    const bool upgrade = target_->login && target_->tls == TlsMode::opportunistic &&
                         !(loopback_ && target_->clear_text_login == ClearTextLogin::on_loopback);
    return upgrade ? TlsMode::required : target_->tls;
}

const net::TlsClientContext& ClientSession::tls_context() const {
    const bool verify =
        tls_mode() != TlsMode::opportunistic && target_->verify == net::TlsVerify::peer;
    return verify ? tls_.verifying : tls_.trusting;
}

bool ClientSession::may_log_in() const {
    return stream_->is_tls() ||
           (loopback_ && target_->clear_text_login == ClearTextLogin::on_loopback);
}

ClientSession::Step ClientSession::open() {
    Refusal refusal;
    std::size_t tried = 0;
    for (const auto& text : target_->addresses) {
        if (aborted_ || tried++ == addresses_tried_max) break;
        boost::system::error_code error;
        const auto address = asio::ip::make_address(text, error);
        assert(!error);  // check_target() saw to it.
        loopback_ = address.is_loopback();
        const tcp::endpoint endpoint(address, target_->port);
        auto answer = co_await open_address(endpoint, Security::as_target_says);
        if (!answer) {
            usable_ = true;
            co_return std::nullopt;
        }
        if (stream_) stream_->close();
        // Another address knows the same passwords, and too many tries lock an account.
        if (answer->stage == Stage::login) co_return answer;
        if (!refusal) refusal = std::move(answer);
    }
    if (!refusal) refusal = refuse(Outcome::refused_for_now, Stage::check, "we are stopping");
    co_return refusal;
}

ClientSession::Step ClientSession::open_address(tcp::endpoint endpoint, Security security) {
    auto refusal = co_await connect(endpoint);
    if (refusal) co_return refusal;
    if (tls_mode() == TlsMode::implicit) {
        refusal = co_await handshake(tls_context());
        if (refusal) co_return refusal;
    }
    stream_->expires_after(target_->timeouts.greeting);
    const auto greeting = co_await read_reply(Stage::greeting);
    if (!greeting) co_return greeting.error();
    if (!greeting->is_done()) co_return turned_away(Stage::greeting, *greeting);

    refusal = co_await hello();
    if (refusal) co_return refusal;
    bool handshake_failed = false;
    refusal = co_await secure(security, handshake_failed);
    if (handshake_failed && tls_mode() == TlsMode::opportunistic && !aborted_) {
        // RFC 7435, 3: a server whose TLS is broken is served as one that has none.
        transcript_.note("trying again without TLS");
        co_return co_await open_address(endpoint, Security::clear);
    }
    if (refusal) co_return refusal;
    if (target_->login) co_return co_await log_in();
    co_return std::nullopt;
}

ClientSession::Step ClientSession::connect(tcp::endpoint endpoint) {
    capabilities_ = {};
    peer_ = text_of(endpoint);
    stream_ = std::make_unique<Stream>(tcp::socket(executor_), input_buffer_bytes);
    stream_->expires_after(target_->timeouts.connect);
    const auto connected = co_await stream_->connect(endpoint);
    if (!connected) {
        const auto why = peer_ + ": " + connected.error().message;
        transcript_.note(why);
        co_return refuse(Outcome::refused_for_now, Stage::connect, why);
    }
    transcript_.note("connected to " + peer_);
    co_return std::nullopt;
}

ClientSession::Step ClientSession::handshake(const net::TlsClientContext& context) {
    stream_->expires_after(target_->timeouts.tls);
    auto host = target_->host;
    const auto done = co_await stream_->start_tls_as_client(context, std::move(host));
    if (!done) {
        transcript_.note(done.error().message);
        co_return refuse(Outcome::refused_for_now, Stage::tls,
                         target_->host + ": " + done.error().message);
    }
    transcript_.note(stream_->tls_description());
    co_return std::nullopt;
}

ClientSession::Step ClientSession::hello() {
    stream_->expires_after(target_->timeouts.command);
    auto command = "EHLO " + target_->hello_name + "\r\n";
    std::string_view shown = command;
    auto reply = co_await ask(Stage::hello, command, shown);
    if (!reply) co_return reply.error();
    if (reply->is_done()) {
        capabilities_ = parse_capabilities(*reply);
        co_return std::nullopt;
    }
    if (reply->reply_class() != ReplyClass::for_good) co_return turned_away(Stage::hello, *reply);
    // RFC 5321, 3.2: a server that does not know EHLO is asked in the old way.
    command = "HELO " + target_->hello_name + "\r\n";
    shown = command;
    stream_->expires_after(target_->timeouts.command);
    reply = co_await ask(Stage::hello, command, shown);
    if (!reply) co_return reply.error();
    capabilities_ = {};
    if (!reply->is_done()) co_return turned_away(Stage::hello, *reply);
    co_return std::nullopt;
}

// STARTTLS where it is wanted, and EHLO again: what was said in clear does not count any more
// (RFC 3207, 4.2).
ClientSession::Step ClientSession::secure(Security security, bool& handshake_failed) {
    const auto mode = tls_mode();
    if (mode == TlsMode::none || mode == TlsMode::implicit || security == Security::clear) {
        co_return std::nullopt;
    }
    const bool required = mode == TlsMode::required;
    if (!capabilities_.start_tls) {
        if (!required) co_return std::nullopt;
        co_return refuse(Outcome::refused_for_now, Stage::tls,
                         target_->host + " offers no TLS, and we send nothing in clear");
    }
    stream_->expires_after(target_->timeouts.command);
    const std::string command = "STARTTLS\r\n";
    const auto reply = co_await ask(Stage::tls, command, command);
    if (!reply) co_return reply.error();
    if (!reply->is_done()) {
        if (!required) co_return std::nullopt;
        co_return turned_away(Stage::tls, *reply);
    }
    auto refusal = co_await handshake(tls_context());
    handshake_failed = refusal.has_value();
    if (refusal) co_return refusal;
    co_return co_await hello();
}

// A refused login says that our settings are wrong, not that the mail is: it may go when they are
// mended.
ClientSession::Step ClientSession::log_in() {
    if (!may_log_in()) {
        co_return refuse(Outcome::refused_for_now, Stage::login,
                         "we do not send a password in clear to " + target_->host);
    }
    Refusal refusal;
    if (capabilities_.auth_plain) {
        refusal = co_await log_in_plain();
    } else if (capabilities_.auth_login) {
        refusal = co_await log_in_login();
    } else {
        refusal = refuse(Outcome::refused_for_now, Stage::login,
                         target_->host + " offers neither AUTH PLAIN nor AUTH LOGIN");
    }
    if (refusal) refusal->outcome = Outcome::refused_for_now;
    co_return refusal;
}

// RFC 4616.
ClientSession::Step ClientSession::log_in_plain() {
    const auto& login = *target_->login;
    using namespace std::string_literals;
    const auto secret = "\0"s + login.user + "\0"s + login.password;
    stream_->expires_after(target_->timeouts.command);
    auto command = "AUTH PLAIN " + base64_encode(secret) + "\r\n";
    const std::string_view shown = "AUTH PLAIN ****\r\n";
    const auto reply = co_await ask(Stage::login, std::move(command), shown);
    if (!reply) co_return reply.error();
    if (!reply->is_done()) co_return verdict_of(Stage::login, *reply);
    co_return std::nullopt;
}

// No RFC; everybody does it so: AUTH LOGIN, the name, the password, each in base 64.
ClientSession::Step ClientSession::log_in_login() {
    const auto& login = *target_->login;
    const std::string lines[] = {"AUTH LOGIN\r\n", base64_encode(login.user) + "\r\n",
                                 base64_encode(login.password) + "\r\n"};
    constexpr std::size_t last = std::size(lines) - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        stream_->expires_after(target_->timeouts.command);
        auto line = lines[i];
        const std::string_view shown = i == 0 ? "AUTH LOGIN\r\n" : "****\r\n";
        const auto reply = co_await ask(Stage::login, std::move(line), shown);
        if (!reply) co_return reply.error();
        const auto wanted = i == last ? ReplyClass::done : ReplyClass::go_on;
        if (reply->reply_class() != wanted) co_return verdict_of(Stage::login, *reply);
    }
    co_return std::nullopt;
}

}  // namespace mailroom::smtp
