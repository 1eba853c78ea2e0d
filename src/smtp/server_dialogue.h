// Plays a written dialogue against a ServerSession. For tests.
#pragma once

#include "smtp/server_session.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::smtp {

class Dialogue {
public:
    using Decide = std::function<Decision(Step, ServerSession&)>;

    explicit Dialogue(ServerSettings settings = {}, Decide decide = accept_everything);

    static Decision accept_everything(Step, ServerSession&) { return Decision::accept(); }

    // Gives the bytes, at most `piece_bytes` at a time, and answers what is asked.
    void send(std::string_view bytes, std::size_t piece_bytes = SIZE_MAX);
    // What was replied since the last call.
    std::string replies();

    // Plays lines such as "C: NOOP" (sent with CRLF) and "S: 250 2.0.0" (the next line of the
    // replies begins so), also "TLS" (the handshake happens) and "END" (the session wants to
    // close). Returns what went wrong first, or nothing.
    std::string play(std::string_view script);

    ServerSession& session() { return session_; }
    const std::vector<Message>& messages() const { return messages_; }
    const MemoryBudget& budget() const { return budget_; }

private:
    void answer_questions();
    std::string play_line(std::string_view line);

    ServerSettings settings_;
    Decide decide_;
    ManualClock clock_{from_unix_ms(1'794'722'828'009)};
    SeededRandom random_{1};
    UlidGenerator ids_{clock_, random_};
    MemoryBudget budget_;
    SessionContext context_;
    ServerSession session_;
    std::vector<Message> messages_;
    std::string unread_;
};

inline Dialogue::Dialogue(ServerSettings settings, Decide decide)
    : settings_(std::move(settings)),
      decide_(std::move(decide)),
      budget_(settings_.limits.memory_bytes_max),
      context_{settings_, clock_, ids_, budget_},
      session_(context_, Peer{.address = "192.0.2.1", .port = 4711}) {
    answer_questions();
}

inline void Dialogue::answer_questions() {
    while (session_.want() == ServerSession::Want::answer) {
        const auto step = session_.step();
        if (step == Step::message) messages_.push_back(session_.take_message());
        session_.answer(decide_(step, session_));
    }
    unread_ += session_.output();
    session_.output().clear();
}

inline void Dialogue::send(std::string_view bytes, std::size_t piece_bytes) {
    while (!bytes.empty() && session_.want() == ServerSession::Want::input) {
        auto piece = bytes.substr(0, piece_bytes);
        const auto used = session_.consume(piece);
        bytes.remove_prefix(used);
        answer_questions();
    }
}

inline std::string Dialogue::replies() { return std::exchange(unread_, {}); }

inline std::string Dialogue::play(std::string_view script) {
    while (!script.empty()) {
        const auto end = std::min(script.find('\n'), script.size());
        auto line = script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        while (line.starts_with(' ')) line.remove_prefix(1);
        if (line.empty()) continue;
        if (auto problem = play_line(line); !problem.empty()) return problem;
    }
    return unread_.empty() ? "" : "not expected: " + unread_;
}

inline std::string Dialogue::play_line(std::string_view line) {
    if (line == "TLS" || line == "END") {
        const auto want = line == "TLS" ? ServerSession::Want::tls : ServerSession::Want::close;
        if (session_.want() != want) return std::string(line) + " was expected";
        if (line == "TLS") session_.tls_started("TLSv1.3 TLS_AES_256_GCM_SHA384");
        return {};
    }
    const auto text = line.substr(std::min<std::size_t>(3, line.size()));
    if (line.starts_with("C:")) {
        if (!unread_.empty()) return "not expected: " + unread_;
        send(std::string(text) + "\r\n");
        return {};
    }
    const auto end = unread_.find("\r\n");
    if (end == unread_.npos) return "missing: " + std::string(line);
    const auto got = unread_.substr(0, end);
    unread_.erase(0, end + 2);
    if (got.starts_with(text)) return {};
    return "expected \"" + std::string(text) + "\", got \"" + got + "\"";
}

}  // namespace mailroom::smtp
