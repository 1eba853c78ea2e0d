// A whole world from one seed, on one thread: nodes, servers outside, programs, people, accidents.
#pragma once

#include "base/scratch_directory.h"
#include "harsh/harsh_store.h"
#include "kv/memory_store.h"
#include "sim/clients.h"
#include "sim/front.h"
#include "sim/host.h"
#include "sim/judge.h"
#include "sim/keepers.h"
#include "sim/office.h"
#include "sim/operators.h"
#include "sim/others.h"
#include "sim/plan.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::sim {

struct Report {
    std::vector<std::string> complaints;  // None: all is as it should be.
    std::string trace;                    // The same for the same seed.
    double days = 0;                      // That passed in the world.
    std::size_t mails = 0, crashes = 0, faults = 0, starts = 0;
};

class World final : private Front {
public:
    explicit World(const Plan& plan);
    ~World() override;

    // Once.
    Report run();

private:
    void ask(http::Request request, Told told) override;
    void open();
    void plan_actions();
    template <class Act>
    void spread(int times, Act act);
    void live_until(Time end);
    Time next_tick();
    void step();
    void meanwhile(const Host& asking, Line::Call call);
    void do_something_meanwhile();
    Host* some_host();
    void let_others_act();
    void follow(const std::string& mail);
    void look_at_people_of(Host& host);
    void calm_down();
    void audit();
    bool is_over() const { return !judge_.complaints().empty(); }

    Plan plan_;
    Events events_;
    Judge judge_;
    ScratchDirectory scratch_;
    // What several nodes share.
    kv::MemoryStore remote_rows_;
    std::unique_ptr<SeededRandom> remote_random_;
    std::unique_ptr<table::Engine> remote_;
    std::unique_ptr<table::HarshStore> harsh_;
    std::vector<std::unique_ptr<Host>> hosts_;
    const Host* asking_ = nullptr;  // In the middle of a call of the store.
    Clients clients_;
    Operators operators_;
    Keepers keepers_;
    Office office_;
    Others others_;
    std::size_t lost_answers_ = 0;
    Time next_sweep_{};
};

}  // namespace mailroom::sim
