// One node of Mailroom: every part that app/ wires, without threads, sockets and clocks that run.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "http/http.h"
#include "net/http_client.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/guard.h"
#include "outbox/sending/sender_outcome.h"
#include "outbox/transports/transport.h"
#include "schedule/schedule.h"
#include "table/store.h"
#include "table/write_watch.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::sim {

inline constexpr const char* admin_key = "mr_simulation_of_the_administrator_key";

struct NodeOptions {
    schedule::Ownership ownership = schedule::Ownership::sole;
    outbox::UnknownPolicy unknown = outbox::UnknownPolicy::hold;
    std::filesystem::path slates;  // The directory.
    std::string boot;              // Of its machine.
    // Instead of the guard of reminders, where a fault is planted.
    std::function<std::unique_ptr<outbox::Guard>(outbox::Guard&)> guard = {};
};

// What a node stands on. All must outlive it.
struct Ground {
    table::Store& store;
    const Clock& clock;
    Random& random;
    outbox::Transport& transport;
    net::Http& http;
};

class Node {
public:
    // As the start of a process: what the tables refuse for now it fails for.
    static Result<std::unique_ptr<Node>> start(const Ground& ground, const NodeOptions& options);
    // What its transport and its HTTP hold of it must have been dropped.
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    void handle(http::Request request, http::Reply reply);
    // Runs what is due or posted; how many jobs.
    std::size_t run();
    // What timers do: to be called every few seconds.
    void look();
    // Before anything expires.
    Result<> keep_what_waits();
    // Of jobs that nobody holds.
    std::optional<Time> next_due();
    std::size_t in_hand() const;
    // Another program wrote the rows of this mail; of any mail.
    void follow(const std::string& mail);
    void follow_all();
    // The same of people. The watch is to hear of what is written of them.
    void follow_people();
    void follow_all_people();
    table::WriteWatch& people_watch();

    outbox::Ledger& ledger();
    schedule::Schedule& schedule();

private:
    class Impl;
    explicit Node(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::sim
