// Filters that look at the items of an array one by one, without a condition.
#include "liquid/coerce.h"
#include "liquid/evaluator.h"
#include "liquid/filter.h"
#include "liquid/lists.h"
#include "liquid/same_value.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace mailroom::liquid {

namespace {

// The items of the input, paid for; none when the budget is exhausted.
std::span<Value> input_items(FilterCall& call, std::size_t extra = 0) {
    const auto array = as_array(call.arena(), call.input);
    const auto count = array.size();
    if (!call.budget().spend_steps(count)) return {};
    const auto items = call.arena().values(count + extra);
    for (std::size_t i = 0; i < count && i < items.size(); ++i) items[i] = array.at(i);
    return items;
}

Value list(FilterCall& call, std::span<const Value> items) {
    return list_value(call.arena(), items);
}

Value join(FilterCall& call) {
    const auto mark = call.argument(0).is_nil() ? " " : call.text(call.argument(0));
    std::string made;
    append_joined(made, as_array(call.arena(), call.input), mark, call.budget());
    return call.keep(made);
}

Value end_item(FilterCall& call, bool is_first) {
    if (call.input.is(Kind::array)) {
        const auto count = call.input.size();
        return count == 0 ? Value() : call.input.at(is_first ? 0 : count - 1);
    }
    if (!call.input.is(Kind::text) || call.input.text().empty()) return Value::text("");
    const auto text = call.input.text();
    return Value::text(is_first ? text.substr(0, first_character(text).bytes)
                                : text.substr(text.size() - last_character(text).bytes));
}

Value first(FilterCall& call) { return end_item(call, true); }
Value last(FilterCall& call) { return end_item(call, false); }

Value reverse(FilterCall& call) {
    const auto items = input_items(call);
    std::ranges::reverse(items);
    return list(call, items);
}

Value size(FilterCall& call) {
    std::size_t count = 0;
    if (call.input.is(Kind::text)) count = utf16_length(call.input.text());
    if (call.input.is(Kind::array)) count = call.input.size();
    if (call.input.is(Kind::object)) {
        const auto length = call.input.get("length");
        if (!is_falsy(length)) return length;
    }
    return Value::integer(static_cast<std::int64_t>(count));
}

Value map(FilterCall& call) {
    const auto path = call.text(call.argument(0));
    const auto items = input_items(call);
    for (auto& item : items) item = call.evaluator.property_path(item, path);
    return list(call, items);
}

// The values to add up or to compare: those of a property, when one is named.
Value key_of(FilterCall& call, const Value& item) {
    const auto property = call.argument(0);
    const bool has_property =
        !is_falsy(property) && !(property.is(Kind::text) && property.text().empty());
    return has_property ? call.evaluator.property_path(item, call.text(property)) : item;
}

Value sum(FilterCall& call) {
    double total = 0;
    for (const auto& item : input_items(call)) {
        const double number = to_number(key_of(call, item), call.budget());
        if (!std::isnan(number)) total += number;
    }
    return Value::decimal(total);
}

struct Sortable {
    Value item;
    Value key;
    std::string text;  // Of the key, in lower case, for the natural order.
};

Value sorted(FilterCall& call, bool natural) {
    const auto items = input_items(call);
    std::vector<Sortable> rows;
    for (const auto& item : items) {
        Sortable row{item, key_of(call, item), {}};
        if (natural && !row.key.is_nil()) {
            std::string text;
            append_string(text, row.key, call.budget());
            append_lower(row.text, text);
        }
        if (!call.budget().spend_bytes(sizeof row + row.text.size())) return {};
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, [&](const Sortable& a, const Sortable& b) {
        if (a.key.is_nil() || b.key.is_nil()) return !a.key.is_nil() && b.key.is_nil();
        if (natural) {
            return call.budget().spend_reading(std::min(a.text.size(), b.text.size())) &&
                   compare_utf16(a.text, b.text) < 0;
        }
        return order_of(a.key, b.key, call.budget()) == Order::less;
    });
    std::ranges::transform(rows, items.begin(), &Sortable::item);
    return list(call, items);
}

Value sort(FilterCall& call) { return sorted(call, false); }
Value sort_natural(FilterCall& call) { return sorted(call, true); }

Value compact(FilterCall& call) {
    const auto items = input_items(call);
    const auto is_nil = [](const Value& item) { return item.is_nil(); };
    const auto end = std::remove_if(items.begin(), items.end(), is_nil);
    return list(call, items.first(static_cast<std::size_t>(end - items.begin())));
}

Value concat(FilterCall& call) {
    const auto more = as_array(call.arena(), call.argument(0));
    const auto count = more.size();
    if (!call.budget().spend_steps(count)) return {};
    const auto items = input_items(call, count);
    if (items.size() < count) return {};
    for (std::size_t i = 0; i < count; ++i) items[items.size() - count + i] = more.at(i);
    return list(call, items);
}

Value push(FilterCall& call) {
    const auto items = input_items(call, 1);
    if (!items.empty()) items.back() = call.argument(0);
    return list(call, items);
}

Value unshift(FilterCall& call) {
    const auto items = input_items(call, 1);
    if (items.empty()) return {};
    items.back() = call.argument(0);
    std::rotate(items.begin(), items.end() - 1, items.end());
    return list(call, items);
}

Value pop(FilterCall& call) {
    const auto items = input_items(call);
    return list(call, items.first(items.empty() ? 0 : items.size() - 1));
}

Value shift(FilterCall& call) {
    const auto items = input_items(call);
    return list(call, items.subspan(items.empty() ? 0 : 1));
}

Value uniq(FilterCall& call) {
    std::unordered_set<Value, SameValueHash, SameValue> seen;
    const auto items = input_items(call);
    std::size_t count = 0;
    for (const auto& item : items) {
        if (!call.budget().spend_reading(item.is(Kind::text) ? item.text().size() : 0)) return {};
        if (seen.insert(item).second) items[count++] = item;
    }
    return list(call, items.first(count));
}

Value slice_of_text(FilterCall& call, double begin, double length) {
    const auto text = call.text(call.input);
    if (begin < 0) begin += static_cast<double>(character_count(text));
    if (begin < 0 || length < 0) return Value::text("");
    const auto characters = [](double number) {
        return static_cast<std::size_t>(std::min(std::ceil(number), 1e15));
    };
    const auto rest = text.substr(skip_characters(text, characters(begin)));
    return Value::text(rest.substr(0, skip_characters(rest, characters(length))));
}

Value slice(FilterCall& call) {
    if (call.input.is_nil()) return list(call, {});
    const double length = call.has(1) ? call.number(call.argument(1)) : 1;
    double begin = call.number(call.argument(0));
    if (!call.input.is(Kind::array)) return slice_of_text(call, begin, length);
    const auto items = input_items(call);
    const auto count = static_cast<double>(items.size());
    if (begin < 0) begin += count;
    if (!call.has(0) || begin < 0 || length < 0) return list(call, {});
    const auto place = [&](double number) {
        return static_cast<std::size_t>(std::min(std::trunc(number), count));
    };
    const auto from = place(begin), to = place(begin + length);
    return list(call, items.subspan(from, to - from));
}

// Chance comes from the caller's seed, so a render can be repeated.
Value sample(FilterCall& call) {
    if (call.input.is_nil()) return list(call, {});
    std::vector<Value> pool;
    if (call.input.is(Kind::array)) {
        const auto items = input_items(call);
        pool.assign(items.begin(), items.end());
    } else {
        for (auto text = call.text(call.input); !text.empty();) {
            const auto bytes = first_character(text).bytes;
            pool.push_back(Value::text(text.substr(0, bytes)));
            text.remove_prefix(bytes);
        }
    }
    for (std::size_t i = pool.size(); i > 1; --i) {
        std::swap(pool[i - 1], pool[call.evaluator.next_random() % i]);
    }
    const double count = call.has(0) ? call.number(call.argument(0)) : 1;
    if (count == 1) return pool.empty() ? Value() : pool.front();
    const auto wanted = std::min(std::max(count, 0.0), static_cast<double>(pool.size()));
    const auto items = call.arena().values(static_cast<std::size_t>(wanted));
    std::copy_n(pool.begin(), items.size(), items.begin());
    return list(call, items);
}

constexpr FilterEntry array_entries[] = {
    {"compact", compact}, {"concat", concat}, {"first", first},
    {"join", join},       {"last", last},     {"map", map},
    {"pop", pop},         {"push", push},     {"reverse", reverse},
    {"sample", sample},   {"shift", shift},   {"size", size},
    {"slice", slice},     {"sort", sort},     {"sort_natural", sort_natural},
    {"sum", sum},         {"uniq", uniq},     {"unshift", unshift},
};

}  // namespace

std::span<const FilterEntry> array_filters() { return array_entries; }

}  // namespace mailroom::liquid
