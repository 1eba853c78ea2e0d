// The state of one mail on one connection, and the question whether its end may leave. Private to
// ClientSession and ClientPool.
#pragma once

#include "base/fold_case.h"
#include "smtp/data_text.h"
#include "smtp/delivery.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::smtp {

// Whether the end may leave. Shared with the answer, which comes from another thread.
struct EndQuestion {
    explicit EndQuestion(const boost::asio::any_io_executor& executor)
        : come(executor, boost::asio::steady_timer::time_point::max()) {}

    boost::asio::steady_timer come;
    std::optional<Leave> answer;
};

// Whoever answers may need a moment. `executor` must run until the answer has come.
std::shared_ptr<EndQuestion> ask_to_end(const Mail& mail, std::vector<std::size_t> recipients,
                                        const boost::asio::any_io_executor& executor);
// None waits for nothing.
boost::asio::awaitable<void> answer_to(std::shared_ptr<EndQuestion> question);

struct ClientTransaction {
    struct Command {
        Stage stage;
        std::size_t recipient = 0;  // Of Stage::recipient.
    };

    ClientTransaction(const Mail& the_mail, std::shared_ptr<EndQuestion> asked)
        : mail(the_mail),
          data(the_mail.message),
          verdicts(the_mail.recipients.size()),
          question(std::move(asked)) {}

    bool has_undecided() const {
        return std::ranges::any_of(verdicts, [](const auto& v) { return !v.has_value(); });
    }
    std::vector<std::size_t> undecided() const {
        std::vector<std::size_t> indexes;
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            if (!verdicts[i]) indexes.push_back(i);
        }
        return indexes;
    }
    void decide_rest(const Verdict& verdict) {
        for (auto& mine : verdicts) {
            if (!mine) mine = verdict;
        }
    }
    bool needs_utf8() const {
        if (mail.utf8_header || !is_ascii(mail.sender)) return true;
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            if (!verdicts[i] && !is_ascii(mail.recipients[i])) return true;
        }
        return false;
    }

    const Mail& mail;
    DataText data;
    std::vector<std::optional<Verdict>> verdicts;  // None: not refused so far.
    std::vector<Command> commands;
    std::string text;                       // Of all commands.
    std::vector<std::size_t> ends;          // Where each command ends in `text`.
    std::shared_ptr<EndQuestion> question;  // None: not asked yet.
    std::size_t recipients_taken = 0;
    bool sender_refused = false;
    bool may_send = false;         // The server said 354.
    bool message_started = false;  // A byte of it may have left.
};

}  // namespace mailroom::smtp
