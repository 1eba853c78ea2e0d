// How other threads reach the server's I/O thread. Answers hold it, so it outlives the thread; what
// is put in after close() is dropped.
#pragma once

#include "smtp/server_receiver.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mailroom::smtp {

// One question: which connection, and a number that no other question has.
struct QuestionTicket {
    std::uint32_t slot = 0;
    std::uint64_t serial = 0;
    bool operator==(const QuestionTicket&) const = default;
};

class ServerMailbox {
public:
    struct Delivery {
        QuestionTicket ticket;
        Decision decision;
    };
    struct Contents {
        std::vector<Delivery> answers;
        bool stop = false;     // Finish what is in hand, then end.
        bool abandon = false;  // End now.
    };

    ServerMailbox();
    ~ServerMailbox();
    ServerMailbox(const ServerMailbox&) = delete;
    ServerMailbox& operator=(const ServerMailbox&) = delete;

    // From any thread.
    void deliver(const QuestionTicket& ticket, Decision decision);
    void stop();
    void abandon();

    // From the owner's thread only.
    void set_owner(std::thread::id owner) { owner_ = owner; }
    Contents take();
    // Readable when there is something to take().
    int wake_descriptor() const { return wake_descriptor_; }
    // Between these two, an answer to `ticket` from the owner's thread is kept aside: the Receiver
    // answered before it returned.
    void begin_inline(const QuestionTicket& ticket) { inline_ticket_ = ticket; }
    std::optional<Decision> end_inline();
    void close();

private:
    template <class Put>
    void put(Put&& put);

    const int wake_descriptor_;
    std::thread::id owner_;
    std::optional<QuestionTicket> inline_ticket_;  // Owner's thread only.
    std::optional<Decision> inline_answer_;        // Owner's thread only.

    std::mutex mutex_;
    Contents contents_;
    bool woken_ = false;
    bool closed_ = false;
};

}  // namespace mailroom::smtp
