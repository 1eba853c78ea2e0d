// The message itself, and what can be known of it when the connection ends.
#include "smtp/client_session.h"
#include "smtp/client_transaction.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <span>
#include <utility>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;

// As much of the message as one timeout is for.
constexpr std::size_t block_bytes = 64 * 1024;
// How long we look for a word of explanation when the server stops taking the message.
constexpr auto explanation_time_max = std::chrono::seconds(2);
constexpr const char* not_to_end = "the mail was not to leave any more";

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

// Where the last block of a message starts.
std::size_t last_block(const DataText& data) {
    const auto bytes = data.body().size();
    return bytes == 0 ? 0 : (bytes - 1) / block_bytes * block_bytes;
}

}  // namespace

std::shared_ptr<EndQuestion> ask_to_end(const Mail& mail, std::vector<std::size_t> recipients,
                                        const asio::any_io_executor& executor) {
    const auto question = std::make_shared<EndQuestion>(executor);
    mail.before_end(std::move(recipients), [question, executor](Leave leave) {
        asio::post(executor, [question, leave = std::move(leave)]() mutable {
            question->answer = std::move(leave);
            question->come.cancel();
        });
    });
    return question;
}

asio::awaitable<void> answer_to(std::shared_ptr<EndQuestion> question) {
    while (question && !question->answer) co_await question->come.async_wait(as_result);
}

asio::awaitable<void> ClientSession::send_message(ClientTransaction& transaction) {
    if (stream_->has_plain_input()) {
        usable_ = false;
        co_return transaction.decide_rest(
            {.stage = Stage::data, .text = "the server speaks out of turn"});
    }
    transaction.message_started = true;
    transcript_.note("message, " + std::to_string(transaction.data.declared_bytes()) + " bytes");
    const auto& data = transaction.data;
    const auto blocks = data.body().substr(0, last_block(data));
    auto failure = co_await write_blocks(blocks);
    if (failure) co_return co_await explain_interruption(transaction, *failure);
    if (!co_await may_end(transaction)) {
        usable_ = false;  // All that could be said now is the end.
        co_return transaction.decide_rest({.stage = Stage::check, .text = not_to_end});
    }
    failure = co_await write_end(data);
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

// The failures, if there are any, count their bytes from the start of the message.
asio::awaitable<std::optional<StreamFailure>> ClientSession::write_blocks(std::string_view blocks) {
    for (std::size_t written = 0; written < blocks.size(); written += block_bytes) {
        stream_->expires_after(target_->timeouts.block);
        const auto block = blocks.substr(written, block_bytes);
        const auto done = co_await stream_->write(block);
        if (done) continue;
        auto failure = done.error();
        failure.bytes_possibly_sent += written;
        co_return failure;
    }
    co_return std::nullopt;
}

asio::awaitable<std::optional<StreamFailure>> ClientSession::write_end(const DataText& data) {
    const auto start = last_block(data);
    const std::string_view pieces[] = {data.body().substr(start), data.terminator()};
    const std::span<const std::string_view> all(pieces);
    stream_->expires_after(target_->timeouts.block);
    const auto done = co_await stream_->write(all);
    if (done) co_return std::nullopt;
    auto failure = done.error();
    failure.bytes_possibly_sent += start;
    co_return failure;
}

asio::awaitable<bool> ClientSession::may_end(ClientTransaction& transaction) {
    if (!transaction.mail.before_end) co_return true;
    if (!transaction.question) {
        transaction.question = ask_to_end(transaction.mail, transaction.undecided(), executor_);
    }
    co_await answer_to(transaction.question);
    const auto& leave = *transaction.question->answer;
    co_return leave && !aborted_ && leave();
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
