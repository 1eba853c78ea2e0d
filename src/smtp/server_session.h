// One SMTP connection as a state machine without a socket: bytes in, replies out, and questions
// for the Receiver in between (RFC 5321 and the extensions named in ehlo()).
//
//   while (session.want() == Want::input) session.consume(bytes);
//   if (session.want() == Want::answer) session.answer(decision about session.step());
//
// Replies gather in output(), in the order of the commands; the owner sends and empties it.
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "smtp/server_data.h"
#include "smtp/server_receiver.h"
#include "smtp/server_settings.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::smtp {

// What the sessions of one server share. All must outlive them.
struct SessionContext {
    const ServerSettings& settings;
    const Clock& clock;
    UlidGenerator& ids;
    MemoryBudget& budget;
};

// Where in a dialogue something is asked of the Receiver.
enum class Step { connect, hello, auth, mail, rcpt, data, message };

class ServerSession {
public:
    enum class Want {
        input,   // consume() more.
        answer,  // The decision about step().
        tls,     // Send output(), make the handshake, then tls_started().
        close,   // Send output(), then close the connection.
        stall,   // Neither read nor write, until the peer leaves.
    };
    enum class Doing { commands, data };  // What the input is, for deadlines.

    // The first question is Step::connect.
    ServerSession(SessionContext& context, Peer peer);

    Want want() const { return want_; }
    Step step() const { return step_; }
    Doing doing() const { return mode_ == Mode::line ? Doing::commands : Doing::data; }
    // Rises with every command, so that its owner can tell progress from single bytes.
    std::uint64_t progress() const { return commands_; }
    std::uint64_t data_bytes() const { return data_.bytes() + discarded_bytes_; }

    // Takes what it can while it wants input; returns how many bytes that were. What is left over
    // is to be given again after the answer.
    std::size_t consume(std::string_view bytes);
    // Something arrived before the greeting was sent.
    void talked_early() { early_ = true; }

    // The subject of the question.
    const Peer& peer() const { return peer_; }
    const Envelope& envelope() const { return envelope_; }
    const Path& recipient() const { return *argument_path_; }        // Step::rcpt
    const Credentials& credentials() const { return credentials_; }  // Step::auth
    Message take_message();                                          // Step::message, once.
    void answer(Decision decision);

    // `description` as Peer::tls. All that was said before is forgotten (RFC 3207, 4.2).
    void tls_started(std::string description);
    // The server stops: this connection ends with 421 as soon as no message is in hand.
    void stop();
    // Ends the dialogue with this reply, whatever is in hand.
    void end(int code, std::string_view enhanced, std::string_view text);

    std::string& output() { return output_; }

private:
    enum class Mode { line, data, chunk };
    enum class AuthStep { none, plain, login_user, login_password };
    using Handler = void (ServerSession::*)(std::string_view argument);
    struct Command;
    static const Command* find_command(std::string_view verb);

    std::size_t consume_line(std::string_view bytes);
    void handle_line(std::string_view line);
    void handle_command(std::string_view line);
    bool count_command(const Command* command);

    void ehlo(std::string_view argument);
    void helo(std::string_view argument);
    void mail(std::string_view argument);
    void rcpt(std::string_view argument);
    void start_data(std::string_view argument);
    void bdat(std::string_view argument);
    void rset(std::string_view argument);
    void noop(std::string_view argument);
    void vrfy(std::string_view argument);
    void expn(std::string_view argument);
    void help(std::string_view argument);
    void quit(std::string_view argument);
    void starttls(std::string_view argument);
    void auth(std::string_view argument);

    void hello(std::string_view argument, bool extended);
    void say_hello();
    bool may_start_mail();
    bool take_mail_parameter(const Parameter& parameter);
    bool take_size(std::string_view value);
    bool auth_offered() const;
    void auth_line(std::string_view line);
    void auth_plain(std::string_view text);
    void check_credentials();

    std::size_t consume_data(std::string_view bytes);
    std::size_t consume_chunk(std::string_view bytes);
    void end_chunk();
    void end_message();
    void refuse_data();

    void accepted(const Decision& decision);
    void accepted_message(const Decision& decision);
    void refused(const Decision& decision);
    void ask(Step step);
    void reset_transaction();
    void write_reply(const Reply& reply);
    void reply(int code, std::string_view enhanced, std::string_view text);
    void error(int code, std::string_view enhanced, std::string_view text);
    void close_if_stopping();

    SessionContext& context_;
    Peer peer_;
    std::string output_;
    Want want_ = Want::answer;
    Step step_ = Step::connect;
    Mode mode_ = Mode::line;
    AuthStep auth_step_ = AuthStep::none;
    bool early_ = false;
    bool stopping_ = false;
    bool more_input_follows_ = false;  // After the line in hand, in the same read.

    std::string line_;  // The beginning of a line whose end has not arrived.
    bool line_too_long_ = false;

    // One transaction.
    bool has_sender_ = false;
    Envelope envelope_;
    std::optional<Path> argument_path_;  // Of the MAIL or RCPT in hand.
    IncomingData data_;
    bool has_chunks_ = false;
    std::string message_id_;

    // The chunk in hand.
    std::uint64_t chunk_bytes_ = 0;
    std::uint64_t chunk_left_bytes_ = 0;
    bool chunk_is_last_ = false;
    bool chunk_is_ignored_ = false;  // Its command was refused, and the reply written.
    std::uint64_t discarded_bytes_ = 0;

    Credentials credentials_;
    std::size_t commands_ = 0, idle_commands_ = 0;
    std::size_t errors_ = 0, refusals_ = 0, auth_failures_ = 0;
};

}  // namespace mailroom::smtp
