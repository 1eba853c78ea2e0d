#include "liquid/coerce.h"
#include "liquid/renderer.h"

namespace mailroom::liquid {

std::optional<std::string> Renderer::partial_name(const Program& program, Index at) {
    const auto& use = program.partials[program.nodes[at].a];
    std::string name;
    if (program.nodes[at].end > at + 1) {
        out_.swap(name);
        const auto flow = children(program, at);
        out_.swap(name);
        if (flow == Flow::failed) return std::nullopt;
    } else if (use.name_operand != no_index) {
        const auto value = evaluator_.operand(program, use.name_operand, Tolerance::strict);
        append_text(name, value, evaluator_.budget());
    } else {
        name = use.name;
    }
    if (name.empty()) {
        evaluator_.fail("the name of the partial is empty");
        return std::nullopt;
    }
    return name;
}

Renderer::Flow Renderer::partial(const Program& program, Index at) {
    const auto name = partial_name(program, at);
    if (!name) return Flow::failed;
    if (partial_names_.size() >= options_.limits.partial_depth_max) {
        evaluator_.fail("partials are nested too deeply", Errc::throttled);
        return Flow::failed;
    }
    if (!evaluator_.budget().spend_steps(1)) return Flow::failed;
    auto part = options_.partials ? options_.partials->find(*name) : std::nullopt;
    if (!part) {
        evaluator_.fail("there is no partial \"" + *name + "\"");
        return Flow::failed;
    }
    partials_used_.push_back(*part);

    const auto& use = program.partials[program.nodes[at].a];
    const auto kept_name = evaluator_.arena().keep(*name);
    return program.nodes[at].op == Op::render ? render_partial(program, use, kept_name, *part)
                                              : include_partial(program, use, kept_name, *part);
}

std::vector<Binding> Renderer::partial_arguments(const Program& program, const PartialUse& use) {
    std::vector<Binding> bindings;
    for (auto at = use.arguments.begin; at < use.arguments.end; ++at) {
        const auto& [name, operand] = program.arguments[at];
        const auto value = operand == no_index
                               ? Value::boolean(true)
                               : evaluator_.operand(program, operand, Tolerance::strict);
        Evaluator::bind(bindings, Name(name), value);
    }
    return bindings;
}

// A rendered partial sees only what it is given, and what it assigns stays inside.
Renderer::Flow Renderer::render_partial(const Program& program, const PartialUse& use,
                                        std::string_view name, const Template& part) {
    const Name alias = use.alias.text.empty() ? Name(name) : use.alias;
    Scope inner;
    inner.assigned = partial_arguments(program, use);
    if (use.with != no_index) {
        Evaluator::bind(inner.assigned, alias,
                        evaluator_.operand(program, use.with, Tolerance::strict));
    }
    Value items;
    if (use.each != no_index) {
        items = enumerable(evaluator_.arena(), evaluator_.budget(),
                           evaluator_.operand(program, use.each, Tolerance::strict));
    }
    auto* outer = evaluator_.use_scope(inner);
    partial_names_.emplace_back(name);
    const auto flow = use.each != no_index
                          ? partial_turns(part.program(), items, alias)
                          : nodes(part.program(), 0, size_of(part.program().nodes));
    partial_names_.pop_back();
    evaluator_.use_scope(*outer);
    return flow == Flow::failed ? flow : Flow::next;
}

Renderer::Flow Renderer::partial_turns(const Program& part, const Value& items, const Name& alias) {
    static const Name loop_name("forloop");
    auto& assigned = evaluator_.scope().assigned;
    const auto count = items.size();
    auto* state = evaluator_.arena().make(LoopState{0, count, 0, alias.text});
    Evaluator::bind(assigned, loop_name, loop_value(*state));
    for (std::size_t i = 0; i < count; ++i) {
        if (!evaluator_.budget().spend_steps(1)) return Flow::failed;
        state->index = i;
        Evaluator::bind(assigned, alias, items.at(i));
        if (nodes(part, 0, size_of(part.nodes)) == Flow::failed) return Flow::failed;
    }
    return Flow::next;
}

// An included partial shares the variables of the template that includes it.
Renderer::Flow Renderer::include_partial(const Program& program, const PartialUse& use,
                                         std::string_view name, const Template& part) {
    auto arguments = partial_arguments(program, use);
    if (use.with != no_index) {
        Evaluator::bind(arguments, Name(name),
                        evaluator_.operand(program, use.with, Tolerance::strict));
    }
    auto& bound = evaluator_.scope().bound;
    const auto before = bound.size();
    bound.insert(bound.end(), arguments.begin(), arguments.end());
    partial_names_.emplace_back(name);
    const auto flow = nodes(part.program(), 0, size_of(part.program().nodes));
    partial_names_.pop_back();
    evaluator_.scope().bound.resize(before);
    return flow;
}

}  // namespace mailroom::liquid
