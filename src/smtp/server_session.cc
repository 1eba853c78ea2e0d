#include "smtp/server_session.h"

#include "base/fold_case.h"
#include "base/text.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace mailroom::smtp {
namespace {

void append_code(std::string& out, int code) {
    char digits[3];
    std::to_chars(digits, digits + sizeof digits, code);
    out.append(digits, sizeof digits);
}

}  // namespace

struct ServerSession::Command {
    std::string_view verb;
    Handler handle;
    enum class Kind { mail, idle } kind;  // idle: moves no mail, so it cannot go on for ever.
    // RFC 2920, 3.1: what may follow it before its reply has been read.
    enum class Followers { allowed, wait } followers;
};

const ServerSession::Command* ServerSession::find_command(std::string_view verb) {
    using S = ServerSession;
    using enum Command::Kind;
    using enum Command::Followers;
    static constexpr Command commands[] = {
        {"MAIL", &S::mail, Command::Kind::mail, allowed},
        {"RCPT", &S::rcpt, Command::Kind::mail, allowed},
        {"DATA", &S::start_data, Command::Kind::mail, wait},
        {"BDAT", &S::bdat, Command::Kind::mail, allowed},
        {"EHLO", &S::ehlo, idle, wait},
        {"HELO", &S::helo, idle, wait},
        {"STARTTLS", &S::starttls, idle, wait},
        {"AUTH", &S::auth, idle, wait},
        {"RSET", &S::rset, idle, allowed},
        {"NOOP", &S::noop, idle, wait},
        {"VRFY", &S::vrfy, idle, wait},
        {"EXPN", &S::expn, idle, wait},
        {"HELP", &S::help, idle, allowed},
        {"QUIT", &S::quit, Command::Kind::mail, wait},
    };
    const auto* found = std::ranges::find_if(commands, [verb](const Command& command) {
        return ascii_equal_ignoring_case(command.verb, verb);
    });
    return found == std::end(commands) ? nullptr : found;
}

ServerSession::ServerSession(SessionContext& context, Peer peer)
    : context_(context), peer_(std::move(peer)), data_(context.settings, context.budget) {}

std::size_t ServerSession::consume(std::string_view bytes) {
    std::size_t used = 0;
    while (want_ == Want::input && used < bytes.size()) {
        const auto rest = bytes.substr(used);
        switch (mode_) {
            case Mode::line:
                used += consume_line(rest);
                break;
            case Mode::data:
                used += consume_data(rest);
                break;
            case Mode::chunk:
                used += consume_chunk(rest);
                break;
        }
    }
    // In clear before the handshake (CVE-2011-0411), or after the last word: nobody reads it.
    if (want_ == Want::tls || want_ == Want::close) return bytes.size();
    return used;
}

std::size_t ServerSession::consume_line(std::string_view bytes) {
    const auto& limits = context_.settings.limits;
    const auto bytes_max =
        auth_step_ == AuthStep::none ? limits.command_bytes_max : limits.auth_bytes_max;
    const auto newline = bytes.find('\n');
    const auto part = bytes.substr(0, std::min(newline, bytes.size()));
    // An initial response makes an AUTH command longer than others.
    const auto allowed = std::max(bytes_max, limits.auth_bytes_max);
    if (line_.size() + part.size() > allowed) line_too_long_ = true;
    if (newline == bytes.npos) {
        if (!line_too_long_) line_ += part;
        return bytes.size();
    }
    more_input_follows_ = newline + 1 < bytes.size();
    if (line_too_long_) {
        line_.clear();
        line_too_long_ = false;
        auth_step_ = AuthStep::none;
        error(500, "5.5.2", "The line is too long");
    } else if (line_.empty()) {
        handle_line(part);
    } else {
        line_ += part;
        const auto line = std::exchange(line_, {});
        handle_line(line);
    }
    return newline + 1;
}

// `line` is without its LF.
void ServerSession::handle_line(std::string_view line) {
    const bool crlf = line.ends_with('\r');
    if (crlf) line.remove_suffix(1);
    if (!crlf && context_.settings.bare_newlines == BareNewlines::refuse) {
        auth_step_ = AuthStep::none;
        return error(500, "5.5.2", "Lines must end with CRLF");
    }
    if (auth_step_ != AuthStep::none) return auth_line(line);
    const bool is_auth = ascii_equal_ignoring_case(line.substr(0, 5), "AUTH ");
    if (!is_auth && line.size() > context_.settings.limits.command_bytes_max) {
        return error(500, "5.5.2", "The line is too long");
    }
    handle_command(line);
}

void ServerSession::handle_command(std::string_view line) {
    const auto space = line.find(' ');
    const auto verb = line.substr(0, std::min(space, line.size()));
    auto argument = line.substr(verb.size());
    if (!argument.empty()) argument.remove_prefix(1);
    // Trailing spaces are a common slip.
    while (argument.ends_with(' ')) argument.remove_suffix(1);

    const auto* command = find_command(verb);
    if (!count_command(command)) return;
    if (std::ranges::any_of(
            line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; })) {
        return error(500, "5.5.2", "The command has a control character");
    }
    if (!command) return error(500, "5.5.1", "The command is unknown");
    if (command->followers == Command::Followers::wait && more_input_follows_ &&
        context_.settings.early_talkers == EarlyTalkers::refuse) {
        return end(503, "5.5.0", "A command came before the reply to the last one");
    }
    (this->*command->handle)(argument);
}

// False if that was one too many.
bool ServerSession::count_command(const Command* command) {
    const auto& limits = context_.settings.limits;
    ++commands_;
    if (!command || command->kind == Command::Kind::idle) ++idle_commands_;
    if (commands_ <= limits.commands_max && idle_commands_ <= limits.idle_commands_max) return true;
    end(421, "4.7.0", "Too many commands");
    return false;
}

void ServerSession::ehlo(std::string_view argument) { hello(argument, true); }
void ServerSession::helo(std::string_view argument) { hello(argument, false); }

void ServerSession::hello(std::string_view argument, bool extended) {
    const bool known = is_ascii(argument) && (is_domain(argument) || is_address_literal(argument));
    if (!known) return error(501, "", "Say EHLO with your domain name or [address]");
    reset_transaction();
    peer_.hello = argument;
    peer_.extended = extended;
    ask(Step::hello);
}

bool ServerSession::auth_offered() const {
    const auto& settings = context_.settings;
    return settings.auth != AuthPolicy::off && (!peer_.tls.empty() || settings.auth_without_tls);
}

void ServerSession::say_hello() {
    const auto& settings = context_.settings;
    if (!peer_.extended) return reply(250, "", settings.host_name);
    output_ += "250-" + settings.host_name + "\r\n";
    output_ += "250-PIPELINING\r\n250-SIZE " + std::to_string(settings.limits.message_bytes_max);
    const bool starttls = settings.tls == TlsPolicy::offered || settings.tls == TlsPolicy::required;
    if (starttls && peer_.tls.empty()) output_ += "\r\n250-STARTTLS";
    if (auth_offered()) output_ += "\r\n250-AUTH PLAIN LOGIN";
    output_ +=
        "\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n250-CHUNKING\r\n250 HELP"
        "\r\n";
}

void ServerSession::rset(std::string_view) {
    reset_transaction();
    reply(250, "2.0.0", "Forgotten");
}

void ServerSession::noop(std::string_view) { reply(250, "2.0.0", "OK"); }

void ServerSession::vrfy(std::string_view argument) {
    if (argument.empty()) return error(501, "5.5.4", "VRFY needs an address");
    reply(252, "2.5.0", "Send mail and see: addresses are not verified ahead");
}

void ServerSession::expn(std::string_view) { error(502, "5.5.1", "EXPN is not offered"); }

void ServerSession::help(std::string_view) {
    reply(214, "2.0.0",
          "EHLO HELO STARTTLS AUTH MAIL RCPT DATA BDAT RSET NOOP VRFY HELP QUIT (RFC 5321)");
}

void ServerSession::quit(std::string_view argument) {
    if (!argument.empty()) return error(501, "5.5.4", "QUIT takes no argument");
    end(221, "2.0.0", "Goodbye");
}

void ServerSession::starttls(std::string_view argument) {
    const auto tls = context_.settings.tls;
    if (!peer_.tls.empty()) return error(503, "5.5.1", "TLS is on already");
    if (tls != TlsPolicy::offered && tls != TlsPolicy::required) {
        return error(502, "5.5.1", "TLS is not offered");
    }
    if (!argument.empty()) return error(501, "5.5.4", "STARTTLS takes no argument");
    reply(220, "2.0.0", "Ready for TLS");
    want_ = Want::tls;
}

void ServerSession::tls_started(std::string description) {
    // With implicit TLS the greeting is still to come.
    if (want_ == Want::tls) {
        reset_transaction();
        peer_.hello.clear();
        peer_.extended = false;
        peer_.user.clear();
        line_.clear();
        want_ = Want::input;
    }
    peer_.tls = std::move(description);
}

void ServerSession::reset_transaction() {
    has_sender_ = has_chunks_ = false;
    envelope_ = {};
    data_.clear();
    discarded_bytes_ = 0;
}

void ServerSession::ask(Step step) {
    step_ = step;
    want_ = Want::answer;
}

void ServerSession::answer(Decision decision) {
    assert(want_ == Want::answer);
    want_ = Want::input;
    switch (decision.kind) {
        case Decision::Kind::accept:
            accepted(decision);
            break;
        case Decision::Kind::refuse:
            refused(decision);
            break;
        case Decision::Kind::raw:
            output_ += decision.raw;
            refused(decision);
            break;
        case Decision::Kind::hang_up:
            data_.clear();
            want_ = Want::close;
            return;
        case Decision::Kind::stall:
            data_.clear();
            want_ = Want::stall;
            return;
    }
    if (decision.after == Decision::After::close) want_ = Want::close;
    if (want_ == Want::input) close_if_stopping();
}

void ServerSession::accepted(const Decision& decision) {
    const auto say = [&](int code, std::string_view enhanced, std::string_view text) {
        decision.reply ? write_reply(*decision.reply) : reply(code, enhanced, text);
    };
    switch (step_) {
        case Step::connect:
            if (early_ && context_.settings.early_talkers == EarlyTalkers::refuse) {
                return end(554, "", "You spoke before the greeting");
            }
            say(220, "", context_.settings.host_name + " ESMTP Mailroom");
            break;
        case Step::hello:
            say_hello();
            break;
        case Step::auth:
            peer_.user = credentials_.user;
            credentials_ = {};
            say(235, "2.7.0", "Authenticated");
            break;
        case Step::mail:
            has_sender_ = true;
            say(250, "2.1.0", "Sender OK");
            break;
        case Step::rcpt:
            envelope_.recipients.push_back(std::move(*argument_path_));
            say(250, "2.1.5", "Recipient OK");
            break;
        case Step::data:
            data_.start(
                mode_ == Mode::chunk ? IncomingData::Form::literal : IncomingData::Form::dotted,
                envelope_.declared_bytes.value_or(chunk_bytes_));
            if (mode_ != Mode::chunk) {
                reply(354, "", "Send the message, and a dot alone on a line after it");
                mode_ = Mode::data;
            } else if (chunk_left_bytes_ == 0) {
                end_chunk();
            }
            break;
        case Step::message:
            accepted_message(decision);
            break;
    }
}

void ServerSession::accepted_message(const Decision& decision) {
    if (decision.reply) {
        write_reply(*decision.reply);
    } else {
        reply(250, "2.0.0", "Stored as " + message_id_);
    }
    idle_commands_ = 0;
    reset_transaction();
}

void ServerSession::refused(const Decision& decision) {
    if (decision.kind == Decision::Kind::refuse) {
        assert(decision.reply);
        write_reply(*decision.reply);
    }
    const auto& limits = context_.settings.limits;
    switch (step_) {
        case Step::connect:
            want_ = Want::close;
            return;
        case Step::hello:
            peer_.hello.clear();
            break;
        case Step::auth:
            credentials_ = {};
            if (++auth_failures_ >= limits.auth_failures_max) {
                return end(421, "4.7.0", "Too many failed authentications");
            }
            break;
        case Step::mail:
        case Step::message:
            reset_transaction();
            break;
        case Step::rcpt:
            break;
        case Step::data:
            if (mode_ == Mode::chunk) {
                chunk_is_ignored_ = true;
                if (chunk_left_bytes_ == 0) end_chunk();
            } else {
                reset_transaction();
            }
            break;
    }
    if (++refusals_ > limits.refusals_max) end(421, "4.7.0", "Too many refusals");
}

void ServerSession::stop() {
    stopping_ = true;
    if (want_ == Want::input && mode_ == Mode::line) close_if_stopping();
    if (want_ == Want::stall) want_ = Want::close;
}

void ServerSession::close_if_stopping() {
    if (stopping_ && mode_ == Mode::line && !has_chunks_) {
        end(421, "4.3.2", "The server is stopping");
    }
}

void ServerSession::end(int code, std::string_view enhanced, std::string_view text) {
    reply(code, enhanced, text);
    reset_transaction();
    mode_ = Mode::line;
    want_ = Want::close;
}

void ServerSession::write_reply(const Reply& given) {
    const auto from = output_.size();
    for (std::size_t i = 0; i < given.lines.size(); ++i) {
        append_code(output_, given.code);
        output_ += i + 1 < given.lines.size() ? '-' : ' ';
        if (given.enhanced) output_ += given.enhanced->text() + ' ';
        const auto text_from = output_.size();
        output_ += given.lines[i];
        // A Receiver may quote what the peer sent.
        std::replace_if(
            output_.begin() + static_cast<std::ptrdiff_t>(text_from), output_.end(),
            [](char c) { return c < ' ' || c > '~'; }, '?');
        output_ += "\r\n";
    }
    assert(output_.size() > from);
}

void ServerSession::reply(int code, std::string_view enhanced, std::string_view text) {
    append_code(output_, code);
    output_ += ' ';
    if (!enhanced.empty()) {
        output_ += enhanced;
        output_ += ' ';
    }
    output_ += text;
    output_ += "\r\n";
}

// A mistake of the peer.
void ServerSession::error(int code, std::string_view enhanced, std::string_view text) {
    reply(code, enhanced, text);
    if (++errors_ > context_.settings.limits.errors_max) end(421, "4.7.0", "Too many errors");
}

}  // namespace mailroom::smtp
