#include "liquid/coerce.h"
#include "liquid/renderer.h"

#include <algorithm>
#include <cmath>

namespace mailroom::liquid {

// The part of a collection that a loop goes through.
struct Renderer::Turns {
    Value items;
    std::size_t first = 0;
    std::size_t count = 0;
    bool reversed = false;
    LoopState* state = nullptr;

    Value at(std::size_t index) const {
        return items.at(first + (reversed ? count - 1 - index : index));
    }
};

namespace {

// A place in a list of `size` items as JavaScript's slice takes it: from the end when negative.
std::size_t slice_place(double place, std::size_t size) {
    if (std::isnan(place)) return 0;
    place = std::trunc(place);
    const auto items = static_cast<double>(size);
    if (place < 0) place += items;
    return static_cast<std::size_t>(std::clamp(place, 0.0, items));
}

}  // namespace

Renderer::Flow Renderer::turn(const Program& program, const Loop& loop, const Turns& turns,
                              std::size_t index, Index block) {
    if (!evaluator_.budget().spend_steps(1)) return Flow::failed;
    turns.state->index = index;
    auto& bound = evaluator_.scope().bound;
    bound.back() = {loop.variable, turns.at(index)};
    return children(program, block);
}

Renderer::Flow Renderer::loop(const Program& program, Index at) {
    const auto& loop = program.loops[program.nodes[at].a];
    const Index body = at + 1, otherwise = program.nodes[body].end;
    const auto strict = Tolerance::strict;
    auto& budget = evaluator_.budget();
    Turns turns;
    turns.items = enumerable(evaluator_.arena(), budget,
                             evaluator_.operand(program, loop.collection, strict));
    turns.count = turns.items.size();
    if (turns.count == 0) {
        return otherwise < program.nodes[at].end ? children(program, otherwise) : Flow::next;
    }

    auto& continued = evaluator_.scope().turns;
    const auto offset = evaluator_.operand(program, loop.offset, strict);
    if (loop.offset_continues) {
        const auto found = continued.find(loop.key);
        turns.first = found == continued.end() ? 0 : std::min(found->second, turns.count);
    } else if (!offset.is(Kind::undefined)) {
        turns.first = slice_place(to_number(offset, budget), turns.count);
    }
    turns.count -= turns.first;
    const auto limit = evaluator_.operand(program, loop.limit, strict);
    if (!limit.is(Kind::undefined)) {
        turns.count = slice_place(to_number(limit, budget), turns.count);
    }
    turns.reversed = loop.reversed;
    if (budget.spend_bytes(loop.key.size())) {
        continued[std::string(loop.key)] = turns.first + turns.count;
    }

    turns.state = evaluator_.arena().make(LoopState{0, turns.count, 0, loop.key});
    static const Name loop_name("forloop");
    const auto bound = evaluator_.scope().bound.size();
    evaluator_.scope().bound.push_back({loop_name, loop_value(*turns.state)});
    evaluator_.scope().bound.emplace_back();
    auto flow = Flow::next;
    for (std::size_t i = 0; i < turns.count; ++i) {
        blocks_.unfinished = Flow::next;
        flow = turn(program, loop, turns, i, body);
        if (flow == Flow::stop_loop || flow == Flow::failed) break;
        turns.state->index = i + 1;
    }
    evaluator_.scope().bound.resize(bound);
    blocks_.unfinished = Flow::next;
    return flow == Flow::failed ? flow : Flow::next;
}

Renderer::Flow Renderer::table_row(const Program& program, Index at) {
    const auto& loop = program.loops[program.nodes[at].a];
    auto& budget = evaluator_.budget();
    const auto number = [&](Index operand, double otherwise) {
        const auto value = evaluator_.operand(program, operand, Tolerance::strict);
        const double made = value.is(Kind::undefined) ? 0 : to_number(value, budget);
        return operand == no_index || made == 0 || std::isnan(made) ? otherwise : made;
    };
    Turns turns;
    turns.items = enumerable(evaluator_.arena(), budget,
                             evaluator_.operand(program, loop.collection, Tolerance::strict));
    const auto all = turns.items.size();
    const double offset = number(loop.offset, 0);
    double limit = static_cast<double>(all);
    if (loop.limit != no_index) limit = number(loop.limit, 0);
    turns.first = slice_place(offset, all);
    const auto end = slice_place(offset + limit, all);
    turns.count = end > turns.first ? end - turns.first : 0;
    const double columns = number(loop.columns, static_cast<double>(turns.count));

    turns.state = evaluator_.arena().make(LoopState{0, turns.count, columns, loop.key});
    static const Name loop_name("tablerowloop");
    const auto bound = evaluator_.scope().bound.size();
    evaluator_.scope().bound.push_back({loop_name, loop_value(*turns.state)});
    evaluator_.scope().bound.emplace_back();
    auto flow = Flow::next;
    for (std::size_t i = 0; i < turns.count && flow != Flow::stop_loop; ++i) {
        turns.state->index = i;
        if (turns.state->column() == 0) {
            if (turns.state->row() != 1) out_ += "</tr>";
            out_ += "<tr class=\"row";
            write(Value::decimal(turns.state->row()), true);
            out_ += "\">";
        }
        out_ += "<td class=\"col";
        write(Value::decimal(turns.state->column() + 1), true);
        out_ += "\">";
        flow = turn(program, loop, turns, i, at);
        if (flow == Flow::failed) break;
        out_ += "</td>";
    }
    if (turns.count > 0) out_ += "</tr>";
    evaluator_.scope().bound.resize(bound);
    return flow == Flow::failed ? flow : Flow::next;
}

}  // namespace mailroom::liquid
