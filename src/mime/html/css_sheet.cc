#include "base/text.h"
#include "mime/html/css.h"
#include "mime/html/css_scan.h"

#include <algorithm>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t sheet_bytes_max = 256 * 1024;  // Gmail ignores sheets above 16 KB.
constexpr std::size_t selector_bytes_max = 200;

bool is_combinator(char c) { return c == ' ' || c == '>' || c == '+' || c == '~'; }

std::string_view take_name(std::string_view& rest) {
    const auto* end = std::ranges::find_if_not(rest, is_name_character);
    const auto name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(name.size());
    return name;
}

bool is_known_state(std::string_view name) {
    for (const std::string_view known :
         {"hover", "link", "visited", "active", "first-child", "last-child"}) {
        if (name == known) return true;
    }
    return false;
}

// One combinator at the front of `rest`, with the spaces around it. False if there are two.
bool take_combinator(std::string_view& rest, std::string& out) {
    char combinator = ' ';
    while (!rest.empty() && is_combinator(rest.front())) {
        if (rest.front() != ' ') {
            if (combinator != ' ') return false;
            combinator = rest.front();
        }
        rest.remove_prefix(1);
    }
    out += combinator;
    return !rest.empty();
}

// Adds the simple selector at the front of `rest`. False for anything we do not know.
bool take_simple_selector(std::string_view& rest, std::string_view scope, std::string& out) {
    const char mark = rest.front();
    if (mark == '*') {
        rest.remove_prefix(1);
        out += '*';
        return true;
    }
    const bool marked = mark == '.' || mark == '#' || mark == ':';
    if (marked) rest.remove_prefix(1);
    const auto name = take_name(rest);
    if (name.empty()) return false;
    if (mark == ':') {
        out += ':';
        out += ascii_lower(name);
        return is_known_state(ascii_lower(name));
    }
    if (marked) {
        const auto safe = safe_name(name);
        out += mark + safe;
        return !safe.empty();
    }
    const auto element = ascii_lower(name);
    if (element == "body" || element == "html") {
        out += '.';
        out += scope;
    } else {
        out += element;
    }
    return true;
}

// Empty if the selector is refused.
std::string safe_selector(std::string_view selector, std::string_view scope) {
    std::string spaced(trim(selector));
    if (spaced.empty() || spaced.size() > selector_bytes_max) return {};
    std::ranges::replace_if(
        spaced, [](char c) { return c == '\n' || c == '\r' || c == '\t' || c == '\f'; }, ' ');
    std::string out;
    for (std::string_view rest = spaced; !rest.empty();) {
        const bool known = is_combinator(rest.front()) ? !out.empty() && take_combinator(rest, out)
                                                       : take_simple_selector(rest, scope, out);
        if (!known) return {};
    }
    const auto scope_class = "." + std::string(scope);
    const std::string_view whole = out;
    const auto after = whole.substr(std::min(scope_class.size(), whole.size()));
    const bool scoped =
        whole.starts_with(scope_class) && (after.empty() || !is_name_character(after.front()));
    if (!scoped) return scope_class + " " + out;
    // A sibling of the scope is outside of it.
    const bool leaves = after.starts_with('+') || after.starts_with('~');
    return leaves ? std::string() : out;
}

class SheetFilter {
public:
    SheetFilter(std::string_view css, std::string_view scope) : rest_(css), scope_(scope) {}

    SafeCss run() {
        while (!rest_.empty()) {
            if (rest_.starts_with("<!--")) rest_.remove_prefix(4);
            if (rest_.starts_with("-->")) rest_.remove_prefix(3);
            step();
        }
        close_media();
        return std::move(safe_);
    }

private:
    void step() {
        const auto end = rest_.find_first_of("{};");
        if (end == rest_.npos) {
            rest_ = {};
            return;
        }
        const auto prelude = trim(rest_.substr(0, end));
        const char mark = rest_[end];
        rest_.remove_prefix(end + 1);
        if (mark == '}') {
            close_media();
        } else if (mark == '{' && prelude.starts_with('@')) {
            at_rule(prelude);
        } else if (mark == '{') {
            rule(prelude);
        }
    }

    void at_rule(std::string_view prelude) {
        const auto media = ascii_lower(prelude);
        if (!in_media_ && media.starts_with("@media") && is_plain_condition(media.substr(6))) {
            in_media_ = true;
            media_ = media;
            std::ranges::replace(media_, '\n', ' ');
            return;
        }
        ++safe_.removed;
        skip_block();
    }

    static bool is_plain_condition(std::string_view condition) {
        return condition.size() <= selector_bytes_max && std::ranges::all_of(condition, [](char c) {
                   return is_name_character(c) ||
                          std::string_view(" \n().:,").find(c) != std::string_view::npos;
               });
    }

    // To the end of the block whose brace was just taken.
    void skip_block() {
        int depth = 1;
        while (depth > 0) {
            const auto brace = rest_.find_first_of("{}");
            if (brace == rest_.npos) {
                rest_ = {};
                return;
            }
            depth += rest_[brace] == '{' ? 1 : -1;
            rest_.remove_prefix(brace + 1);
        }
    }

    void rule(std::string_view selectors) {
        const auto block = take_until(rest_, '}');
        auto declarations = safe_declarations(block);
        safe_.removed += declarations.removed;
        std::string list;
        while (!selectors.empty()) {
            const auto selector = safe_selector(take_until(selectors, ','), scope_);
            if (selector.empty()) {
                ++safe_.removed;
                continue;
            }
            if (!list.empty()) list += ',';
            list += selector;
        }
        if (list.empty() || declarations.text.empty()) return;
        if (in_media_ && !media_.empty()) {
            safe_.text += media_ + "{\n";
            media_.clear();
            media_written_ = true;
        }
        safe_.text += list + "{" + declarations.text + "}\n";
    }

    void close_media() {
        if (media_written_) safe_.text += "}\n";
        in_media_ = media_written_ = false;
        media_.clear();
    }

    std::string_view rest_;
    std::string_view scope_;
    SafeCss safe_;
    bool in_media_ = false;
    bool media_written_ = false;
    std::string media_;  // The condition, until its first rule is written.
};

}  // namespace

SafeCss safe_style_sheet(std::string_view css, std::string_view scope) {
    const auto plain = without_comments(css.substr(0, sheet_bytes_max));
    return SheetFilter(plain, scope).run();
}

}  // namespace mailroom::mime::html
