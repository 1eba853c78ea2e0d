// A session whose answer streams: from its header until the next request, or the end.
#include "base/log.h"
#include "http/response_text.h"
#include "http/session.h"

#include <exception>
#include <utility>

namespace mailroom::http {

namespace {

// A WebSocket whose other side says nothing, not even to pings, is gone after so many of them.
constexpr std::uint64_t unanswered_pings_max = 3;
// What has been sent is cut off when there is that much of it.
constexpr std::size_t sent_bytes_kept_max = 256 * 1024;

}  // namespace

void Session::begin_live(const Response& response) {
    const auto& streamed = response.streamed;
    const bool ends_with_connection = streamed && !streamed->bytes && parser_.is_http_1_0();
    if (ends_with_connection || context_.stopping) close_after_send_ = true;
    if (!parser_.keep_alive()) close_after_send_ = true;
    if (streamed) {
        append_response(context_.output, response,
                        {.keep_alive = !close_after_send_,
                         .http_1_0 = parser_.is_http_1_0(),
                         .head = parser_.is_head(),
                         .date = context_.date});
        if (parser_.is_head()) return end_answer();
    } else if (!context_.steps) {
        context_.steps = std::make_unique<WebSocketSteps>();
    }
    const auto waiting_bytes_max =
        streamed ? streamed->waiting_bytes_max : response.upgrade->options.waiting_bytes_max;
    auto stream =
        std::make_shared<Stream>(context_.queue, Ticket{slot_, serial_in_hand_}, waiting_bytes_max);
    enter(State::streaming);
    if (streamed) {
        live_ = std::make_unique<LiveAnswer>(streamed, std::move(stream), ends_with_connection);
    } else {
        live_ = std::make_unique<LiveAnswer>(response.upgrade, std::move(stream), *context_.steps);
    }
    live_->wrote_tick = live_->read_tick = context_.tick;
    follow([&] { return live_->begin(context_.output); });
    if (live_ && context_.stopping && live_->is_endless()) stop_live();
}

// Does what follows for the connection from a step of the answer.
template <class Step>
void Session::follow(const Step& step) {
    auto outcome = LiveAnswer::Outcome::broken;
    try {
        outcome = step();
    } catch (const std::exception& error) {
        log::error("an answer that streams failed", {{"error", error.what()}});
    }
    if (outcome == LiveAnswer::Outcome::broken) return close();
    if (outcome == LiveAnswer::Outcome::goes_on) return;
    if (outcome == LiveAnswer::Outcome::over) close_after_send_ = true;
    // Told before the next request is read.
    const auto live = std::move(live_);
    end_answer();
}

void Session::put_piece(const Piece& piece) {
    const auto before = context_.output.size();
    live_->wrote_tick = context_.tick;
    // The answer may be gone after it, and must know what waits before.
    const auto waiting = unsent_.size() - unsent_at_ + before;
    live_->taken(piece, waiting + (piece.bytes ? piece.bytes->size() : 0));
    follow([&] { return live_->put(piece, context_.output); });
}

// What comes from the client while an answer streams. Requests of one that does not wait for the
// end are left where they are.
void Session::read_live() {
    if (!live_->reads()) {
        if (peer_finished_ && live_->is_endless()) close();
        return;
    }
    feed_live(std::exchange(pending_, {}));
    for (int reads = 0; live_ && readable_; ++reads) {
        if (reads == reads_per_turn_max) {
            wants_turn_ = true;
            return;
        }
        const auto count = read_into_context();
        if (count == 0) return;
        feed_live(std::string_view(context_.input.data(), count));
    }
}

void Session::feed_live(std::string_view bytes) {
    if (bytes.empty()) return;
    live_->read_tick = context_.tick;
    follow([&] { return live_->read(bytes, context_.output); });
}

// After the network took something: the time allowed for the rest begins anew.
void Session::sent_live(std::size_t bytes_before) {
    const auto unsent = unsent_.size() - unsent_at_;
    if (unsent < bytes_before) since_tick_ = context_.tick;
    if (unsent_at_ > sent_bytes_kept_max) {
        unsent_.erase(0, unsent_at_);
        unsent_at_ = 0;
    }
    live_->sent(unsent);
}

void Session::sweep_live() {
    const auto& limits = context_.limits;
    if (!unsent_.empty() && overdue(limits.transfer_max)) {
        ++context_.counters.timed_out;
        return close();
    }
    const auto ticks = static_cast<std::uint64_t>(
        std::max<std::int64_t>(limits.heartbeat_max / limits.sweep_interval, 1));
    if (live_->reads() && context_.tick - live_->read_tick > ticks * unanswered_pings_max) {
        ++context_.counters.timed_out;
        return close();
    }
    if (!unsent_.empty() || context_.tick - live_->wrote_tick < ticks) return;
    live_->wrote_tick = context_.tick;
    live_->beat(context_.output);
    hold_output();
}

// An answer that has an end comes to it.
void Session::stop_live() {
    if (!live_->is_endless()) return;
    close_after_send_ = true;
    follow([&] { return live_->stop(context_.output); });
    hold_output();
    flush();
}

}  // namespace mailroom::http
