// The one path by which items change: lock the rows, look, decide, queue one batch, unlock.
#pragma once

#include "table/engine/changes.h"
#include "table/engine/core.h"
#include "table/engine/step.h"
#include "table/engine/sums.h"

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mailroom::table {

// What became of a group of steps, in their order.
struct GroupResult {
    std::vector<std::optional<Item>> attributes;
    std::vector<Consumed> consumed;  // One per table.
    std::size_t written = 0;         // How many items changed.
};

// Makes a whole group happen once: within its time, a second group with the same token and the same
// fingerprint succeeds without doing anything.
struct Token {
    std::string text;
    std::string fingerprint;
};

class Writer {
public:
    using Done = std::function<void(Outcome<GroupResult>)>;

    // How the steps of a group hang together.
    enum class Rule {
        single,       // One step: a refusal is its own failure.
        independent,  // Unconditional steps that share a commit.
        transaction,  // All or none: refusals become cancellation reasons.
    };

    explicit Writer(Core& core);

    // Both borrowed.
    struct Group {
        std::span<const Step> steps;
        std::span<const PreparedAddition> additions = {};
    };
    // Decides at once; calls `done` when the outcome is durable (see Engine). Call under
    // Catalog::read().
    void run(const Group& group, Rule rule, const std::optional<Token>& token, Done done);

private:
    struct Look {
        std::optional<std::string> value;
        bool queued = false;  // Rests on a write that is not durable yet.
    };
    struct Plan;

    Outcome<Look> look(const Pending::Key& row) const;
    // The rows of the steps come first in `plan.keys`.
    Outcome<> plan(std::span<const Step> steps, Rule rule, Plan& plan) const;
    void add_record(const Step& step, const std::optional<std::string>& before,
                    const Decision& decision, Time at, Plan& plan) const;
    void add_heard(const Step& step, const std::optional<std::string>& before,
                   const Decision& decision, Plan& plan) const;
    static Written add_step(const Step& step, const Pending::Key& key,
                            const std::optional<std::string>& before, Decision& decision,
                            Plan& plan);
    Outcome<bool> redeem(const Token& token, const Pending::Key& row, Plan& plan) const;
    void queue(Plan& plan, Done done);

    Core& core_;
    std::atomic<std::uint64_t> next_ticket_ = 1;
};

}  // namespace mailroom::table
