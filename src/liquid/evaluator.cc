#include "liquid/evaluator.h"

#include "liquid/coerce.h"
#include "liquid/filter.h"
#include "liquid/lists.h"
#include "liquid/scanner.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace mailroom::liquid {

namespace {

constexpr int depth_max = 16;
constexpr std::size_t program_bytes =
    1024;  // Charged for each expression compiled while rendering.

const Value* find(const std::vector<Binding>& bindings, const Name& name) {
    for (auto at = bindings.rbegin(); at != bindings.rend(); ++at) {
        if (at->name == name) return &at->value;
    }
    return nullptr;
}

// The index that a text such as "12" names; no_index for "012", "-1" or "x".
std::optional<std::size_t> index_of(std::string_view text) {
    constexpr std::size_t digits_max = 20;  // Longer ones are no index of anything.
    if (text.size() > digits_max) return std::nullopt;
    std::size_t index = 0;
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, index);
    if (error != std::errc{} || stop != end) return std::nullopt;
    if (text.size() > 1 && text[0] == '0') return std::nullopt;
    return index;
}

Value item(const Value& array, double index) {
    const auto size = array.size();
    if (index < 0) index += static_cast<double>(size);
    const bool exists =
        index >= 0 && index < static_cast<double>(size) && index == std::trunc(index);
    return exists ? array.at(static_cast<std::size_t>(index)) : Value();
}

double number_of(const Value& value) {
    return value.is(Kind::integer) ? static_cast<double>(value.integer()) : value.decimal();
}

Value count(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

Value array_property(const Value& array, std::string_view key) {
    if (key == "size" || key == "length") return count(array.size());
    if (key == "first") return item(array, 0);
    if (key == "last") return item(array, -1);
    const auto index = index_of(key);
    return index && *index < array.size() ? array.at(*index) : Value();
}

Value object_property(const Value& object, std::string_view key) {
    const auto value = object.get(key);
    return value.is(Kind::undefined) && key == "size" ? count(object.size()) : value;
}

std::string_view message_for(Exhausted reason) {
    switch (reason) {
        case Exhausted::steps:
            return "the template takes too many steps";
        case Exhausted::scratch_bytes:
            return "the template uses too much memory";
        default:
            return "the template takes too long";
    }
}

}  // namespace

Evaluator::Evaluator(const Value& data, const RenderOptions& options)
    : options_(options),
      budget_(options.limits.steps_max, options.limits.scratch_bytes_max, options.clock,
              options.limits.time_max),
      arena_(budget_),
      random_(options.random_seed) {
    root_.data = data;
}

void Evaluator::bind(std::vector<Binding>& bindings, const Name& name, const Value& value) {
    for (auto& binding : bindings) {
        if (binding.name == name) {
            binding.value = value;
            return;
        }
    }
    bindings.push_back({name, value});
}

void Evaluator::fail(std::string message, Errc code) {
    if (failure_) return;
    failure_.emplace();
    failure_->code = code;
    failure_->message = std::move(message);
}

Failure Evaluator::take_failure() {
    if (!failure_) fail(std::string(message_for(budget_.state())), Errc::throttled);
    return *std::move(failure_);
}

// SplitMix64.
std::uint64_t Evaluator::next_random() {
    random_ += 0x9e3779b97f4a7c15U;
    auto mixed = (random_ ^ (random_ >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

Value Evaluator::variable(const Name& name) {
    if (const auto* value = find(scope_->bound, name)) return *value;
    if (const auto* value = find(scope_->assigned, name)) return *value;
    if (const auto* value = find(scope_->counters, name)) return *value;
    if (scope_->data.is(Kind::object)) return object_property(scope_->data, name.text);
    return scope_->data.is_nil() ? Value() : property(scope_->data, Value::text(name.text));
}

Value Evaluator::string_property(std::string_view text, const Value& key) {
    if (!budget_.spend_reading(text.size())) return {};
    if (key.is(Kind::text)) {
        if (key.text() == "size" || key.text() == "length") return count(utf16_length(text));
    }
    std::optional<std::size_t> index;
    if (key.is(Kind::text)) index = index_of(key.text());
    if (key.is_number() && number_of(key) >= 0 && number_of(key) == std::trunc(number_of(key))) {
        index = static_cast<std::size_t>(std::min(number_of(key), 1e15));
    }
    if (!index) return {};
    const auto begin = skip_characters(text, *index);
    if (begin >= text.size()) return {};
    return Value::text(text.substr(begin, first_character(text.substr(begin)).bytes));
}

Value Evaluator::property(const Value& whole, const Value& key) {
    if (whole.is(Kind::undefined) || whole.is(Kind::nil)) return whole;
    if (whole.is(Kind::array) && key.is_number()) return item(whole, number_of(key));
    if (whole.is(Kind::text)) return string_property(whole.text(), key);
    if (!whole.is(Kind::array) && !whole.is(Kind::object)) return {};
    std::string made;
    if (!key.is(Kind::text)) append_string(made, key, budget_);
    if (key.is(Kind::text) && !budget_.spend_reading(key.text().size())) return {};
    const auto name = key.is(Kind::text) ? key.text() : std::string_view(made);
    return whole.is(Kind::array) ? array_property(whole, name) : object_property(whole, name);
}

Value Evaluator::property_path(const Value& whole, std::string_view path) {
    Value value = whole;
    while (true) {
        if (!budget_.tick()) return {};
        const auto point = path.find('.');
        value = property(value, Value::text(path.substr(0, point)));
        if (point == path.npos) return value;
        path.remove_prefix(point + 1);
    }
}

void Evaluator::report_missing(const Program& program, const Path& path, Index last) {
    std::string name;
    for (auto at = path.segments.begin; at <= last; ++at) {
        const auto& segment = program.segments[at];
        if (at > path.segments.begin) name += '.';
        const auto key = segment.operand == no_index
                             ? segment.key
                             : operand(program, segment.operand, Tolerance::lenient);
        append_string(name, key, budget_);
    }
    if (std::ranges::find(missing_, name) == missing_.end()) missing_.push_back(std::move(name));
}

Value Evaluator::path(const Program& program, const Path& path, Tolerance tolerance) {
    const bool reports =
        tolerance == Tolerance::strict && options_.missing != Missing::render_empty;
    Value value;
    auto at = path.segments.begin;
    if (path.root != no_index) value = operand(program, path.root, tolerance);
    for (; at < path.segments.end; ++at) {
        const auto& segment = program.segments[at];
        const bool is_first = path.root == no_index && at == path.segments.begin;
        if (is_first && segment.operand == no_index && segment.key.is(Kind::text)) {
            value = variable(segment.name);
        } else {
            const auto key = segment.operand == no_index
                                 ? segment.key
                                 : operand(program, segment.operand, Tolerance::strict);
            std::string name;
            if (is_first) append_string(name, key, budget_);
            value = is_first ? variable(Name(name)) : property(value, key);
        }
        if (reports && value.is(Kind::undefined)) {
            report_missing(program, path, at);
            return value;
        }
    }
    if (reports && options_.missing == Missing::report_nil && value.is_nil()) {
        report_missing(program, path, path.segments.end - 1);
    }
    return value;
}

Value Evaluator::range(const Program& program, const RangeOperand& range) {
    const double low = to_number(operand(program, range.low, Tolerance::strict), budget_);
    const double high = to_number(operand(program, range.high, Tolerance::strict), budget_);
    return number_range(arena_, low, high);
}

Value Evaluator::operand(const Program& program, Index index, Tolerance tolerance) {
    if (index == no_index) return {};
    const auto& operand = program.operands[index];
    switch (operand.type) {
        case Operand::Type::literal:
            return program.literals[operand.at];
        case Operand::Type::path:
            return path(program, program.paths[operand.at], tolerance);
        default:
            return range(program, program.ranges[operand.at]);
    }
}

Value Evaluator::apply(Operator op, const Value& left, const Value& right) {
    const auto order = [&] { return order_of(left, right, budget_); };
    switch (op) {
        case Operator::equal:
            return Value::boolean(is_equal(left, right, budget_));
        case Operator::not_equal:
            return Value::boolean(!is_equal(left, right, budget_));
        case Operator::greater:
            return Value::boolean(order() == Order::greater);
        case Operator::less:
            return Value::boolean(order() == Order::less);
        case Operator::greater_or_equal: {
            const auto found = order();
            return Value::boolean(found == Order::greater || found == Order::equal);
        }
        case Operator::less_or_equal: {
            const auto found = order();
            return Value::boolean(found == Order::less || found == Order::equal);
        }
        case Operator::contains:
            return Value::boolean(contains(left, right, budget_));
        case Operator::both:
            return Value::boolean(!is_falsy(left) && !is_falsy(right));
        case Operator::either:
            return Value::boolean(!is_falsy(left) || !is_falsy(right));
        default:
            return Value::boolean(is_falsy(right));
    }
}

Value Evaluator::expression(const Program& program, Range steps, Tolerance tolerance) {
    std::vector<Value> stack;
    const auto pop = [&] {
        if (stack.empty()) return Value();
        const auto top = stack.back();
        stack.pop_back();
        return top;
    };
    for (auto at = steps.begin; at < steps.end; ++at) {
        const auto& step = program.steps[at];
        if (step.op == Operator::operand) {
            stack.push_back(operand(program, step.operand, tolerance));
            continue;
        }
        const auto right = pop();
        const auto left = step.op == Operator::negate ? Value() : pop();
        stack.push_back(apply(step.op, left, right));
    }
    return stack.empty() ? Value() : stack.front();
}

Value Evaluator::apply(const Program& program, const FilterUse& use, const Value& input) {
    std::array<Value, arguments_max> values;
    std::size_t count = 0;
    for (auto at = use.arguments.begin; at < use.arguments.end; ++at) {
        const auto& argument = program.arguments[at];
        if (!argument.name.empty()) continue;
        values[count++] = operand(program, argument.operand, Tolerance::strict);
    }
    // Filters read their texts a few times over at most.
    auto bytes = input.is(Kind::text) ? input.text().size() : 0;
    for (const auto& value : std::span(values).first(count)) {
        if (value.is(Kind::text)) bytes += value.text().size();
    }
    if (!budget_.spend_reading(bytes)) return {};
    FilterCall call(*this, program, use, input, std::span(values).first(count));
    return use.filter->function(call);
}

Value Evaluator::chain(const Program& program, const Chain& chain, Tolerance tolerance) {
    // Only expressions in texts (where_exp) come back here, and such a text may name itself.
    if (depth_ >= depth_max) {
        fail("expressions are nested too deeply", Errc::throttled);
        return {};
    }
    ++depth_;
    const auto value = filtered(program, chain, tolerance);
    --depth_;
    return value;
}

Value Evaluator::filtered(const Program& program, const Chain& chain, Tolerance tolerance) {
    if (chain.has_default) tolerance = Tolerance::lenient;
    const auto& first = program.steps[chain.steps.begin];
    auto value = chain.steps.end - chain.steps.begin == 1 && first.op == Operator::operand
                     ? operand(program, first.operand, tolerance)
                     : expression(program, chain.steps, tolerance);
    for (auto at = chain.filters.begin; at < chain.filters.end && !failed(); ++at) {
        value = apply(program, program.filters[at], value);
    }
    return value;
}

const Program* Evaluator::compile(std::string_view text, bool is_path) {
    std::string key(is_path ? "." : "|");
    key += text;
    if (const auto found = compiled_.find(key); found != compiled_.end()) {
        return found->second.get();
    }
    if (!budget_.spend_bytes(program_bytes + 2 * text.size())) return nullptr;
    auto program = std::make_unique<Program>();
    program->source = text;
    Diagnostics diagnostics(program->source);
    Scanner scanner(program->source, *program, diagnostics);
    is_path ? scanner.read_path() : scanner.read_chain();
    if (diagnostics.failed()) {
        const auto failure = diagnostics.take();
        fail(failure.message + " in \"" + failure.text + "\"");
        return nullptr;
    }
    return compiled_.emplace(std::move(key), std::move(program)).first->second.get();
}

const Program* Evaluator::compile_chain(std::string_view text) { return compile(text, false); }
const Program* Evaluator::compile_path(std::string_view text) { return compile(text, true); }

Value Evaluator::path_of(const Program& program, const Value& item) {
    if (program.operands.empty()) return {};
    Scope scope;
    scope.data = item;
    auto* outer = use_scope(scope);
    const auto value = operand(program, size_of(program.operands) - 1, Tolerance::lenient);
    scope_ = outer;
    return value;
}

}  // namespace mailroom::liquid
