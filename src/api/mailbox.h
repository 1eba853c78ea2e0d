// How other threads reach an I/O thread. Replies hold it, so it outlives the thread; what is put in
// after close() is dropped.
#pragma once

#include "api/http.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::api {

// One request in hand: which connection, and a number that no other request of the thread has.
struct Ticket {
    std::uint32_t slot = 0;
    std::uint64_t serial = 0;
    bool operator==(const Ticket&) const = default;
};

class Mailbox {
public:
    struct Answer {
        Ticket ticket;
        Response response;
    };
    struct Arrival {  // A connection just accepted. The receiver owns the socket.
        int socket = -1;
        std::string peer;
        bool needs_room = false;  // Somebody silent must go for it, or it is turned away.
    };
    struct Contents {
        std::vector<Answer> answers;
        std::vector<Arrival> arrivals;
        bool stop = false;     // Finish what is in hand, then end.
        bool abandon = false;  // End now.
        bool empty() const { return answers.empty() && arrivals.empty() && !stop && !abandon; }
        void clear();
    };

    Mailbox();
    ~Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // From any thread. The owner is woken only if it may be asleep, so a burst costs one wake-up.
    void deliver(const Ticket& ticket, Response response);
    bool adopt(Arrival arrival);  // False after close(): the caller keeps the socket.
    void stop();
    void abandon();

    // From the owner's thread only.
    void set_owner(std::thread::id owner) { owner_ = owner; }
    // Replaces `contents` by what has gathered. If that is nothing, the owner counts as asleep, and
    // the next message makes wake_descriptor() readable (edge-triggered; never to be read).
    void take(Contents& contents);
    int wake_descriptor() const { return wake_descriptor_; }
    // Between these two, a reply to `ticket` from the owner's thread is kept aside: the handler
    // answered before it returned.
    void begin_inline(const Ticket& ticket);
    std::optional<Response> end_inline();
    // Sockets that were never taken are closed.
    void close();

private:
    template <class Put>
    bool put(Put&& put);
    void wake();

    const int wake_descriptor_;
    std::thread::id owner_;
    std::optional<Ticket> inline_ticket_;    // Owner's thread only.
    std::optional<Response> inline_answer_;  // Owner's thread only.

    std::mutex mutex_;
    Contents contents_;
    bool asleep_ = false;
    bool closed_ = false;
};

}  // namespace mailroom::api
