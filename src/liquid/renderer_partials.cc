#include "liquid/coerce.h"
#include "liquid/renderer.h"

namespace mailroom::liquid {

std::optional<std::string> Renderer::partial_name(const Program& program, const PartialUse& use,
                                                  Index at) {
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
    const auto& use = program.partials[program.nodes[at].a];
    const auto name = partial_name(program, use, at);
    const auto part = name ? find_partial(*name) : std::nullopt;
    if (!part) return Flow::failed;
    const auto kept_name = evaluator_.arena().keep(*name);
    return program.nodes[at].op == Op::render ? render_partial(program, use, kept_name, *part)
                                              : include_partial(program, use, kept_name, *part);
}

std::optional<Template> Renderer::find_partial(const std::string& name) {
    if (partial_names_.size() >= options_.limits.partial_depth_max) {
        evaluator_.fail("partials are nested too deeply", Errc::throttled);
        return std::nullopt;
    }
    if (!evaluator_.budget().spend_steps(1)) return std::nullopt;
    auto part = options_.partials ? options_.partials->find(name) : std::nullopt;
    if (!part) {
        evaluator_.fail("there is no partial \"" + name + "\"");
        return std::nullopt;
    }
    partials_used_.push_back(*part);
    return part;
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
    const auto named = [&](const Name& alias) { return alias.text.empty() ? Name(name) : alias; };
    Scope inner;
    inner.assigned = partial_arguments(program, use);
    if (use.with != no_index) {
        Evaluator::bind(inner.assigned, named(use.with_alias),
                        evaluator_.operand(program, use.with, Tolerance::strict));
    }
    Value items;
    if (use.each != no_index) {
        items = enumerable(evaluator_.arena(), evaluator_.budget(),
                           evaluator_.operand(program, use.each, Tolerance::strict));
    }
    auto* outer = evaluator_.use_scope(inner);
    auto outer_blocks = std::exchange(blocks_, {});
    partial_names_.emplace_back(name);
    const auto flow = use.each != no_index
                          ? partial_turns(part.program(), items, named(use.each_alias))
                          : nodes(part.program(), 0, size_of(part.program().nodes));
    partial_names_.pop_back();
    evaluator_.use_scope(*outer);
    blocks_ = std::move(outer_blocks);
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
    auto outer_blocks = std::exchange(blocks_, {});
    partial_names_.emplace_back(name);
    const auto flow = nodes(part.program(), 0, size_of(part.program().nodes));
    partial_names_.pop_back();
    blocks_ = std::move(outer_blocks);
    evaluator_.scope().bound.resize(before);
    return flow;
}

}  // namespace mailroom::liquid
