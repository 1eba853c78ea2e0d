// Values during one render: variables, expressions and filters.
#pragma once

#include "liquid/arena.h"
#include "liquid/program.h"
#include "liquid/template.h"
#include "liquid/value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::liquid {

struct Binding {
    Name name;
    Value value;
};

// The variables that a template sees. The later of these hide the earlier: data, counters
// (increment, decrement), what was assigned, what loops and includes bind.
struct Scope {
    Value data;
    std::vector<Binding> counters;
    std::vector<Binding> assigned;
    std::vector<Binding> bound;
    std::map<std::string, std::size_t, std::less<>> turns;  // Of cycles and of continued loops.
};

// Whether a missing variable may be reported.
enum class Tolerance : std::uint8_t { strict, lenient };

class Evaluator {
public:
    Evaluator(const Value& data, const RenderOptions& options);
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    Value chain(const Program& program, const Chain& chain, Tolerance tolerance);
    Value operand(const Program& program, Index operand, Tolerance tolerance);

    // One step of a path: an item, a key, or one of size, first, last, length.
    Value property(const Value& whole, const Value& key);
    // `a.b.c`, split at the points. For the filters that take such a text.
    Value property_path(const Value& whole, std::string_view path);

    // A chain or a path given as a text, compiled once per render. Null after a failure.
    const Program* compile_chain(std::string_view text);
    const Program* compile_path(std::string_view text);
    // The path that is all of `program`, read from `item` as if it were the data.
    Value path_of(const Program& program, const Value& item);

    static void bind(std::vector<Binding>& bindings, const Name& name, const Value& value);

    void fail(std::string message, Errc code = Errc::invalid);
    bool failed() const { return failure_.has_value() || budget_.state() != Exhausted::no; }
    // What went wrong, without its place. Only after `failed()`.
    Failure take_failure();
    std::vector<std::string>& missing() { return missing_; }

    // The next of a sequence that begins with the caller's seed.
    std::uint64_t next_random();

    Scope& scope() { return *scope_; }
    // Returns the scope that was in use.
    Scope* use_scope(Scope& scope) { return std::exchange(scope_, &scope); }
    Arena& arena() { return arena_; }
    Budget& budget() { return budget_; }
    const RenderOptions& options() const { return options_; }

private:
    Value expression(const Program& program, Range steps, Tolerance tolerance);
    Value apply(Operator op, const Value& left, const Value& right);
    Value apply(const Program& program, const FilterUse& use, const Value& input);
    Value filtered(const Program& program, const Chain& chain, Tolerance tolerance);
    Value path(const Program& program, const Path& path, Tolerance tolerance);
    Value range(const Program& program, const RangeOperand& range);
    Value variable(const Name& name);
    Value string_property(std::string_view text, const Value& key);
    void report_missing(const Program& program, const Path& path, Index last);
    const Program* compile(std::string_view text, bool is_path);

    const RenderOptions& options_;
    Budget budget_;
    Arena arena_;
    Scope root_;
    Scope* scope_ = &root_;
    std::optional<Failure> failure_;
    std::vector<std::string> missing_;
    std::uint64_t random_;
    int depth_ = 0;
    std::map<std::string, std::unique_ptr<Program>, std::less<>> compiled_;
};

}  // namespace mailroom::liquid
