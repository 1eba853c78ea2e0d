#include "liquid/lists.h"

#include "liquid/coerce.h"

#include <algorithm>
#include <cmath>

namespace mailroom::liquid {

namespace {

class ListReader final : public ArrayReader {
public:
    std::size_t size(const void* node) const override {
        return static_cast<const ValueList*>(node)->count;
    }
    Value at(const void* node, std::size_t index) const override {
        return static_cast<const ValueList*>(node)->items[index];
    }
};

struct NumberRange {
    double low;
    std::size_t count;
};

class RangeReader final : public ArrayReader {
public:
    std::size_t size(const void* node) const override {
        return static_cast<const NumberRange*>(node)->count;
    }
    Value at(const void* node, std::size_t index) const override {
        return Value::decimal(static_cast<const NumberRange*>(node)->low +
                              static_cast<double>(index));
    }
};

struct Group {
    Value name, items;
};

class GroupReader final : public ObjectReader {
public:
    std::size_t size(const void*) const override { return 2; }
    Value get(const void* node, std::string_view key) const override {
        const auto* group = static_cast<const Group*>(node);
        if (key == "name") return group->name;
        return key == "items" ? group->items : Value();
    }
    void list(const void* node, std::vector<Entry>& entries) const override {
        const auto* group = static_cast<const Group*>(node);
        entries.push_back({"name", group->name});
        entries.push_back({"items", group->items});
    }
};

struct Block {
    Value super;
};

class BlockReader final : public ObjectReader {
public:
    std::size_t size(const void*) const override { return 1; }
    Value get(const void* node, std::string_view key) const override {
        return key == "super" ? static_cast<const Block*>(node)->super : Value();
    }
    void list(const void* node, std::vector<Entry>& entries) const override {
        entries.push_back({"super", static_cast<const Block*>(node)->super});
    }
};

Value count(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

// After the loop the index is one past the last, so this can be -1.
Value turns_left(const LoopState& loop, std::int64_t besides) {
    return Value::integer(static_cast<std::int64_t>(loop.length) -
                          static_cast<std::int64_t>(loop.index) - besides);
}

class LoopReader final : public ObjectReader {
public:
    std::size_t size(const void*) const override { return 3; }
    Value get(const void* node, std::string_view key) const override {
        const auto& loop = *static_cast<const LoopState*>(node);
        if (key == "index") return count(loop.index + 1);
        if (key == "index0") return count(loop.index);
        if (key == "first") return Value::boolean(loop.index == 0);
        if (key == "last") return Value::boolean(loop.index + 1 == loop.length);
        if (key == "length") return count(loop.length);
        if (key == "rindex") return turns_left(loop, 0);
        if (key == "rindex0") return turns_left(loop, 1);
        if (key == "name") return Value::text(loop.name);
        return loop.columns == 0 ? Value() : table_value(loop, key);
    }
    void list(const void* node, std::vector<Entry>& entries) const override {
        const auto& loop = *static_cast<const LoopState*>(node);
        entries.push_back({"i", count(loop.index)});
        entries.push_back({"length", count(loop.length)});
        entries.push_back({"name", Value::text(loop.name)});
    }

private:
    static Value table_value(const LoopState& loop, std::string_view key) {
        if (key == "row") return Value::decimal(loop.row());
        if (key == "col0") return Value::decimal(loop.column());
        if (key == "col") return Value::decimal(loop.column() + 1);
        if (key == "col_first") return Value::boolean(loop.column() == 0);
        if (key == "col_last") return Value::boolean(loop.column() + 1 == loop.columns);
        return {};
    }
};

const ListReader list_reader;
const RangeReader range_reader;
const GroupReader group_reader;
const LoopReader loop_reader;
const BlockReader block_reader;

Value pair_value(Arena& arena, const Entry& entry) {
    const auto pair = arena.values(2);
    if (pair.empty()) return {};
    pair[0] = Value::text(entry.key);
    pair[1] = entry.value;
    return list_value(arena, pair);
}

}  // namespace

Value list_value(Arena& arena, std::span<const Value> items) {
    return Value::array(list_reader, arena.make(ValueList{items.data(), items.size()}));
}

Value number_range(Arena& arena, double low, double high) {
    const double count = std::ceil(high + 1 - low);
    constexpr double count_max = 1e15;  // Far above any limit of steps; keeps the cast defined.
    const auto size = count > 0 ? static_cast<std::size_t>(std::min(count, count_max)) : 0;
    return Value::array(range_reader, arena.make(NumberRange{low, size}));
}

Value group_value(Arena& arena, const Value& name, const Value& items) {
    return Value::object(group_reader, arena.make(Group{name, items}));
}

Value block_value(Arena& arena, const Value& super) {
    return Value::object(block_reader, arena.make(Block{super}));
}

Value enumerable(Arena& arena, Budget& budget, const Value& value) {
    if (value.is(Kind::array)) return value;
    if (value.is(Kind::text) && !value.text().empty()) return as_array(arena, value);
    if (!value.is(Kind::object)) return list_value(arena, {});
    if (!budget.spend_steps(value.size())) return list_value(arena, {});
    std::vector<Entry> entries;
    value.list(entries);
    const auto items = arena.values(entries.size());
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = pair_value(arena, entries[i]);
    return list_value(arena, items);
}

Value as_array(Arena& arena, const Value& value) {
    if (value.is(Kind::array)) return value;
    if (value.is_nil()) return list_value(arena, {});
    const auto items = arena.values(1);
    if (!items.empty()) items[0] = value;
    return list_value(arena, items);
}

double LoopState::row() const { return std::floor(static_cast<double>(index) / columns) + 1; }
double LoopState::column() const { return std::fmod(static_cast<double>(index), columns); }

Value loop_value(const LoopState& state) { return Value::object(loop_reader, &state); }

}  // namespace mailroom::liquid
