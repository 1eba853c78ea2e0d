// mj-html-attributes: attributes for whatever a selector matches.
#include "mjml/inliner.h"
#include "mjml/markup.h"
#include "mjml/selector.h"

#include <utility>
#include <vector>

namespace mailroom::mjml {
namespace {

constexpr std::size_t comparisons_max = 10'000'000;

// "a, b" is two of them; a comma in quotes or brackets is none.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts(1);
    char quote = '\0';
    std::size_t depth = 0;
    for (const char c : text) {
        if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        }
        if (c == '[') ++depth;
        if (c == ']' && depth > 0) --depth;
        if (c == ',' && quote == '\0' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

Failure too_much(std::size_t line) { return {line, "these selectors are too much work"}; }

}  // namespace

Result<std::string, Failure> with_html_attributes(std::string html, const Head& head,
                                                  Warnings& warnings, std::size_t bytes_max) {
    if (head.html_attributes.empty()) return html;
    auto elements = read_markup(html);
    std::vector<bool> changed(elements.size());
    MatchBudget budget(comparisons_max);
    std::size_t written_bytes = 0;
    for (const auto& each : head.html_attributes) {
        for (const auto& text : split(each.selector)) {
            const auto selector = parse_selector(text);
            if (!selector) {
                warnings.add(each.line, "mj-selector", quoted(text) + " cannot be matched");
                continue;
            }
            for (std::size_t place = 0; place < elements.size(); ++place) {
                if (!matches(*selector, elements, place, budget)) continue;
                for (const auto& [name, value] : each.attributes) {
                    elements[place].set(name, value);
                    written_bytes += name.size() + value.size();
                }
                changed[place] = true;
                if (written_bytes > bytes_max) return too_much(each.line);
            }
        }
    }
    if (budget.is_spent()) {
        return too_much(head.html_attributes.front().line);
    }
    return with_changes(html, elements, changed);
}

}  // namespace mailroom::mjml
