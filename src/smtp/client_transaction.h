// The state of one mail on one connection. Private to ClientSession.
#pragma once

#include "smtp/data_text.h"
#include "smtp/delivery.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

inline bool is_ascii(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Whether the end may leave. Shared with the answer, which comes from another thread.
struct EndQuestion {
    explicit EndQuestion(const boost::asio::any_io_executor& executor)
        : come(executor, boost::asio::steady_timer::time_point::max()) {}

    boost::asio::steady_timer come;
    std::optional<Leave> answer;
};

struct ClientTransaction {
    struct Command {
        Stage stage;
        std::size_t recipient = 0;  // Of Stage::recipient.
    };

    explicit ClientTransaction(const Mail& the_mail)
        : mail(the_mail), data(the_mail.message), verdicts(the_mail.recipients.size()) {}

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
