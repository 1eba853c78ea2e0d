#include "sim/plan.h"

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr auto day = std::chrono::hours(24);

// Most worlds are short; in some, mails and records come to the end of their time.
std::chrono::milliseconds length_of(Chance& chance) {
    const auto way = chance.below(10);
    if (way < 5) return chance.between(1h, 2 * day);
    if (way < 9) return chance.between(2 * day, 10 * day);
    return chance.between(35 * day, 50 * day);
}

int some(Chance& chance, int most) { return static_cast<int>(chance.below(most + 1)); }

}  // namespace

Plan Plan::of(std::uint64_t seed) {
    Chance chance(seed ^ 0x9e3779b97f4a7c15);
    Plan plan;
    plan.seed = seed;
    plan.nodes = chance.one_in(3) ? 2 + static_cast<int>(chance.below(2)) : 1;
    plan.retries_unknown = chance.one_in(5);
    plan.length = length_of(chance);
    plan.posts = 5 + some(chance, 55);
    plan.acts = some(chance, 25);
    plan.office_acts = some(chance, 80);
    plan.others_acts = chance.one_in(2) ? some(chance, 16) : 0;
    plan.kills = some(chance, 20);
    plan.clock_steps = some(chance, 3);
    plan.skew_max = chance.between(0ms, plan.nodes > 1 ? 20s : 60s);
    if (plan.is_shared()) {
        plan.freezes = some(chance, 4);
        plan.meanwhile_acts = some(chance, 60);
        plan.harshness = {.throttled = some(chance, 40),
                          .conflicts = some(chance, 40),
                          .unprocessed = some(chance, 100),
                          .lost = some(chance, 20),
                          .cut = some(chance, 200),
                          .stale = some(chance, 300),
                          .lag = chance.between(0ms, 5s),
                          .attempts = 5};
    } else {
        plan.full_disks = some(chance, 3);
    }
    plan.people_acts = some(chance, 60);
    plan.keeper_acts = some(chance, 60);
    if (chance.one_in(4)) plan.manners = Manners{0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return plan;
}

std::string Plan::text() const {
    return "seed " + std::to_string(seed) + ": " + std::to_string(nodes) + " nodes, " +
           std::to_string(std::chrono::duration_cast<std::chrono::hours>(length).count()) +
           " hours, " + std::to_string(posts) + " posts, " + std::to_string(kills) + " kills" +
           (retries_unknown ? ", unknown = retry" : "");
}

}  // namespace mailroom::sim
