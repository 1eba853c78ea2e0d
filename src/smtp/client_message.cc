// The message itself, and what can be known of it when the connection ends.
#include "smtp/client_session.h"
#include "smtp/client_transaction.h"

#include <span>
#include <utility>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;

// As much of the message as one timeout is for.
constexpr std::size_t block_bytes = 64 * 1024;
// How long we look for a word of explanation when the server stops taking the message.
constexpr auto explanation_time_max = std::chrono::seconds(2);

}  // namespace

asio::awaitable<void> ClientSession::send_message(ClientTransaction& transaction) {
    if (stream_->has_plain_input()) {
        usable_ = false;
        co_return transaction.decide_rest(
            {.stage = Stage::data, .text = "the server speaks out of turn"});
    }
    transaction.message_started = true;
    transcript_.note("message, " + std::to_string(transaction.data.declared_bytes()) + " bytes");
    const auto failure = co_await write_message(transaction.data);
    if (failure) co_return co_await explain_interruption(transaction, *failure);

    stream_->expires_after(target_->timeouts.end_of_data);
    const auto reply = co_await read_reply(Stage::message);
    needs_reset_ = false;
    if (!reply) {
        auto verdict = reply.error();
        verdict.outcome = Outcome::unknown;
        co_return transaction.decide_rest(verdict);
    }
    auto verdict = verdict_of(Stage::message, *reply);
    if (reply->reply_class() == ReplyClass::go_on) {
        usable_ = false;
        verdict.outcome = Outcome::unknown;  // That is no answer to what we sent.
    }
    transaction.decide_rest(verdict);
}

// The last block and the end of the message leave together. The failure, if there is one, counts
// its bytes from the start of the message.
asio::awaitable<std::optional<StreamFailure>> ClientSession::write_message(const DataText& data) {
    auto rest = data.body();
    for (std::size_t written = 0;;) {
        const auto block = rest.substr(0, block_bytes);
        rest.remove_prefix(block.size());
        const std::string_view pieces[] = {block, rest.empty() ? data.terminator() : ""};
        const std::span<const std::string_view> all(pieces);
        stream_->expires_after(target_->timeouts.block);
        const auto done = co_await stream_->write(all);
        if (!done) {
            auto failure = done.error();
            failure.bytes_possibly_sent += written;
            co_return failure;
        }
        if (rest.empty()) co_return std::nullopt;
        written += block.size();
    }
}

// The server stopped taking the message. Unless the final dot may be out, it cannot have taken it.
asio::awaitable<void> ClientSession::explain_interruption(ClientTransaction& transaction,
                                                          StreamFailure failure) {
    auto verdict = lost(Stage::message, failure);
    if (failure.bytes_possibly_sent > transaction.data.final_dot()) {
        verdict.outcome = Outcome::unknown;
        co_return transaction.decide_rest(verdict);
    }
    if (failure.kind == StreamFailure::Kind::closed && !aborted_) {
        // Some say why (552, 421) before they hang up.
        stream_->expires_after(explanation_time_max);
        const auto reply = co_await read_reply(Stage::message);
        if (reply && !reply->is_done()) verdict = verdict_of(Stage::message, *reply);
    }
    usable_ = false;
    transaction.decide_rest(verdict);
}

// DATA was asked for together with recipients that were then all refused, and the server said 354
// (RFC 2920, 3.1): an end without a message.
asio::awaitable<void> ClientSession::send_nothing(ClientTransaction& transaction) {
    transaction.message_started = true;
    stream_->expires_after(target_->timeouts.data);
    const std::string end = ".\r\n";
    const auto reply = co_await ask(Stage::message, end, end);
    if (reply) needs_reset_ = false;
}

}  // namespace mailroom::smtp
