#include "http/stream.h"

#include <utility>

namespace mailroom::http {

Stream::Stream(std::shared_ptr<WakingQueue> queue, Ticket ticket, std::size_t waiting_bytes_max)
    : queue_(std::move(queue)), ticket_(ticket), waiting_bytes_max_(waiting_bytes_max) {}

bool Stream::write(std::shared_ptr<const std::string> bytes) {
    if (!open_) return false;
    if (bytes->empty()) return true;
    if (waiting_bytes() + bytes->size() > waiting_bytes_max_) {
        cut();
        return false;
    }
    queued_bytes_ += bytes->size();
    queue_->deliver(ticket_, Piece{.bytes = std::move(bytes)});
    return true;
}

bool Stream::write(std::string bytes) {
    return write(std::make_shared<const std::string>(std::move(bytes)));
}

void Stream::end() {
    if (open_.exchange(false)) queue_->deliver(ticket_, Piece{.last = Piece::Last::whole});
}

void Stream::cut() {
    if (open_.exchange(false)) queue_->deliver(ticket_, Piece{.last = Piece::Last::cut});
}

void Stream::ask_to_close(std::uint16_t code, std::string reason) {
    if (!open_.exchange(false)) return;
    queue_->deliver(ticket_, Piece{.bytes = std::make_shared<const std::string>(std::move(reason)),
                                   .last = Piece::Last::close,
                                   .close_code = code});
}

void Stream::when_gone(std::function<void()> call) {
    {
        const std::lock_guard lock(mutex_);
        if (open_) {
            gone_ = std::move(call);
            return;
        }
    }
    call();
}

void Stream::when_waiting_at_most(std::size_t bytes, std::function<void()> call) {
    {
        const std::lock_guard lock(mutex_);
        room_ = Room{bytes, std::move(call)};
    }
    tell_room();
}

// The room is looked at after it was asked for, so that whatever is taken meanwhile is noticed by
// one of the two.
void Stream::tell_room() {
    std::optional<Room> room;
    {
        const std::lock_guard lock(mutex_);
        if (!room_ || (open_ && waiting_bytes() > room_->bytes)) return;
        room = std::exchange(room_, std::nullopt);
    }
    room->call();
}

void Stream::piece_taken(std::size_t bytes, std::size_t unsent_bytes) {
    // In this order, so that nothing seems to have been sent in between.
    unsent_bytes_ = unsent_bytes;
    queued_bytes_ -= bytes;
}

void Stream::sent(std::size_t unsent_bytes) {
    unsent_bytes_ = unsent_bytes;
    tell_room();
}

void Stream::gone() {
    std::function<void()> call;
    {
        const std::lock_guard lock(mutex_);
        open_ = false;
        call = std::exchange(gone_, nullptr);
    }
    tell_room();
    if (call) call();
}

}  // namespace mailroom::http
