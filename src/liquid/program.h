// A compiled template: flat arrays that refer to each other by index. Immutable once compiled, so
// any number of threads may render from it.
//
//   node    := what a tag or a piece of text does; its children follow it, up to `end`
//   chain   := expression filter*          (what stands in {{ }})
//   expression := operands and operators in postfix order
//   operand := literal | path | range
//   path    := [operand] segment+
#pragma once

#include "liquid/value.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

struct FilterEntry;

using Index = std::uint32_t;
inline constexpr Index no_index = 0xffffffff;
inline constexpr std::size_t arguments_max = 8;  // Of one filter; no filter takes more than three.

struct Range {
    Index begin = 0, end = 0;
};

// A name with its hash, so that looking it up mostly compares integers.
struct Name {
    std::string_view text;
    std::uint32_t hash = 0;

    Name() = default;
    explicit Name(std::string_view name) : text(name), hash(hash_of(name)) {}
    static std::uint32_t hash_of(std::string_view text) {
        std::uint32_t hash = 2166136261U;  // FNV-1a
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        return hash;
    }
    bool operator==(const Name& other) const { return hash == other.hash && text == other.text; }
};

struct Operand {
    enum class Type : std::uint8_t { literal, path, range } type = Type::literal;
    Index at = no_index;  // In literals, paths or ranges.
    std::string_view text;
};

struct Segment {
    Value key;                 // When `operand` is not set.
    Index operand = no_index;  // A key in brackets that is itself a variable.
    Name name;                 // Of the first segment of a path.
};

struct Path {
    Index root = no_index;  // An operand; not set when the first segment names a variable.
    Range segments;
};

struct RangeOperand {
    Index low = no_index, high = no_index;
};

enum class Operator : std::uint8_t {
    operand,
    equal,
    not_equal,
    greater,
    less,
    greater_or_equal,
    less_or_equal,
    contains,
    negate,
    both,
    either,
};

struct Step {
    Operator op = Operator::operand;
    Index operand = no_index;
};

struct Argument {
    std::string_view name;  // Empty for a positional one.
    Index operand = no_index;
};

struct FilterUse {
    const FilterEntry* filter = nullptr;
    Range arguments;
};

struct Chain {
    Range steps;
    Range filters;
    bool ends_raw = false;     // Its last filter is `raw`.
    bool has_default = false;  // So that a missing variable leaves no hole.
    std::string_view text;
};

struct Loop {
    Name variable;
    Index collection = no_index;
    Index limit = no_index, offset = no_index, columns = no_index;
    bool reversed = false;
    bool offset_continues = false;
    std::string_view key;  // variable-collection: where `offset: continue` goes on.
};

struct Cycle {
    Index group = no_index;
    Range candidates;  // Chains.
    std::string key;
};

struct PartialUse {
    // One of: fixed, a variable, or a text with outputs in it, which are the children of the node.
    std::string_view name;
    Index name_operand = no_index;
    Index with = no_index;
    Index each = no_index;
    Name with_alias, each_alias;  // Empty text when there is none.
    Range arguments;
};

enum class Op : std::uint8_t {
    text,       // a: texts
    output,     // a: chains
    assign,     // a: chains, b: names
    capture,    // b: names; children
    choose,     // children: branches, of which the first that applies is rendered
    branch,     // a: chains or none; b: 1 to negate; children
    match,      // a: chains; children: cases and branches; every case that applies is rendered
    when,       // a to b: arguments, of which one must be equal; children
    loop,       // a: loops; children: one block, and one more for `else`
    table_row,  // a: loops; children
    block,      // children
    cycle,      // a: cycles
    increment,  // b: names
    decrement,  // b: names
    layout,     // a: partials, or none; children: a block that makes the name, then the rest
    slot,       // b: names; children: what `block` holds
    render,     // a: partials; children when they make the name
    include,    // a: partials; children when they make the name
    stop_loop,
    next_turn,
};

struct Node {
    Op op = Op::text;
    Index a = no_index, b = no_index;
    Index end = 0;                 // One past the last child.
    Index offset = 0, length = 0;  // In the source, for messages.
};

struct Program {
    std::string source;
    std::deque<std::string> strings;  // What views below refer to when it is not in the source.
    std::vector<Node> nodes;
    std::vector<std::string_view> texts;
    std::vector<Name> names;
    std::vector<Value> literals;
    std::vector<Operand> operands;
    std::vector<Path> paths;
    std::vector<Segment> segments;
    std::vector<RangeOperand> ranges;
    std::vector<Step> steps;
    std::vector<Argument> arguments;
    std::vector<FilterUse> filters;
    std::vector<Chain> chains;
    std::vector<Loop> loops;
    std::vector<Cycle> cycles;
    std::vector<PartialUse> partials;

    Program() = default;
    Program(const Program&) = delete;  // Views refer to its own strings.
    Program& operator=(const Program&) = delete;
};

inline Index size_of(const auto& list) { return static_cast<Index>(list.size()); }

}  // namespace mailroom::liquid
