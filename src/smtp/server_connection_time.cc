// How long a connection may take, and when it gives way to others.
#include "smtp/server_connection.h"

#include <algorithm>

namespace mailroom::smtp {
namespace {

// A program that has logged in may think for so long before its place is wanted back.
constexpr auto logged_in_silence_min = std::chrono::seconds(10);

}  // namespace

void ServerConnection::on_sweep() {
    const auto& limits = context_.session.settings.limits;
    const auto waited = context_.now - since_;
    switch (phase_) {
        case Phase::handshake:
            if (waited > limits.tls_handshake_max) time_out(0, "", "");
            return;
        case Phase::lingering:
            if (waited > limits.linger_max) close();
            return;
        case Phase::open:
            return sweep_open();
        case Phase::closed:
            return;
    }
}

void ServerConnection::sweep_open() {
    const auto& limits = context_.session.settings.limits;
    const auto waited = context_.now - since_;
    if (!unsent_.empty() && context_.now - unsent_since_ > limits.write_max) {
        return time_out(0, "", "");
    }
    const bool is_old = context_.now - opened_ > limits.session_max;
    switch (session_.want()) {
        case ServerSession::Want::answer:
            if (is_late_to_log_in()) return time_out(421, "4.4.2", "No login for too long");
            if (waited > limits.answer_max) {
                time_out(451, "4.3.0", "The request took too long to handle");
            }
            return;
        case ServerSession::Want::stall:
            if (is_old) close();
            return;
        case ServerSession::Want::input:
            break;
        case ServerSession::Want::tls:
        case ServerSession::Want::close:
            return;  // Waits for its replies to be sent: see above.
    }
    if (session_.doing() == ServerSession::Doing::commands) {
        if (is_late_to_log_in()) return time_out(421, "4.4.2", "No login for too long");
        if (waited > limits.idle_max) return time_out(421, "4.4.2", "No command for too long");
        if (is_old) time_out(421, "4.4.2", "The connection lasts too long");
        return;
    }
    const std::chrono::milliseconds earned(session_.data_bytes() * 1000 /
                                           limits.data_bytes_per_second_min);
    if (waited > std::min(limits.data_max + earned, limits.data_total_max)) {
        time_out(421, "4.4.2", "The message arrives too slowly");
    }
}

bool ServerConnection::is_late_to_log_in() const {
    const auto& settings = context_.session.settings;
    return settings.auth == AuthPolicy::required && session_.peer().user.empty() &&
           context_.now - opened_ > settings.limits.login_max;
}

std::optional<ServerConnection::Silence> ServerConnection::silence() const {
    const bool has_logged_in = !session_.peer().user.empty();
    switch (phase_) {
        case Phase::handshake:
        case Phase::lingering:
            return Silence{false, since_};
        case Phase::open:
            break;
        case Phase::closed:
            return std::nullopt;
    }
    if (delayed_since_ && !has_logged_in && step_in_hand_ != Step::message) {
        return Silence{false, *delayed_since_};
    }
    const bool is_idle = serial_in_hand_ == 0 && session_.want() == ServerSession::Want::input &&
                         session_.doing() == ServerSession::Doing::commands;
    if (!is_idle || (has_logged_in && context_.now - since_ < logged_in_silence_min)) {
        return std::nullopt;
    }
    return Silence{has_logged_in, since_};
}

// At once: whoever comes needs the place now.
void ServerConnection::give_way() {
    if (phase_ == Phase::open) {
        serial_in_hand_ = 0;
        session_.end(421, "4.3.2", "Others wait for this connection; come again");
        flush();
    }
    close();
}

// Says the last word if there is one, and ends.
void ServerConnection::time_out(int code, std::string_view enhanced, std::string_view text) {
    add_one(context_.counters.timed_out);
    if (code == 0) return close();
    serial_in_hand_ = 0;
    session_.end(code, enhanced, text);
    advance();
}

}  // namespace mailroom::smtp
