#include "writing/warnings.h"

#include "base/text.h"
#include "mime/html/to_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace mailroom::writing {

namespace {

constexpr std::size_t told_max = 3;  // Of one kind.

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_word(char c) {
    return is_digit(c) || is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

// What language models say instead of a letter.
std::optional<std::string> refusal_in(std::string_view lower_text) {
    constexpr std::string_view phrases[] = {
        "as an ai",         "language model",        "i can't help",   "i cannot help",
        "i can't assist",   "i cannot assist",       "i'm unable to",  "i am unable to",
        "i'm sorry, but i", "i cannot fulfil",       "i can't fulfil", "i can't write",
        "i cannot write",   "as requested, here is",
    };
    for (const auto phrase : phrases) {
        if (lower_text.find(phrase) != lower_text.npos) return std::string(phrase);
    }
    return std::nullopt;
}

// "[Your Name]", "[insert date]": words in brackets, which letters have nowhere else.
bool is_placeholder(std::string_view inside) {
    constexpr std::size_t bytes_max = 60;
    if (inside.size() < 3 || inside.size() > bytes_max) return false;
    const bool is_words = std::ranges::all_of(inside, [](char c) {
        return is_letter(c) || std::string_view(" ,'/_-#:").find(c) != std::string_view::npos;
    });
    const auto lower = ascii_lower(inside);
    const bool has_mark = lower.find("your") != lower.npos || lower.find("insert") != lower.npos ||
                          lower.find("name") != lower.npos ||
                          (inside[0] >= 'A' && inside[0] <= 'Z');
    return is_words && has_mark;
}

std::vector<std::string> placeholders_in(std::string_view text) {
    std::vector<std::string> found;
    constexpr std::pair<std::string_view, std::string_view> brackets[] = {
        {"[", "]"}, {"<", ">"}, {"{{", "}}"}};
    for (const auto& [open, close] : brackets) {
        for (auto at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
            const auto end = text.find(close, at);
            if (end == text.npos) break;
            const auto inside = text.substr(at + open.size(), end - at - open.size());
            if (open == "{{" || is_placeholder(inside)) {
                found.emplace_back(text.substr(at, end + close.size() - at));
            }
        }
    }
    return found;
}

std::vector<std::string> hosts_in(std::string_view text) {
    std::vector<std::string> hosts;
    for (const std::string_view scheme : {"http://", "https://", "www."}) {
        const auto lower = ascii_lower(text);
        for (auto at = lower.find(scheme); at != lower.npos; at = lower.find(scheme, at + 1)) {
            auto from = at + (scheme == "www." ? 0 : scheme.size());
            const auto end = lower.find_first_of("/?#:\"'<>)] \t\r\n", from);
            auto host = lower.substr(from, end == lower.npos ? lower.npos : end - from);
            while (!host.empty() && (host.back() == '.' || host.back() == ',')) host.pop_back();
            if (!host.empty()) hosts.push_back(std::move(host));
        }
    }
    return hosts;
}

// How often each word is there, in lower case.
std::map<std::string, int> words_of(std::string_view text) {
    std::map<std::string, int> words;
    std::string word;
    for (const char c : std::string(text) + " ") {
        if (is_of_word(c)) {
            word += c;
        } else if (!word.empty()) {
            ++words[ascii_lower(word)];
            word.clear();
        }
    }
    return words;
}

struct Missing {
    int words = 0, total = 0;
    bool has_figure = false;
};

Missing missing_from(const std::map<std::string, int>& some,
                     const std::map<std::string, int>& all) {
    Missing missing;
    for (const auto& [word, times] : some) {
        missing.total += times;
        const auto found = all.find(word);
        const int there = found == all.end() ? 0 : found->second;
        if (there >= times) continue;
        missing.words += times - there;
        if (there == 0 && std::ranges::any_of(word, is_digit)) missing.has_figure = true;
    }
    return missing;
}

void add_each(std::vector<Warning>& warnings, const char* code, std::vector<std::string> things,
              const std::string& what) {
    std::ranges::sort(things);
    things.erase(std::unique(things.begin(), things.end()), things.end());
    if (things.size() > told_max) things.resize(told_max);
    for (const auto& thing : things) warnings.push_back({code, thing + " " + what});
}

}  // namespace

std::string Readable::all() const {
    return std::string(subject) + "\n" + std::string(text) + "\n" + mime::html_to_text(html);
}

bool says_something_else(std::string_view html, std::string_view text, std::string_view signature) {
    const auto in_text = words_of(text);
    const auto in_html = words_of(mime::html_to_text(html));
    auto allowed = in_text;
    for (const auto& [word, times] : words_of(signature)) allowed[word] += times;
    for (const auto& missing : {missing_from(in_text, in_html), missing_from(in_html, allowed)}) {
        if (missing.has_figure || 5 * missing.words > missing.total) return true;
    }
    return false;
}

std::vector<Warning> warnings_about(const Readable& written, const KnownFacts& facts) {
    const auto& [subject, text, html] = written;
    std::vector<Warning> warnings;
    if (const auto phrase = refusal_in(ascii_lower(written.all()))) {
        warnings.push_back({"refusal_text", "it may be a model's excuse: \"" + *phrase + "\""});
    }
    add_each(warnings, "placeholder",
             placeholders_in(std::string(subject) + "\n" + std::string(text)),
             "looks like a gap to be filled");
    add_each(warnings, "foreign_amount", facts.foreign_amounts,
             "is no amount that this customer owes");
    const auto known = ascii_lower(facts.operators_text);
    std::vector<std::string> links;
    for (auto& host : hosts_in(std::string(text) + "\n" + std::string(html))) {
        if (known.find(host) == known.npos) links.push_back(std::move(host));
    }
    add_each(warnings, "foreign_link", std::move(links),
             "is a link that neither the settings nor the template have");
    if (says_something_else(html, text, facts.signature)) {
        warnings.push_back({"html_differs", "the HTML does not say what the text says"});
    }
    return warnings;
}

}  // namespace mailroom::writing
