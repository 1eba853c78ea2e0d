#include "table/expression/expression_slots.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

using Step = ExpressionSlots::Step;

// How two paths of one expression stand to each other.
enum class Relation { apart, overlap, conflict };

Relation relate(const BoundSlots& slots, const PathRef& a, const PathRef& b) {
    const auto* left = slots.steps(a);
    const auto* right = slots.steps(b);
    for (std::size_t i = 0; i < std::min(a.count, b.count); ++i) {
        if (left[i].is_index != right[i].is_index) return Relation::conflict;
        const bool same = left[i].is_index
                              ? left[i].value == right[i].value
                              : slots.name(left[i].value) == slots.name(right[i].value);
        if (!same) return Relation::apart;
    }
    return Relation::overlap;
}

// Any order that puts what shares its first steps together, indexes before names.
bool before(const BoundSlots& slots, const PathRef& a, const PathRef& b) {
    const auto* left = slots.steps(a);
    const auto* right = slots.steps(b);
    for (std::size_t i = 0; i < std::min(a.count, b.count); ++i) {
        if (left[i].is_index != right[i].is_index) return left[i].is_index;
        if (left[i].is_index) {
            if (left[i].value != right[i].value) return left[i].value < right[i].value;
            continue;
        }
        const int order = slots.name(left[i].value).compare(slots.name(right[i].value));
        if (order != 0) return order < 0;
    }
    return a.count < b.count;
}

// Whether all paths are apart; in sorted order, neighbours tell.
bool all_apart(const BoundSlots& slots, std::vector<PathRef> paths) {
    std::sort(paths.begin(), paths.end(),
              [&](const PathRef& a, const PathRef& b) { return before(slots, a, b); });
    for (std::size_t i = 1; i < paths.size(); ++i) {
        if (relate(slots, paths[i - 1], paths[i]) != Relation::apart) return false;
    }
    return true;
}

// Programs tend to give placeholders in the order they use them, so the search goes on from the
// last hit.
template <class Pairs>
std::optional<std::size_t> find_key(const Pairs& pairs, std::string_view key, std::size_t& hint) {
    for (std::size_t tried = 0; tried < pairs.size(); ++tried, ++hint) {
        if (hint >= pairs.size()) hint = 0;
        if (pairs[hint].first == key) return hint++;
    }
    return std::nullopt;
}

}  // namespace

std::size_t ExpressionSlots::bytes() const {
    std::size_t bytes = steps_.capacity() * sizeof(Step);
    for (const auto& name : names_) bytes += sizeof(Name) + name.text.capacity();
    for (const auto& value : values_) {
        bytes += sizeof(ValueSlot) + value.placeholder.capacity();
        if (value.constant) bytes += value.constant->encoded().capacity();
    }
    return bytes;
}

PathRef SlotBuilder::add(const Path& path) {
    assert(!path.steps.empty() && path.steps.front().kind != PathStep::Kind::index);
    const PathRef ref{static_cast<std::uint32_t>(slots_.steps_.size()),
                      static_cast<std::uint32_t>(path.steps.size())};
    for (const auto& step : path.steps) {
        if (step.kind == PathStep::Kind::index) {
            slots_.steps_.push_back({true, step.index});
            continue;
        }
        const bool is_placeholder = step.kind == PathStep::Kind::placeholder;
        // A name made by hand may look like a placeholder, so the key tells them apart.
        const auto [found, added] =
            names_.try_emplace((is_placeholder ? '#' : '.') + step.text,
                               static_cast<std::uint32_t>(slots_.names_.size()));
        if (added) slots_.names_.push_back({step.text, is_placeholder});
        slots_.steps_.push_back({false, found->second});
    }
    return ref;
}

std::uint32_t SlotBuilder::add_placeholder(const std::string& placeholder) {
    const auto [found, added] =
        values_.try_emplace(placeholder, static_cast<std::uint32_t>(slots_.values_.size()));
    if (added) slots_.values_.push_back({placeholder, std::nullopt});
    return found->second;
}

std::uint32_t SlotBuilder::add_constant(Value value) {
    slots_.values_.push_back({"", std::move(value)});
    return static_cast<std::uint32_t>(slots_.values_.size() - 1);
}

BoundSlots::BoundSlots(const ExpressionSlots& slots, const Bindings& bindings, BindingUse& use)
    : slots_(&slots), names_(slots.names().size()), values_(slots.values().size()) {
    std::size_t hint = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto& name = slots.names()[i];
        if (!name.is_placeholder) {
            names_[i] = name.text;
        } else if (const auto found = find_key(bindings.names, name.text, hint)) {
            names_[i] = bindings.names[*found].second;
            use.use_name(*found);
        }
    }
    hint = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto& slot = slots.values()[i];
        if (slot.constant) {
            values_[i] = slot.constant->view();
        } else if (const auto found = find_key(bindings.values, slot.placeholder, hint)) {
            values_[i] = bindings.values[*found].second.view();
            use.use_value(*found);
        }
    }
}

Outcome<> BoundSlots::check_path(const PathRef& path, ExpressionUse use) const {
    for (const auto* step = steps(path); step != steps(path) + path.count; ++step) {
        if (step->is_index || names_[step->value].data() != nullptr) continue;
        return refuse(use,
                      "An expression attribute name used in the document path is not defined; "
                      "attribute name: " +
                          slots_->names()[step->value].text);
    }
    return Ok{};
}

Outcome<> BoundSlots::check_value(std::uint32_t slot, ExpressionUse use) const {
    if (!values_[slot].encoded().empty()) return Ok{};
    return refuse(use,
                  "An expression attribute value used in expression is not defined; attribute "
                  "value: " +
                      slots_->values()[slot].placeholder);
}

std::optional<ValueView> BoundSlots::find(const PathRef& path, ItemView item) const {
    const auto* step = steps(path);
    auto found = item.find(name(step->value));
    for (const auto* end = step + path.count; found && ++step != end;) {
        if (step->is_index) {
            if (found->kind() != Kind::list) return std::nullopt;
            found = found->list().at(step->value);
        } else {
            if (found->kind() != Kind::map) return std::nullopt;
            found = found->map().find(name(step->value));
        }
    }
    return found;
}

bool BoundSlots::same(const PathRef& a, const PathRef& b) const {
    return a.count == b.count && relate(*this, a, b) == Relation::overlap;
}

std::string BoundSlots::text(const PathRef& path) const {
    std::string text = "[";
    for (std::uint32_t i = 0; i < path.count; ++i) {
        const auto& step = steps(path)[i];
        if (i > 0) text += ", ";
        if (step.is_index) {
            text += "[" + std::to_string(step.value) + "]";
        } else {
            text += name(step.value);
        }
    }
    return text + "]";
}

Outcome<> check_overlap(const BoundSlots& slots, const std::vector<PathRef>& paths,
                        ExpressionUse use) {
    // Comparing each pair is quicker than sorting a few, and needed to name the first offenders.
    constexpr std::size_t few = 12;
    if (paths.size() > few && all_apart(slots, paths)) return Ok{};
    for (std::size_t second = 1; second < paths.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
            const auto relation = relate(slots, paths[first], paths[second]);
            if (relation == Relation::apart) continue;
            const std::string verb = relation == Relation::overlap ? "overlap" : "conflict";
            return refuse(use, "Two document paths " + verb +
                                   " with each other; must remove or rewrite one of these paths; "
                                   "path one: " +
                                   slots.text(paths[first]) +
                                   ", path two: " + slots.text(paths[second]));
        }
    }
    return Ok{};
}

}  // namespace mailroom::table
