// The connections of one I/O thread of a server, each in a slot by which epoll and other threads
// know it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mailroom::net {

// A Connection has closed(), wants_turn() and silence(), which is an optional of what can be
// compared: the least gives way first. For one thread.
template <class Connection>
class Connections {
public:
    // make(slot) gives the connection.
    template <class Make>
    std::uint32_t add(const Make& make) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(all_.size()));
            all_.emplace_back();
        }
        const auto slot = free_.back();
        free_.pop_back();
        all_[slot] = make(slot);
        ++open_;
        return slot;
    }

    std::size_t open() const { return open_; }
    // None if that slot is empty by now.
    Connection* find(std::uint64_t slot) const {
        return slot < all_.size() ? all_[slot].get() : nullptr;
    }
    // visit(slot, connection) for each that is open; it may remove that one.
    template <class Visit>
    void each(const Visit& visit) const {
        for (std::uint32_t slot = 0; slot < all_.size(); ++slot) {
            if (all_[slot]) visit(slot, *all_[slot]);
        }
    }

    // After a connection did something: true if it has closed, and is gone now. One that wants to
    // go on later gets its turn.
    bool settle(std::uint32_t slot) {
        if (!all_[slot]->closed()) {
            if (all_[slot]->wants_turn()) turns_.push_back(slot);
            return false;
        }
        all_[slot].reset();
        closed_.push_back(slot);
        --open_;
        return true;
    }
    // A slot is used again only after the round of events in which its connection ended, which may
    // have more to say about that one.
    void end_round() {
        free_.insert(free_.end(), closed_.begin(), closed_.end());
        closed_.clear();
    }

    bool has_turns() const { return !turns_.empty(); }
    // go_on(slot, connection) for each that wants its turn.
    template <class GoOn>
    void give_turns(const GoOn& go_on) {
        for (const auto slot : std::exchange(turns_, {})) {
            if (all_[slot] && all_[slot]->wants_turn()) go_on(slot, *all_[slot]);
        }
    }

    // Who gives way to a newcomer, of those for which may(slot) holds.
    template <class May>
    std::optional<std::uint32_t> most_silent(const May& may) const {
        std::optional<std::uint32_t> found;
        decltype(std::declval<const Connection&>().silence()) least;
        each([&](std::uint32_t slot, const Connection& connection) {
            if (!may(slot)) return;
            auto silence = connection.silence();
            if (!silence || (least && *least < *silence)) return;
            least = std::move(silence);
            found = slot;
        });
        return found;
    }

    // For the end of the thread.
    void clear() {
        for (auto& one : all_) one.reset();
        open_ = 0;
    }

private:
    std::vector<std::unique_ptr<Connection>> all_;  // By slot; empty where free.
    std::vector<std::uint32_t> free_, closed_, turns_;
    std::size_t open_ = 0;
};

}  // namespace mailroom::net
