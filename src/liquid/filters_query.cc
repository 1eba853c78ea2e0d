// where, find, has, reject and group_by: by a property, or by an expression in a text.
#include "liquid/coerce.h"
#include "liquid/evaluator.h"
#include "liquid/filter.h"
#include "liquid/lists.h"
#include "liquid/same_value.h"

#include <optional>
#include <unordered_map>

namespace mailroom::liquid {

namespace {

// What a filter asks of each item. Null programs mean that compiling failed.
class Question {
public:
    enum class Form { property, expression };

    Question(FilterCall& call, Form form) : call_(call), form_(form) {
        if (form == Form::property) {
            program_ = call.evaluator.compile_path(call.text(call.argument(0)));
        } else {
            name_ = Name(call.text(call.argument(0)));
            program_ = call.evaluator.compile_chain(call.text(call.argument(1)));
        }
    }

    bool valid() const { return program_ != nullptr; }

    Value answer(const Value& item) const {
        auto& evaluator = call_.evaluator;
        if (form_ == Form::property) return evaluator.path_of(*program_, item);
        auto& bound = evaluator.scope().bound;
        bound.push_back({name_, item});
        const auto value = evaluator.chain(*program_, program_->chains.back(), Tolerance::lenient);
        evaluator.scope().bound.pop_back();
        return value;
    }

    // For a property: is it the wanted value, or truthy when none is given?
    bool matches(const Value& item) const {
        const auto value = answer(item);
        const auto wanted = call_.argument(1);
        if (wanted.is(Kind::undefined)) return !is_falsy(value);
        return is_equal(value, wanted, call_.budget());
    }

private:
    FilterCall& call_;
    Form form_;
    Name name_;
    const Program* program_ = nullptr;
};

using Form = Question::Form;

bool is_javascript_truthy(const Value& value) {
    if (is_falsy(value)) return false;
    if (value.is(Kind::text)) return !value.text().empty();
    if (value.is_number()) {
        const double number = SameValue::number(value);
        return number != 0 && number == number;
    }
    return true;
}

// Goes through the items until `visit` returns false or the budget is exhausted.
template <class Visit>
void each_item(FilterCall& call, const Value& array, Visit visit) {
    const auto count = array.size();
    for (std::size_t i = 0; i < count && call.budget().spend_steps(1); ++i) {
        if (call.evaluator.failed() || !visit(i, array.at(i))) return;
    }
}

Value kept_list(FilterCall& call, const std::vector<Value>& kept) {
    const auto items = call.arena().values(kept.size());
    if (!items.empty()) std::copy(kept.begin(), kept.end(), items.begin());
    return list_value(call.arena(), items);
}

Value filtered(FilterCall& call, Form form, bool wanted) {
    const Question question(call, form);
    if (!question.valid()) return {};
    std::vector<Value> kept;
    each_item(call, as_array(call.arena(), call.input), [&](std::size_t, const Value& item) {
        bool keep;
        if (form == Form::property) {
            keep = question.matches(item) == wanted;
        } else {
            const auto value = question.answer(item);
            keep = value.is(Kind::boolean) && value.truth() == wanted;
        }
        if (keep) kept.push_back(item);
        return true;
    });
    return kept_list(call, kept);
}

Value where(FilterCall& call) { return filtered(call, Form::property, true); }
Value where_exp(FilterCall& call) { return filtered(call, Form::expression, true); }
Value reject(FilterCall& call) { return filtered(call, Form::property, false); }
Value reject_exp(FilterCall& call) { return filtered(call, Form::expression, false); }

struct Found {
    std::size_t index;
    Value item;
};

std::optional<Found> search(FilterCall& call, Form form) {
    const Question question(call, form);
    std::optional<Found> found;
    if (!question.valid()) return found;
    each_item(call, as_array(call.arena(), call.input), [&](std::size_t i, const Value& item) {
        const bool hit = form == Form::property ? question.matches(item)
                                                : is_javascript_truthy(question.answer(item));
        if (hit) found = Found{i, item};
        return !hit;
    });
    return found;
}

Value item_found(FilterCall& call, Form form) {
    const auto found = search(call, form);
    return found ? found->item : Value();
}

Value index_found(FilterCall& call, Form form) {
    const auto found = search(call, form);
    return found ? Value::integer(static_cast<std::int64_t>(found->index)) : Value();
}

Value find(FilterCall& call) { return item_found(call, Form::property); }
Value find_exp(FilterCall& call) { return item_found(call, Form::expression); }
Value find_index(FilterCall& call) { return index_found(call, Form::property); }
Value find_index_exp(FilterCall& call) { return index_found(call, Form::expression); }
Value has(FilterCall& call) { return Value::boolean(search(call, Form::property).has_value()); }
Value has_exp(FilterCall& call) {
    return Value::boolean(search(call, Form::expression).has_value());
}

Value grouped(FilterCall& call, Form form) {
    const Question question(call, form);
    if (!question.valid()) return {};
    std::vector<std::pair<Value, std::vector<Value>>> groups;
    std::unordered_map<Value, std::size_t, SameValueHash, SameValue> places;
    const auto items = enumerable(call.arena(), call.budget(), call.input);
    each_item(call, items, [&](std::size_t, const Value& item) {
        const auto key = question.answer(item);
        call.budget().spend_reading(key.is(Kind::text) ? key.text().size() : 0);
        const auto [place, is_new] = places.try_emplace(key, groups.size());
        if (is_new) groups.push_back({key, {}});
        groups[place->second].second.push_back(item);
        return true;
    });
    std::vector<Value> made;
    for (const auto& [name, members] : groups) {
        made.push_back(group_value(call.arena(), name, kept_list(call, members)));
    }
    return kept_list(call, made);
}

Value group_by(FilterCall& call) { return grouped(call, Form::property); }
Value group_by_exp(FilterCall& call) { return grouped(call, Form::expression); }

constexpr FilterEntry query_entries[] = {
    {"find", find},
    {"find_exp", find_exp},
    {"find_index", find_index},
    {"find_index_exp", find_index_exp},
    {"group_by", group_by},
    {"group_by_exp", group_by_exp},
    {"has", has},
    {"has_exp", has_exp},
    {"reject", reject},
    {"reject_exp", reject_exp},
    {"where", where},
    {"where_exp", where_exp},
};

}  // namespace

std::span<const FilterEntry> query_filters() { return query_entries; }

}  // namespace mailroom::liquid
