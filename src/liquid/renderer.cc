#include "liquid/renderer.h"

#include "liquid/coerce.h"
#include "liquid/escape.h"

#include <algorithm>
#include <cmath>

namespace mailroom::liquid {

namespace {

constexpr std::size_t shown_variables_max = 10;  // In the message; the list itself is complete.

std::string missing_message(const std::vector<std::string>& names) {
    std::string message = names.size() == 1 ? "undefined variable " : "undefined variables ";
    for (std::size_t i = 0; i < names.size() && i < shown_variables_max; ++i) {
        message += (i > 0 ? ", " : "") + names[i];
    }
    if (names.size() > shown_variables_max) message += ", ...";
    return message;
}

}  // namespace

Renderer::Renderer(const Value& data, const RenderOptions& options)
    : evaluator_(data, options), options_(options) {}

Result<Rendered, Failure> Renderer::run(const Program& program) {
    out_.reserve(program.source.size() + program.source.size() / 2);
    nodes(program, 0, size_of(program.nodes));
    if (evaluator_.failed()) return placed(evaluator_.take_failure());
    if (!evaluator_.missing().empty()) {
        Failure failure;
        failure.message = missing_message(evaluator_.missing());
        failure.missing_variables = std::move(evaluator_.missing());
        return placed(std::move(failure));
    }
    return Rendered{std::move(out_)};
}

Failure Renderer::placed(Failure failure) {
    if (!place_) return failure;
    failure.line = place_->line;
    failure.column = place_->column;
    failure.text = std::move(place_->text);
    failure.partial = std::move(place_->partial);
    return failure;
}

void Renderer::note_place(const Program& program, const Node& node) {
    if (place_) return;
    place_.emplace();
    locate(*place_, program.source, node.offset, node.length);
    if (!partial_names_.empty() && !partial_names_.back().empty())
        place_->partial = partial_names_.back();
}

bool Renderer::may_write() {
    if (out_.size() <= options_.limits.output_bytes_max) return true;
    evaluator_.fail("the output is too long", Errc::throttled);
    return false;
}

Renderer::Flow Renderer::nodes(const Program& program, Index begin, Index end) {
    for (Index at = begin; at < end; at = program.nodes[at].end) {
        evaluator_.budget().tick();
        const auto missing = evaluator_.missing().size();
        const auto flow = node(program, at);
        if (evaluator_.failed() || !may_write()) {
            note_place(program, program.nodes[at]);
            return Flow::failed;
        }
        if (evaluator_.missing().size() > missing) note_place(program, program.nodes[at]);
        if (flow != Flow::next) return flow;
        if (blocks_.unfinished != Flow::next) return blocks_.unfinished;
    }
    return Flow::next;
}

Renderer::Flow Renderer::children(const Program& program, Index at) {
    return nodes(program, at + 1, program.nodes[at].end);
}

Renderer::Flow Renderer::node(const Program& program, Index at) {
    const auto& node = program.nodes[at];
    switch (node.op) {
        case Op::text:
            out_ += program.texts[node.a];
            return Flow::next;
        case Op::output:
            output(program, node.a);
            return Flow::next;
        case Op::assign:
            Evaluator::bind(evaluator_.scope().assigned, program.names[node.b],
                            evaluator_.chain(program, program.chains[node.a], Tolerance::strict));
            return Flow::next;
        case Op::capture:
            return capture(program, at);
        case Op::choose:
            return choose(program, at);
        case Op::match:
            return match(program, at);
        case Op::loop:
            return loop(program, at);
        case Op::table_row:
            return table_row(program, at);
        case Op::cycle:
            cycle(program, program.cycles[node.a]);
            return Flow::next;
        case Op::increment:
            count(program, node, 1);
            return Flow::next;
        case Op::decrement:
            count(program, node, -1);
            return Flow::next;
        case Op::layout:
            return layout(program, at);
        case Op::slot:
            return slot(program, at);
        case Op::render:
        case Op::include:
            return partial(program, at);
        case Op::stop_loop:
            return Flow::stop_loop;
        case Op::next_turn:
            return Flow::next_turn;
        default:
            return children(program, at);
    }
}

void Renderer::write(const Value& value, bool raw) {
    const bool escapes = options_.escape == Escape::html && !raw && !value.is_markup();
    if (value.is(Kind::text)) {
        escapes ? append_escaped(out_, value.text()) : void(out_ += value.text());
    } else if (value.is(Kind::array)) {
        std::string text;
        append_text(text, value, evaluator_.budget());
        escapes ? append_escaped(out_, text) : void(out_ += text);
    } else {
        append_text(out_, value, evaluator_.budget());
    }
}

void Renderer::output(const Program& program, Index index) {
    const auto& chain = program.chains[index];
    write(evaluator_.chain(program, chain, Tolerance::strict), chain.ends_raw);
}

Renderer::Flow Renderer::capture(const Program& program, Index at) {
    std::string outer;
    out_.swap(outer);
    const auto flow = children(program, at);
    out_.swap(outer);
    auto value = Value::text(evaluator_.arena().keep(outer));
    if (options_.escape == Escape::html) value = value.as_markup();
    Evaluator::bind(evaluator_.scope().assigned, program.names[program.nodes[at].b], value);
    return flow;
}

Renderer::Flow Renderer::choose(const Program& program, Index at) {
    for (Index branch = at + 1; branch < program.nodes[at].end;) {
        const auto& node = program.nodes[branch];
        bool applies = true;
        if (node.a != no_index) {
            const auto value =
                evaluator_.chain(program, program.chains[node.a], Tolerance::lenient);
            applies = is_falsy(value) == (node.b == 1);
        }
        if (evaluator_.failed()) return Flow::failed;
        if (applies) return children(program, branch);
        branch = node.end;
    }
    return Flow::next;
}

bool Renderer::applies(const Program& program, const Node& when, const Value& value) {
    for (auto at = when.a; at < when.b; ++at) {
        const auto candidate =
            evaluator_.operand(program, program.arguments[at].operand, Tolerance::lenient);
        if (is_equal(value, candidate, evaluator_.budget())) return true;
    }
    return false;
}

Renderer::Flow Renderer::match(const Program& program, Index at) {
    const auto& chain = program.chains[program.nodes[at].a];
    auto value = evaluator_.chain(program, chain, Tolerance::lenient);
    if (value.is(Kind::nothing)) value = Value::nil();
    if (value.is(Kind::empty) || value.is(Kind::blank)) value = Value::text("");
    bool matched = false;
    for (Index branch = at + 1; branch < program.nodes[at].end;
         branch = program.nodes[branch].end) {
        const auto& node = program.nodes[branch];
        if (node.op == Op::when ? !applies(program, node, value) : matched) continue;
        matched = true;
        if (const auto flow = children(program, branch); flow != Flow::next) return flow;
    }
    return Flow::next;
}

// Counters hide the data of the same name, and start from it when it is a number.
void Renderer::count(const Program& program, const Node& node, int change) {
    const auto& name = program.names[node.b];
    auto& scope = evaluator_.scope();
    double number = 0;
    const auto found = std::ranges::find(scope.counters, name, &Binding::name);
    if (found != scope.counters.end()) {
        number = to_number(found->value, evaluator_.budget());
    } else if (scope.data.is(Kind::object)) {
        const auto start = scope.data.get(name.text);
        if (start.is_number()) number = to_number(start, evaluator_.budget());
    }
    Evaluator::bind(scope.counters, name, Value::decimal(number + change));
    write(Value::decimal(change > 0 ? number : number + change), true);
}

void Renderer::cycle(const Program& program, const Cycle& cycle) {
    std::string key = "cycle:";
    const auto group = evaluator_.operand(program, cycle.group, Tolerance::strict);
    if (group.is(Kind::nothing) || group.is(Kind::empty) || group.is(Kind::blank)) {
        key += "word";
    } else {
        append_string(key, group, evaluator_.budget());
    }
    key += ':' + cycle.key;
    if (!evaluator_.budget().spend_bytes(key.size())) return;
    auto& turn = evaluator_.scope().turns[key];
    const auto candidates = cycle.candidates.end - cycle.candidates.begin;
    const auto chain = cycle.candidates.begin + static_cast<Index>(turn % candidates);
    turn = (turn + 1) % candidates;
    output(program, chain);
}

}  // namespace mailroom::liquid
