// A machine with a node on it, which is killed, loses its power, stands still, and comes back.
#pragma once

#include "base/random.h"
#include "sim/hooks.h"
#include "sim/line.h"
#include "sim/node.h"
#include "sim/peer.h"
#include "sim/plan.h"
#include "sim/rows.h"
#include "table/engine/engine.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mailroom::sim {

class Host {
public:
    struct Options {
        int number = 0;
        std::chrono::milliseconds skew{0};
        table::Store* remote = nullptr;  // None: tables of its own.
        std::filesystem::path slates;
    };
    // All must outlive it.
    Host(Events& events, Judge& judge, const Plan& plan, Options options);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Comes back by itself, a moment after it was killed, too. `ready` is told each time.
    void start();
    // At once, or at one of its next writes.
    void kill();
    void kill_soon();
    void freeze(std::chrono::milliseconds length);
    void set_clock(std::chrono::milliseconds skew);
    void fill_disk(std::chrono::milliseconds length);
    // A killed one is not there; one that stands still does not answer.
    bool is_up() const { return node_ != nullptr; }
    bool is_awake() const { return is_up() && events_.now() >= awake_at_; }

    // Runs all that is ready, and what timers do from time to time. Sees to it that it goes if it
    // was killed.
    void run();
    void bury_if_killed();
    std::optional<Time> next_due() { return node_->next_due(); }
    std::size_t in_hand() const { return node_->in_hand(); }
    void handle(http::Request request, const std::function<void(http::Response)>& reply);

    Node& node() { return *node_; }
    table::Store& store() { return *line_; }
    std::function<void(Line::Call)>
        meanwhile;  // Between its calls of a store that others use, too.
    std::function<void()> ready;

    struct Counts {
        std::size_t kills = 0, power_cuts = 0, freezes = 0, full_disks = 0, starts = 0;
    };
    const Counts& counts() const { return counts_; }

private:
    bool was_killed() const;
    Result<> open();
    void look();
    void go_down(CrashingRows::Loss loss);

    Events& events_;
    Judge& judge_;
    const Plan& plan_;
    const Options options_;
    SkewedClock clock_;
    CrashingRows rows_;
    std::unique_ptr<kv::Store> forgetful_rows_;  // Where that fault is planted.
    std::unique_ptr<SeededRandom> random_;
    std::unique_ptr<table::Engine> engine_;
    std::unique_ptr<table::Store> careless_store_;  // Where that fault is planted.
    std::unique_ptr<Line> line_;
    std::unique_ptr<Peer> peer_;
    std::unique_ptr<Hooks> hooks_;
    std::unique_ptr<Node> node_;
    Time awake_at_{}, next_look_{}, next_sweep_{};
    int boot_ = 0;
    Counts counts_;
};

}  // namespace mailroom::sim
