// What a seed makes of a world: how long it lives, how much happens in it, and how bad it is.
#pragma once

#include "harsh/harsh_store.h"
#include "sim/hooks.h"
#include "sim/peer.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace mailroom::sim {

// Planted by hand, to see that the judge finds them.
enum class Fault {
    none,
    lost_commit,           // Some commits are answered before they are synced.
    doubled_send,          // Claims of jobs have no conditions.
    careless_people,       // People are changed without conditions.
    careless_account,      // Events are noted without conditions.
    forgotten_guard,       // Reminders leave without being asked about again.
    forgotten_suppression  // The list of suppressed addresses is not asked.
};

struct Plan {
    std::uint64_t seed = 0;
    // Several nodes on one remote store; or one on a store of its own.
    int nodes = 1;
    bool retries_unknown = false;
    std::chrono::milliseconds length{0};
    int posts = 0, acts = 0, people_acts = 0, office_acts = 0, others_acts = 0, keeper_acts = 0,
        kills = 0, freezes = 0, full_disks = 0, clock_steps = 0;
    int meanwhile_acts = 0;  // In the middle of what a node does.
    std::chrono::milliseconds skew_max{0};
    Manners manners;
    WebManners web;
    table::Harshness harshness;
    Fault fault = Fault::none;

    static Plan of(std::uint64_t seed);
    bool is_shared() const { return nodes > 1; }
    std::string text() const;
};

}  // namespace mailroom::sim
