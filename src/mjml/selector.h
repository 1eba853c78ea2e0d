// CSS selectors, as far as a mail that nobody has opened yet can be matched: types, classes, ids,
// attributes, first and last children, and what stands in, under or beside what. Private to this
// folder.
#pragma once

#include "mjml/markup.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

struct AttributeTest {
    std::string name, value;
    char how = '\0';  // Before the `=`: ~ | ^ $ *; `=` for equality; 0 where it must only be there.
};

// What is asked of one element: "a.big[href]".
struct Compound {
    std::string type;  // In lower case; empty for any.
    std::vector<std::string> classes, ids;
    std::vector<AttributeTest> attributes;
    bool must_be_first = false, must_be_last = false;
    char relation = '\0';  // To the compound before it: space > + ~.
};

struct Selector {
    std::vector<Compound> compounds;
    std::array<int, 3> specificity{};  // Ids; classes and attributes; types.
};

// None for one that cannot be matched, such as a:hover.
std::optional<Selector> parse_selector(std::string_view text);

// Counts comparisons, so that many selectors with many elements have an end.
class MatchBudget {
public:
    explicit MatchBudget(std::size_t comparisons) : left_(comparisons) {}
    bool spend() { return left_ > 0 && left_-- > 0; }
    bool is_spent() const { return left_ == 0; }

private:
    std::size_t left_;
};

bool matches(const Selector& selector, const std::vector<MarkupElement>& elements,
             std::size_t place, MatchBudget& budget);

}  // namespace mailroom::mjml
