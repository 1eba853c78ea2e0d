#include "liquid/filter.h"

#include "liquid/coerce.h"
#include "liquid/evaluator.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mailroom::liquid {

namespace {

std::vector<FilterEntry> sorted_filters() {
    std::vector<FilterEntry> all;
    for (const auto& group : {text_filters(), markup_filters(), url_filters(), number_filters(),
                              array_filters(), query_filters(), date_filters(), hash_filters()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    std::ranges::sort(all, {}, &FilterEntry::name);
    return all;
}

const std::vector<FilterEntry>& all_filters() {
    static const auto all = sorted_filters();
    return all;
}

}  // namespace

const FilterEntry* find_filter(std::string_view name) {
    const auto& all = all_filters();
    const auto found = std::ranges::lower_bound(all, name, {}, &FilterEntry::name);
    return found != all.end() && found->name == name ? &*found : nullptr;
}

std::span<const std::string> filter_names() {
    static const auto names = [] {
        std::vector<std::string> made;
        for (const auto& filter : all_filters()) made.emplace_back(filter.name);
        return made;
    }();
    return names;
}

Value FilterCall::named(std::string_view name) const {
    for (auto at = use_.arguments.begin; at < use_.arguments.end; ++at) {
        const auto& argument = program_.arguments[at];
        if (argument.name == name) {
            return evaluator.operand(program_, argument.operand, Tolerance::strict);
        }
    }
    return {};
}

Arena& FilterCall::arena() const { return evaluator.arena(); }
Budget& FilterCall::budget() const { return evaluator.budget(); }

std::string_view FilterCall::text(const Value& value) const {
    if (value.is(Kind::text)) return value.text();
    std::string made;
    append_text(made, value, budget());
    return arena().keep(made);
}

double FilterCall::number(const Value& value) const {
    const double number = to_number(value, budget());
    return std::isnan(number) ? 0 : number;
}

Value FilterCall::keep(const std::string& text) const { return Value::text(arena().keep(text)); }

Value FilterCall::fail(std::string message) const {
    evaluator.fail(std::move(message));
    return {};
}

}  // namespace mailroom::liquid
