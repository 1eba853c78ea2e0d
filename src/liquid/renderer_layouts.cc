// layout and block: a template that fills the blocks of another one.
#include "liquid/renderer.h"

#include <algorithm>

namespace mailroom::liquid {

namespace {

// May it ask for what the layout has in a block? Only then is that rendered.
bool may_read_super(const Program& program) {
    const auto reads = [&](const Path& path) {
        const auto begin = path.segments.begin;
        const auto is_key = [&](Index at, std::string_view name) {
            const auto& key = program.segments[at].key;
            return key.is(Kind::text) && key.text() == name;
        };
        if (begin == path.segments.end || !is_key(begin, "block")) return false;
        if (path.segments.end - begin == 1) return true;  // `assign b = block`
        return program.segments[begin + 1].operand != no_index || is_key(begin + 1, "super");
    };
    const auto includes = [](const Node& node) { return node.op == Op::include; };
    return std::ranges::any_of(program.paths, reads) ||
           std::ranges::any_of(program.nodes, includes);
}

}  // namespace

// The rest of the template is rendered first: its blocks are kept, and what stands outside of them
// is what a block without a name shows.
Renderer::Flow Renderer::collect_blocks(const Program& program, Index rest) {
    std::string outer;
    out_.swap(outer);
    blocks_.collects = true;
    const auto flow = children(program, rest);
    blocks_.collects = false;
    out_.swap(outer);
    auto& unnamed = blocks_.fillings[""];
    if (unnamed.empty()) {
        unnamed.emplace_back();
        unnamed.back().text = evaluator_.arena().keep(outer);
    }
    return flow;
}

Renderer::Flow Renderer::layout(const Program& program, Index at) {
    const auto name_block = at + 1, rest = program.nodes[name_block].end;
    if (program.nodes[at].a == no_index) {
        blocks_.collects = false;
        return children(program, rest);
    }
    const auto& use = program.partials[program.nodes[at].a];
    const auto name = partial_name(program, use, name_block);
    const auto layout = name ? find_partial(*name) : std::nullopt;
    if (!layout) return Flow::failed;
    blocks_.unfinished = collect_blocks(program, rest);
    if (blocks_.unfinished == Flow::failed) return Flow::failed;

    const auto arguments = partial_arguments(program, use);
    auto& bound = evaluator_.scope().bound;
    const auto before = bound.size();
    bound.insert(bound.end(), arguments.begin(), arguments.end());
    partial_names_.push_back(*name);
    const auto flow = nodes(layout->program(), 0, size_of(layout->program().nodes));
    partial_names_.pop_back();
    evaluator_.scope().bound.resize(before);
    return blocks_.unfinished != Flow::next && flow == Flow::next ? blocks_.unfinished : flow;
}

Renderer::Flow Renderer::slot(const Program& program, Index at) {
    const std::string name(program.names[program.nodes[at].b].text);
    if (!evaluator_.budget().spend_bytes(sizeof(Filling) + name.size())) return Flow::failed;
    const Filling own{.program = &program,
                      .node = at,
                      .partial = partial_names_.empty() ? "" : partial_names_.back(),
                      .text = {}};
    if (blocks_.collects) {
        blocks_.fillings[name].push_back(own);
        return Flow::next;
    }
    std::vector<Filling> fillings;
    if (const auto found = blocks_.fillings.find(name); found != blocks_.fillings.end()) {
        fillings = found->second;
    }
    fillings.push_back(own);
    return fill(fillings);
}

// The first one, which may show the others as its `super`.
Renderer::Flow Renderer::fill(std::span<const Filling> fillings) {
    if (fillings.empty()) return Flow::next;
    const auto& filling = fillings.front();
    if (filling.program == nullptr) {
        out_ += filling.text;
        return Flow::next;
    }
    if (std::ranges::find(blocks_.open, filling) != blocks_.open.end()) {
        evaluator_.fail("a block stands inside itself");
        return Flow::failed;
    }
    blocks_.open.push_back(filling);
    partial_names_.push_back(filling.partial);
    const auto flow = fill_with_super(filling, fillings.subspan(1));
    partial_names_.pop_back();
    blocks_.open.pop_back();
    return flow;
}

Renderer::Flow Renderer::fill_with_super(const Filling& filling, std::span<const Filling> others) {
    Value super = Value::text("");
    if (!others.empty() && may_read_super(*filling.program)) {
        std::string outer;
        out_.swap(outer);
        const auto flow = fill(others);
        out_.swap(outer);
        if (flow == Flow::failed) return flow;
        super = Value::text(evaluator_.arena().keep(outer));
        if (options_.escape == Escape::html) super = super.as_markup();
    }
    static const Name block_name("block");
    auto& bound = evaluator_.scope().bound;
    const auto before = bound.size();
    bound.push_back({block_name, block_value(evaluator_.arena(), super)});
    const auto flow = children(*filling.program, filling.node);
    evaluator_.scope().bound.resize(before);
    return flow;
}

}  // namespace mailroom::liquid
