// MAIL, RCPT and DATA: what goes before the message.
#include "smtp/client_session.h"
#include "smtp/client_transaction.h"

#include <algorithm>
#include <utility>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;

// The answers to this many commands fit what the system buffers for us, so that neither side ever
// waits for the other to read (RFC 2920, 3.1).
constexpr std::size_t pipelined_commands_max = 100;

constexpr EnhancedStatus too_big_for_server{5, 3, 4};
constexpr EnhancedStatus address_needs_utf8{5, 6, 7};
constexpr EnhancedStatus conversion_needed{5, 6, 3};

Verdict refuse_for_good(EnhancedStatus status, std::string text) {
    return {.outcome = Outcome::refused_for_good,
            .stage = Stage::check,
            .status = status,
            .text = std::move(text)};
}

// RFC 5321, 4.5.3.1.10: old servers say 552 where they mean 452, too many recipients.
bool means_too_many_recipients(const Verdict& verdict) {
    constexpr EnhancedStatus too_many_recipients{5, 5, 3};
    return verdict.code == 552 && (!verdict.status || *verdict.status == too_many_recipients);
}

void add_parameters(std::string& text, const DataText& data, bool needs_utf8,
                    const Capabilities& capabilities) {
    if (capabilities.size_bytes_max) text += " SIZE=" + std::to_string(data.declared_bytes());
    if (data.has_8bit()) text += " BODY=8BITMIME";
    if (needs_utf8) text += " SMTPUTF8";
}

}  // namespace

// What we know the server cannot take is not sent at all.
void ClientSession::refuse_what_server_lacks(ClientTransaction& transaction) const {
    const auto bytes = transaction.data.declared_bytes();
    if (capabilities_.size_bytes_max && bytes > *capabilities_.size_bytes_max) {
        const auto text = "the message has " + std::to_string(bytes) + " bytes; " + target_->host +
                          " takes " + std::to_string(*capabilities_.size_bytes_max);
        return transaction.decide_rest(refuse_for_good(too_big_for_server, text));
    }
    if (transaction.data.has_8bit() && !capabilities_.eight_bit) {
        const auto text = "the message has 8-bit characters and " + target_->host +
                          " takes 7-bit messages only (no 8BITMIME)";
        return transaction.decide_rest(refuse_for_good(conversion_needed, text));
    }
    if (capabilities_.utf8) return;
    const auto text = target_->host + " takes no internationalised addresses (no SMTPUTF8)";
    const auto refusal = refuse_for_good(address_needs_utf8, text);
    if (transaction.mail.utf8_header || !is_ascii(transaction.mail.sender)) {
        return transaction.decide_rest(refusal);
    }
    for (std::size_t i = 0; i < transaction.verdicts.size(); ++i) {
        if (!is_ascii(transaction.mail.recipients[i])) transaction.verdicts[i] = refusal;
    }
}

// RSET (after a mail that was given up), MAIL, RCPT for each recipient, DATA: together where the
// server lets us (RFC 2920), else one at a time.
asio::awaitable<void> ClientSession::send_commands(ClientTransaction& transaction) {
    const auto add = [&transaction](Stage stage, std::size_t recipient) {
        transaction.text += "\r\n";
        transaction.commands.push_back({stage, recipient});
        transaction.ends.push_back(transaction.text.size());
    };
    if (needs_reset_) {
        transaction.text += "RSET";
        add(Stage::hello, 0);
    }
    transaction.text += "MAIL FROM:<" + transaction.mail.sender + ">";
    add_parameters(transaction.text, transaction.data, transaction.needs_utf8(), capabilities_);
    add(Stage::sender, 0);
    for (std::size_t i = 0; i < transaction.verdicts.size(); ++i) {
        if (transaction.verdicts[i]) continue;
        transaction.text += "RCPT TO:<" + transaction.mail.recipients[i] + ">";
        add(Stage::recipient, i);
    }
    transaction.text += "DATA";
    add(Stage::data, 0);

    const std::size_t together = capabilities_.pipelining ? pipelined_commands_max : 1;
    for (std::size_t first = 0; first < transaction.commands.size();) {
        // DATA is worth asking for only if there is somebody to send to.
        const bool asks_for_data = transaction.commands[first].stage == Stage::data;
        if (asks_for_data && !transaction.has_undecided()) co_return;
        const auto end = std::min(first + together, transaction.commands.size());
        const auto start = first == 0 ? 0 : transaction.ends[first - 1];
        const auto text =
            std::string_view(transaction.text).substr(start, transaction.ends[end - 1] - start);
        transcript_.sent(text);
        stream_->expires_after(target_->timeouts.command);
        const auto written = co_await stream_->write(text);
        if (!written) {
            const auto stage = transaction.commands[first].stage;
            co_return transaction.decide_rest(lost(stage, written.error()));
        }
        if (!co_await read_replies(transaction, first, end)) co_return;
        first = end;
    }
}

// Of commands `first` to `end`. False if there is no point in going on.
asio::awaitable<bool> ClientSession::read_replies(ClientTransaction& transaction, std::size_t first,
                                                  std::size_t end) {
    for (auto i = first; i < end; ++i) {
        const auto stage = transaction.commands[i].stage;
        stream_->expires_after(stage == Stage::data ? target_->timeouts.data
                                                    : target_->timeouts.command);
        const auto reply = co_await read_reply(stage);
        if (!reply) {
            transaction.may_send = false;
            transaction.decide_rest(reply.error());
            co_return false;
        }
        take_reply(transaction, i, *reply);
        if (!usable_) {
            transaction.may_send = false;
            auto verdict = verdict_of(stage, *reply);
            verdict.outcome = Outcome::refused_for_now;
            transaction.decide_rest(verdict);
            co_return false;
        }
    }
    co_return !transaction.sender_refused;
}

void ClientSession::take_reply(ClientTransaction& transaction, std::size_t command,
                               const Reply& reply) {
    const auto [stage, recipient] = transaction.commands[command];
    const bool wants_message = reply.reply_class() == ReplyClass::go_on;
    if (stage == Stage::data ? reply.is_done() : wants_message) {
        usable_ = false;  // An answer to another question: we are out of step.
        return;
    }
    auto verdict = verdict_of(stage, reply);
    switch (stage) {
        case Stage::sender:
            needs_reset_ = reply.is_done();
            transaction.sender_refused = !reply.is_done();
            if (transaction.sender_refused) transaction.decide_rest(verdict);
            break;
        case Stage::recipient:
            if (reply.is_done()) {
                ++transaction.recipients_taken;
            } else if (!transaction.verdicts[recipient]) {
                if (transaction.recipients_taken > 0 && means_too_many_recipients(verdict)) {
                    verdict.outcome = Outcome::refused_for_now;
                }
                transaction.verdicts[recipient] = std::move(verdict);
            }
            break;
        case Stage::data:
            transaction.may_send = wants_message;
            if (!wants_message) transaction.decide_rest(verdict);
            break;
        default:
            needs_reset_ = !reply.is_done();
            if (needs_reset_) usable_ = false;
            break;
    }
}

}  // namespace mailroom::smtp
