#include "api/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <utility>

namespace mailroom::api {

void Mailbox::Contents::clear() {
    answers.clear();
    arrivals.clear();
    stop = abandon = false;
}

Mailbox::Mailbox() : wake_descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

Mailbox::~Mailbox() {
    if (wake_descriptor_ >= 0) ::close(wake_descriptor_);
}

template <class Put>
bool Mailbox::put(Put&& put) {
    bool was_asleep = false;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return false;
        put(contents_);
        was_asleep = std::exchange(asleep_, false);
    }
    if (was_asleep) wake();
    return true;
}

void Mailbox::wake() {
    const std::uint64_t one = 1;
    // It can fail only when the counter is full, and then the owner has been woken already.
    [[maybe_unused]] const auto written = ::write(wake_descriptor_, &one, sizeof one);
}

void Mailbox::deliver(const Ticket& ticket, Response response) {
    if (std::this_thread::get_id() == owner_ && inline_ticket_ == ticket) {
        if (!inline_answer_) inline_answer_ = std::move(response);
        return;
    }
    put([&](Contents& to) { to.answers.push_back({ticket, std::move(response)}); });
}

bool Mailbox::adopt(Arrival arrival) {
    return put([&](Contents& to) { to.arrivals.push_back(std::move(arrival)); });
}

void Mailbox::stop() {
    put([](Contents& to) { to.stop = true; });
}

void Mailbox::abandon() {
    put([](Contents& to) { to.abandon = true; });
}

void Mailbox::take(Contents& contents) {
    contents.clear();
    const std::lock_guard lock(mutex_);
    std::swap(contents, contents_);
    asleep_ = contents.empty();
}

void Mailbox::begin_inline(const Ticket& ticket) {
    assert(!inline_ticket_);
    inline_ticket_ = ticket;
}

std::optional<Response> Mailbox::end_inline() {
    inline_ticket_.reset();
    return std::exchange(inline_answer_, std::nullopt);
}

void Mailbox::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& arrival : contents_.arrivals) ::close(arrival.socket);
    contents_.clear();
}

}  // namespace mailroom::api
