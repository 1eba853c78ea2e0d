#include "mjml/inliner.h"

#include "mjml/css_rules.h"
#include "mjml/liquid_text.h"
#include "mjml/markup.h"
#include "mjml/selector.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace mailroom::mjml {
namespace {

constexpr std::size_t rules_max = 1000;
constexpr std::size_t comparisons_max = 20'000'000;  // About a second.
constexpr std::size_t declarations_max = 1000;       // Of one element.

// What a declaration is sorted by: importance, own style, ids, classes, types, place.
using Strength = std::array<int, 6>;

struct Applied {
    const Declaration* declaration;
    Strength strength;
};

struct InlineRule {
    Selector selector;
    std::vector<Declaration> declarations;
    int place = 0;
    std::size_t line = 0;
};

bool is_visible(std::string_view name) {
    constexpr std::array<std::string_view, 8> names = {"head",  "title", "base",   "link",
                                                       "style", "meta",  "script", "noscript"};
    return std::ranges::find(names, name) == names.end();
}

bool is_part_of_table(std::string_view name) {
    constexpr std::array<std::string_view, 10> names = {
        "table", "th", "tr", "td", "caption", "colgroup", "col", "thead", "tbody", "tfoot"};
    return std::ranges::find(names, name) != names.end();
}

class Inliner {
public:
    Inliner(std::string html, Warnings& warnings, std::size_t bytes_max)
        : html_(std::move(html)),
          elements_(read_markup(html_)),
          warnings_(warnings),
          bytes_max_(bytes_max) {}

    Result<Ok, Failure> add_sheet(std::string_view css, std::size_t line);
    Result<std::string, Failure> run();

private:
    Result<Ok, Failure> add_rule(const CssRule& rule, std::size_t line);
    void apply_to(std::size_t place);

    std::string html_;
    std::vector<MarkupElement> elements_;
    Warnings& warnings_;
    std::vector<InlineRule> rules_;
    MatchBudget budget_{comparisons_max};
    int places_ = 0;
    std::vector<bool> changed_;
    std::size_t bytes_max_, written_bytes_ = 0;
    bool is_too_much_ = false;
};

Result<Ok, Failure> Inliner::add_sheet(std::string_view css, std::size_t line) {
    const auto sheet = parse_sheet(css);
    for (const auto& name : sheet.at_rules) {
        warnings_.add(line, "mj-style", quoted(name) + " cannot be inlined and is left out");
    }
    for (const auto& rule : sheet.rules) TRY(add_rule(rule, line));
    return Ok{};
}

Result<Ok, Failure> Inliner::add_rule(const CssRule& rule, std::size_t line) {
    ++places_;
    for (const auto& text : rule.selectors) {
        auto selector = parse_selector(text);
        if (!selector) {
            warnings_.add(line, "mj-style", quoted(text) + " cannot be inlined and is left out");
            continue;
        }
        if (rules_.size() == rules_max) return Failure{line, "there are too many inlined rules"};
        rules_.push_back({std::move(*selector), rule.declarations, places_, line});
    }
    return Ok{};
}

Result<std::string, Failure> Inliner::run() {
    changed_.assign(elements_.size(), false);
    for (std::size_t place = 0; place < elements_.size() && !is_too_much_; ++place) {
        if (is_visible(elements_[place].name)) apply_to(place);
    }
    if (is_too_much_ || budget_.is_spent()) {
        return Failure{rules_.front().line, "inlining these styles is too much work"};
    }
    return with_changes(html_, elements_, changed_);
}

Strength strength_of(const InlineRule& rule, const Declaration& declaration) {
    const auto& [ids, classes, types] = rule.selector.specificity;
    return {declaration.is_important ? 2 : 0, 0, ids, classes, types, rule.place};
}

// A style attribute stands in double quotes; those of Liquid are its own matter.
void append_with_single_quotes(std::string& text, std::string_view value) {
    for (std::size_t at = 0; at < value.size();) {
        const auto end = liquid_end(value, at);
        if (end == at) {
            text += value[at] == '"' ? '\'' : value[at];
            ++at;
        } else {
            text += value.substr(at, end - at);
            at = end;
        }
    }
}

// Weaker ones first, each property once: so "padding" and "padding-top" come out right.
std::string style_text(std::vector<Applied>& all) {
    std::ranges::stable_sort(all, {}, &Applied::strength);
    std::set<std::string_view> names = {"content"};
    std::vector<const Declaration*> kept;
    std::ranges::reverse(all);
    for (const auto& each : all) {
        if (names.insert(each.declaration->name).second) kept.push_back(each.declaration);
    }
    std::ranges::reverse(kept);
    std::string text;
    for (const auto* each : kept) {
        text += each->name + ":";
        append_with_single_quotes(text, each->value);
        text += ";";
    }
    return text;
}

void set_size(MarkupElement& element, std::string_view name, std::string value) {
    const bool is_of_table =
        element.name == "table" || element.name == "td" || element.name == "th";
    if (!is_of_table && element.name != "img") return;
    if (const auto unit = value.find("px"); unit != value.npos) {
        element.set(name, value.erase(unit, 2));
    } else if (value.find("auto") != value.npos || (is_of_table && value.find('%') != value.npos)) {
        element.set(name, std::move(value));
    }
}

void set_table_attribute(MarkupElement& element, const Declaration& declaration) {
    if (!is_part_of_table(element.name)) return;
    if (declaration.value.find("-gradient(") != declaration.value.npos) return;
    const auto& name = declaration.name;
    if (name == "background-color") element.set("bgcolor", declaration.value);
    if (name == "text-align") element.set("align", declaration.value);
    if (name == "vertical-align") element.set("valign", declaration.value);
    if (name != "background-image") return;
    auto address = declaration.value;
    if (address.starts_with("url(") && address.ends_with(')')) {
        address = address.substr(4, address.size() - 5);
        std::erase_if(address, [](char c) { return c == '"' || c == '\''; });
    }
    element.set("background", std::move(address));
}

void Inliner::apply_to(std::size_t place) {
    std::vector<Applied> all;
    for (const auto& rule : rules_) {
        if (!matches(rule.selector, elements_, place, budget_)) continue;
        for (const auto& each : rule.declarations) all.push_back({&each, strength_of(rule, each)});
        is_too_much_ = is_too_much_ || all.size() > declarations_max;
        if (is_too_much_) return;
    }
    if (all.empty()) return;
    auto& element = elements_[place];
    const auto own = parse_declarations(element.attribute("style"));
    for (const auto& each : own) {
        all.push_back({&each, {(each.is_important ? 2 : 0) + 1, 0, 0, 0, 0, 0}});
    }
    const auto text = style_text(all);
    written_bytes_ += text.size();
    is_too_much_ = is_too_much_ || written_bytes_ > bytes_max_;
    element.set("style", text);
    for (const auto& each : parse_declarations(text)) {
        if (each.name == "width" || each.name == "height") set_size(element, each.name, each.value);
        set_table_attribute(element, each);
    }
    changed_[place] = true;
}

}  // namespace

Result<std::string, Failure> with_inlined_styles(std::string html, const Head& head,
                                                 Warnings& warnings, std::size_t bytes_max) {
    if (head.inline_styles.empty()) return html;
    Inliner inliner(std::move(html), warnings, bytes_max);
    for (const auto& [css, line] : head.inline_styles) TRY(inliner.add_sheet(css, line));
    return inliner.run();
}

}  // namespace mailroom::mjml
