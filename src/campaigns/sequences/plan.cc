#include "campaigns/sequences/plan.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

Plan::Plan(Definition definition)
    : definition_(std::make_unique<const Definition>(std::move(definition))) {
    first_ = add(definition_->steps, "steps", PlanStep::none);
}

Answer<Plan> Plan::make(Definition definition, const Resolve& resolve) {
    Plan plan(std::move(definition));
    TRY(plan.resolve(resolve));
    return plan;
}

Answer<> Plan::resolve(const Resolve& resolve) {
    asks_for_deeds_ = definition_->ends_on_reply;
    for (const auto& goal : definition_->goals) {
        goals_.push_back(TRY(resolve(goal.test.value())));
        asks_for_deeds_ |= !people::deeds_in(goals_.back()).empty();
    }
    for (auto& step : steps_) {
        const auto* const condition = std::get_if<ConditionStep>(&step.step->what);
        if (condition == nullptr || !condition->test.is_there()) continue;
        step.filter = TRY(resolve(condition->test.value()));
        asks_for_deeds_ |= !people::deeds_in(step.filter).empty();
    }
    return Ok{};
}

std::size_t Plan::add(const std::vector<Step>& list, const std::string& path, std::size_t after) {
    for (std::size_t i = list.size(); i-- > 0;) {
        after = add(list[i], path + "[" + std::to_string(i) + "]", after);
    }
    return after;
}

std::size_t Plan::add(const Step& step, std::string path, std::size_t after) {
    const auto at = steps_.size();
    steps_.push_back({&step, std::move(path), after});
    add_ways(step, at);
    return at;
}

void Plan::add_ways(const Step& step, std::size_t at) {
    const auto after = steps_[at].next;
    const auto path = steps_[at].path;
    std::vector<std::size_t> ways;
    if (const auto* const choice = std::get_if<ChoiceStep>(&step.what)) {
        for (std::size_t i = 0; i < choice->branches.size(); ++i) {
            const auto branch = path + ".branches[" + std::to_string(i) + "].steps";
            ways.push_back(add(choice->branches[i].steps, branch, after));
        }
        ways.push_back(add(choice->otherwise, path + ".default", after));
    } else if (const auto* const condition = std::get_if<ConditionStep>(&step.what)) {
        ways.push_back(add(condition->then, path + ".then", after));
        ways.push_back(add(condition->otherwise, path + ".else", after));
    } else if (const auto* const repeat = std::get_if<RepeatStep>(&step.what)) {
        ways.push_back(add(repeat->steps, path + ".steps", at));
    }
    steps_[at].ways = std::move(ways);
}

std::string_view Plan::first() const { return path_of(first_); }

std::string_view Plan::path_of(std::size_t step) const {
    return step == PlanStep::none ? std::string_view() : steps_[step].path;
}

const PlanStep* Plan::find(std::string_view path) const {
    const auto found = std::ranges::find(steps_, path, &PlanStep::path);
    return found == steps_.end() ? nullptr : &*found;
}

const PlanStep* Plan::find_by_id(std::string_view id) const {
    const auto found = std::ranges::find_if(
        steps_, [&](const PlanStep& one) { return !id.empty() && one.step->head().id == id; });
    return found == steps_.end() ? nullptr : &*found;
}

}  // namespace mailroom::campaigns
