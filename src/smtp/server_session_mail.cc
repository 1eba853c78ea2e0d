// The commands that move mail: MAIL, RCPT, DATA, BDAT.
#include "base/fold_case.h"
#include "base/text.h"
#include "smtp/server_received.h"
#include "smtp/server_session.h"

#include <algorithm>
#include <charconv>

namespace mailroom::smtp {
namespace {

// How many times the size limit a refused message may run on before the connection is cut. A
// client that is told at the end of its message does not try again at once.
constexpr std::uint64_t tolerated_oversize = 2;

std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// What stands after `keyword` ("FROM:"), or none.
std::optional<std::string_view> after(std::string_view keyword, std::string_view argument) {
    if (!ascii_equal_ignoring_case(argument.substr(0, keyword.size()), keyword)) {
        return std::nullopt;
    }
    return argument.substr(keyword.size());
}

}  // namespace

bool ServerSession::may_start_mail() {
    const auto& settings = context_.settings;
    if (settings.tls == TlsPolicy::required && peer_.tls.empty()) {
        error(530, "5.7.0", "Say STARTTLS first");
    } else if (peer_.hello.empty()) {
        error(503, "5.5.1", "Say EHLO first");
    } else if (settings.auth == AuthPolicy::required && peer_.user.empty()) {
        error(530, "5.7.0", "Authentication is required");
    } else if (has_sender_) {
        error(503, "5.5.1", "A mail is under way already");
    } else {
        return true;
    }
    return false;
}

void ServerSession::mail(std::string_view argument) {
    if (!may_start_mail()) return;
    const auto text = after("FROM:", argument);
    if (!text) return error(501, "5.5.4", "Say MAIL FROM:<address>");
    auto parsed = parse_path_argument(*text);
    if (const auto* problem = std::get_if<PathProblem>(&parsed)) {
        const bool path = problem->where == PathProblem::Where::path;
        return error(501, path ? "5.1.7" : "5.5.4", problem->text);
    }
    auto& [path, parameters] = std::get<PathArgument>(parsed);
    envelope_ = {};
    for (const auto& parameter : parameters) {
        if (!take_mail_parameter(parameter)) return;
    }
    if (path && path->domain.empty()) {
        return error(501, "5.1.7", "The sender must have a domain");
    }
    if (path && !envelope_.utf8 && !is_ascii(path->text)) {
        return error(553, "5.6.7", "An address beyond ASCII needs SMTPUTF8");
    }
    envelope_.sender = std::move(path);
    ask(Step::mail);
}

// False if it was refused, and the reply is written.
bool ServerSession::take_mail_parameter(const Parameter& parameter) {
    const auto is = [&](std::string_view name) {
        return ascii_equal_ignoring_case(parameter.name, name);
    };
    const auto& value = parameter.value;
    if (is("SIZE") && value) return take_size(*value);
    if (is("BODY") && value) {
        const bool eight_bit = ascii_equal_ignoring_case(*value, "8BITMIME");
        if (eight_bit || ascii_equal_ignoring_case(*value, "7BIT")) {
            envelope_.body = eight_bit ? Envelope::Body::eight_bit : Envelope::Body::seven_bit;
            return true;
        }
        error(501, "5.5.4", "BODY is 7BIT or 8BITMIME");
        return false;
    }
    if (is("SMTPUTF8") && !value) {
        envelope_.utf8 = true;
        return true;
    }
    if (is("AUTH") && value) {
        envelope_.submitter = decode_xtext(*value);
        if (envelope_.submitter) return true;
        error(501, "5.5.4", "The value of AUTH is malformed");
        return false;
    }
    const bool known = is("SIZE") || is("BODY") || is("SMTPUTF8") || is("AUTH");
    known ? error(501, "5.5.4", "A parameter has a wrong value")
          : error(555, "5.5.4", "A parameter is unknown");
    return false;
}

bool ServerSession::take_size(std::string_view value) {
    const auto bytes = parse_number(value);
    if (!bytes) {
        error(501, "5.5.4", "The value of SIZE is not a number");
    } else if (*bytes > context_.settings.limits.message_bytes_max) {
        error(552, "5.3.4", "The message is too large");
    } else if (!context_.budget.has_room_for(*bytes)) {
        reply(452, "4.3.1", "There is no room for the message now");
    } else {
        envelope_.declared_bytes = *bytes;
        return true;
    }
    return false;
}

void ServerSession::rcpt(std::string_view argument) {
    if (!has_sender_) return error(503, "5.5.1", "Say MAIL first");
    if (has_chunks_) return error(503, "5.5.1", "The message has begun");
    const auto text = after("TO:", argument);
    if (!text) return error(501, "5.5.4", "Say RCPT TO:<address>");
    auto parsed = parse_path_argument(*text);
    if (const auto* problem = std::get_if<PathProblem>(&parsed)) {
        const bool path = problem->where == PathProblem::Where::path;
        return error(501, path ? "5.1.3" : "5.5.4", problem->text);
    }
    auto& [path, parameters] = std::get<PathArgument>(parsed);
    if (!path) return error(501, "5.1.3", "A recipient cannot be empty");
    if (!parameters.empty()) return error(555, "5.5.4", "A parameter is unknown");
    if (!envelope_.utf8 && !is_ascii(path->text)) {
        return error(553, "5.6.7", "An address beyond ASCII needs SMTPUTF8");
    }
    // No mistake: the client sends the mail again for the others (RFC 5321, 4.5.3.1.10).
    if (envelope_.recipients.size() >= context_.settings.limits.recipients_max) {
        return reply(452, "4.5.3", "Too many recipients");
    }
    argument_path_ = std::move(path);
    ask(Step::rcpt);
}

void ServerSession::start_data(std::string_view argument) {
    if (!argument.empty()) return error(501, "5.5.4", "DATA takes no argument");
    if (!has_sender_) return error(503, "5.5.1", "Say MAIL first");
    if (has_chunks_) return error(503, "5.5.1", "The message has begun with BDAT");
    // A client that pipelines says DATA before it knows that no recipient was good (RFC 2920).
    if (envelope_.recipients.empty()) return reply(554, "5.5.1", "There is no valid recipient");
    ask(Step::data);
}

std::size_t ServerSession::consume_data(std::string_view bytes) {
    const auto& limits = context_.settings.limits;
    std::size_t used = 0;
    const auto outcome = data_.put(bytes, used);
    if (data_.problem() == IncomingData::Problem::bare_newline) {
        refuse_data();
    } else if (data_.problem() != IncomingData::Problem::none &&
               data_.bytes() > tolerated_oversize * limits.message_bytes_max) {
        end(552, "5.3.4", "The message is too large");
    } else if (outcome == IncomingData::Outcome::complete) {
        mode_ = Mode::line;
        ++commands_;
        end_message();
    }
    return used;
}

// RFC 3030, section 2: BDAT size [LAST], then that many bytes, whatever the reply will be.
void ServerSession::bdat(std::string_view argument) {
    const auto space = std::min(argument.find(' '), argument.size());
    const auto size = parse_number(argument.substr(0, space));
    const auto rest = argument.substr(space);
    const bool last = ascii_equal_ignoring_case(rest, " LAST");
    // Where the next command starts is not known then.
    if (!size || (!last && !rest.empty())) return end(501, "5.5.4", "Say BDAT size [LAST]");
    if (*size > tolerated_oversize * context_.settings.limits.message_bytes_max) {
        return end(552, "5.3.4", "The message is too large");
    }
    mode_ = Mode::chunk;
    chunk_bytes_ = chunk_left_bytes_ = *size;
    chunk_is_last_ = last;
    chunk_is_ignored_ = true;
    if (!has_sender_) {
        error(503, "5.5.1", "Say MAIL first");
    } else if (envelope_.recipients.empty()) {
        reply(554, "5.5.1", "There is no valid recipient");
    } else {
        chunk_is_ignored_ = false;
    }
    if (want_ != Want::input) return;
    if (!chunk_is_ignored_ && !has_chunks_) {
        has_chunks_ = true;
        return ask(Step::data);
    }
    if (chunk_left_bytes_ == 0) end_chunk();
}

std::size_t ServerSession::consume_chunk(std::string_view bytes) {
    const auto part = bytes.substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_bytes_, bytes.size())));
    std::size_t used = 0;
    if (chunk_is_ignored_) {
        used = part.size();
        discarded_bytes_ += used;
    } else {
        data_.put(part, used);
        if (data_.problem() == IncomingData::Problem::bare_newline) {
            refuse_data();
            return used;
        }
    }
    chunk_left_bytes_ -= used;
    if (chunk_left_bytes_ == 0) end_chunk();
    return used;
}

void ServerSession::end_chunk() {
    mode_ = Mode::line;
    if (chunk_is_ignored_) return reset_transaction();
    if (chunk_is_last_) {
        data_.finish();
        return end_message();
    }
    if (data_.problem() != IncomingData::Problem::none) return refuse_data();
    reply(250, "2.0.0", std::to_string(chunk_bytes_) + " bytes received");
}

void ServerSession::end_message() {
    if (data_.problem() != IncomingData::Problem::none) return refuse_data();
    ask(Step::message);
}

void ServerSession::refuse_data() {
    switch (data_.problem()) {
        case IncomingData::Problem::none:
            return;
        case IncomingData::Problem::too_large:
            error(552, "5.3.4", "The message is too large");
            break;
        case IncomingData::Problem::no_memory:
            reply(452, "4.3.1", "There is no room for the message now");
            break;
        case IncomingData::Problem::line_too_long:
            error(554, "5.6.0", "The message has too long a line");
            break;
        case IncomingData::Problem::bare_newline:
            // Where the peer thinks that its message ends is not known.
            return end(554, "5.6.0", "The message has a CR or LF that is not part of CRLF");
    }
    reset_transaction();
}

Message ServerSession::take_message() {
    message_id_ = context_.ids.next();
    auto received = received_field(peer_, envelope_, context_.settings.host_name, message_id_,
                                   context_.clock.now());
    return {.peer = peer_,
            .envelope = std::move(envelope_),
            .id = message_id_,
            .received = std::move(received),
            .data = data_.take()};
}

}  // namespace mailroom::smtp
