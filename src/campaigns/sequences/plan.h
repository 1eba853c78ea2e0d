// The steps of a definition as they follow one another: where each one leads.
#pragma once

#include "base/refusal.h"
#include "campaigns/sequences/definition.h"
#include "people/segments/filter.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::campaigns {

struct PlanStep {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);  // All is done.

    const Step* step = nullptr;
    std::string path;         // "steps[2].then[0]"
    std::size_t next = none;  // What follows when it is done.
    // Where its lists begin, or `next` for an empty one. Of a choice each branch, then the default;
    // of a condition what is then and what else; of a repeat its steps, which lead back to it.
    std::vector<std::size_t> ways = {};
    people::Filter filter = {};  // Of a condition that has one.
};

// Immutable, so of one version of a definition.
class Plan {
public:
    // Puts the filters of segments in the place of those who ask for them.
    using Resolve = std::function<Answer<people::Filter>(people::Filter)>;

    // The filters' own refusals.
    static Answer<Plan> make(Definition definition, const Resolve& resolve);
    Plan(Plan&&) = default;
    Plan& operator=(Plan&&) = default;

    const Definition& definition() const { return *definition_; }
    const std::vector<people::Filter>& goals() const { return goals_; }
    // Whether it must be known what the person did with mails.
    bool asks_for_deeds() const { return asks_for_deeds_; }

    // Empty, if there are no steps.
    std::string_view first() const;
    std::string_view path_of(std::size_t step) const;
    // None for what is no step of these.
    const PlanStep* find(std::string_view path) const;
    const PlanStep* find_by_id(std::string_view id) const;
    const std::vector<PlanStep>& steps() const { return steps_; }

private:
    explicit Plan(Definition definition);
    Answer<> resolve(const Resolve& resolve);
    // Where the list begins, of which the last step leads to `after`.
    std::size_t add(const std::vector<Step>& list, const std::string& path, std::size_t after);
    std::size_t add(const Step& step, std::string path, std::size_t after);
    void add_ways(const Step& step, std::size_t at);

    // Steps point into it, wherever the plan is moved to.
    std::unique_ptr<const Definition> definition_;
    std::vector<PlanStep> steps_;
    std::vector<people::Filter> goals_;
    std::size_t first_ = PlanStep::none;
    bool asks_for_deeds_ = false;
};

}  // namespace mailroom::campaigns
