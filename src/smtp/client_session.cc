#include "smtp/client_session.h"

#include "smtp/client_transaction.h"

#include <cassert>
#include <utility>

namespace mailroom::smtp {

namespace asio = boost::asio;

Verdict verdict_of(Stage stage, const Reply& reply) {
    Verdict verdict{
        .stage = stage, .code = reply.code, .status = reply.enhanced, .text = reply.text()};
    switch (reply.reply_class()) {
        case ReplyClass::done:
            verdict.outcome = Outcome::accepted;
            break;
        case ReplyClass::for_good:
            verdict.outcome = Outcome::refused_for_good;
            break;
        case ReplyClass::go_on:
        case ReplyClass::for_now:
            verdict.outcome = Outcome::refused_for_now;
            break;
    }
    return verdict;
}

Verdict ClientSession::lost(Stage stage, const StreamFailure& failure) {
    usable_ = false;
    transcript_.note(failure.message);
    return {.outcome = Outcome::refused_for_now, .stage = stage, .text = failure.message};
}

asio::awaitable<ClientSession::ReplyOrRefusal> ClientSession::read_reply(Stage stage) {
    ReplyParser parser;
    for (;;) {
        const auto line = co_await stream_->read_line(reply_line_bytes_max, LineEnding::any);
        if (!line) co_return lost(stage, line.error());
        auto parsed = parser.put(*line);
        if (!parsed) {
            const StreamFailure failure{StreamFailure::Kind::closed, parsed.error().message};
            co_return lost(stage, failure);
        }
        if (!*parsed) continue;
        Reply reply = **std::move(parsed);
        transcript_.received(reply);
        // RFC 5321, 3.8: 421 may come at any time, and the connection ends after it.
        if (reply.code == 421) usable_ = false;
        co_return reply;
    }
}

asio::awaitable<ClientSession::ReplyOrRefusal> ClientSession::ask(Stage stage, std::string command,
                                                                  std::string_view shown) {
    transcript_.sent(shown);
    const auto written = co_await stream_->write(command);
    if (!written) co_return lost(stage, written.error());
    co_return co_await read_reply(stage);
}

bool ClientSession::is_usable() { return usable_ && !stream_->has_unexpected_input(); }

void ClientSession::abort() {
    aborted_ = true;
    usable_ = false;
    if (stream_) stream_->close();
}

asio::awaitable<void> ClientSession::quit() {
    if (is_usable()) {
        stream_->expires_after(target_->timeouts.quit);
        const std::string command = "QUIT\r\n";
        const auto answer = co_await ask(Stage::hello, command, command);
        static_cast<void>(answer);  // Whatever it is, we leave.
    }
    usable_ = false;
    if (stream_) stream_->close();
}

asio::awaitable<Attempt> ClientSession::send(const Mail& mail, std::shared_ptr<EndQuestion> asked) {
    assert(usable_);
    ++messages_;
    ClientTransaction transaction(mail, std::move(asked));
    refuse_what_server_lacks(transaction);
    if (transaction.has_undecided()) co_await transact(transaction);
    co_await answer_to(transaction.question);  // Which needs our thread.
    Attempt attempt;
    for (auto& verdict : transaction.verdicts) {
        assert(verdict);
        attempt.verdicts.push_back(*std::move(verdict));
    }
    attempt.ended_before_message = !usable_ && !transaction.message_started && !aborted_;
    co_return attempt;
}

asio::awaitable<void> ClientSession::transact(ClientTransaction& transaction) {
    // While the server reads the commands. Of several recipients some may be refused: then the
    // question is about the others.
    const bool is_for_one = transaction.verdicts.size() == 1;
    if (is_for_one && transaction.mail.before_end && !transaction.question) {
        transaction.question = ask_to_end(transaction.mail, {0}, executor_);
    }
    co_await exchange(transaction);
}

asio::awaitable<void> ClientSession::exchange(ClientTransaction& transaction) {
    co_await send_commands(transaction);
    if (!transaction.may_send) co_return;
    if (transaction.sender_refused || !usable_) {
        // Without a sender there can be no 354: we do not understand each other.
        usable_ = false;
        transaction.decide_rest({.stage = Stage::data, .text = "the server contradicts itself"});
    } else if (transaction.has_undecided()) {
        co_await send_message(transaction);
    } else {
        co_await send_nothing(transaction);
    }
}

}  // namespace mailroom::smtp
