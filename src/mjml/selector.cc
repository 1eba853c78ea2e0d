#include "mjml/selector.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find_first_of(" \t\r\n\f", at), text.size());
        if (end > at && text.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

bool passes(const AttributeTest& test, const MarkupElement& element) {
    if (!element.has(test.name)) return false;
    const auto value = element.attribute(test.name);
    const std::string_view wanted = test.value;
    switch (test.how) {
        case '=':
            return value == wanted;
        case '~':
            return has_word(value, wanted);
        case '|':
            return value == wanted ||
                   (value.starts_with(wanted) && value.substr(wanted.size()).starts_with('-'));
        case '^':
            return !wanted.empty() && value.starts_with(wanted);
        case '$':
            return !wanted.empty() && value.ends_with(wanted);
        case '*':
            return !wanted.empty() && value.find(wanted) != value.npos;
        default:
            return true;
    }
}

bool passes(const Compound& compound, const MarkupElement& element) {
    if (!compound.type.empty() && compound.type != element.name) return false;
    if (compound.must_be_first && element.previous != no_element) return false;
    if (compound.must_be_last && !element.is_last) return false;
    for (const auto& id : compound.ids) {
        if (element.attribute("id") != id) return false;
    }
    for (const auto& name : compound.classes) {
        if (!has_word(element.attribute("class"), name)) return false;
    }
    return std::ranges::all_of(compound.attributes,
                               [&](const AttributeTest& test) { return passes(test, element); });
}

// At most compounds_max deep. Each comparison is paid for, so that tries have an end.
bool matches_from(const Selector& selector, std::size_t compound_place,
                  const std::vector<MarkupElement>& elements, std::size_t place,
                  MatchBudget& budget) {
    const auto& compound = selector.compounds[compound_place];
    if (!budget.spend() || !passes(compound, elements[place])) return false;
    if (compound_place == 0) return true;
    const bool is_beside = compound.relation == '+' || compound.relation == '~';
    const bool is_next = compound.relation == '+' || compound.relation == '>';
    auto step = [&](std::size_t from) {
        return is_beside ? elements[from].previous : elements[from].parent;
    };
    for (auto other = step(place); other != no_element; other = step(other)) {
        if (matches_from(selector, compound_place - 1, elements, other, budget)) return true;
        if (is_next || budget.is_spent()) return false;
    }
    return false;
}

}  // namespace

bool matches(const Selector& selector, const std::vector<MarkupElement>& elements,
             std::size_t place, MatchBudget& budget) {
    return matches_from(selector, selector.compounds.size() - 1, elements, place, budget);
}

}  // namespace mailroom::mjml
