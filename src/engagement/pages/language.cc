#include "engagement/pages/language.h"

#include "base/text.h"

#include <algorithm>
#include <optional>

namespace mailroom::engagement {

namespace {

std::optional<Language> language_of(std::string_view tag) {
    const auto primary = ascii_lower(trim(tag.substr(0, tag.find_first_of("-_"))));
    return named<Language>(primary);
}

// "q=0.8" is 800; what cannot be read is not wanted.
int thousandths(std::string_view parameters) {
    const auto text = trim(parameters);
    if (text.empty()) return 1000;
    if (!text.starts_with("q=") || text.size() < 3) return 0;
    if (text[2] == '1') return 1000;
    int value = 0, weight = 100;
    for (const char c : text.substr(std::min<std::size_t>(4, text.size()))) {
        if (c < '0' || c > '9') return 0;
        value += (c - '0') * weight;
        weight /= 10;
    }
    return value;
}

}  // namespace

Language pick_language(std::string_view of_person, std::string_view accept_language,
                       Language usual) {
    if (const auto own = language_of(of_person)) return *own;
    auto best = usual;
    int best_weight = 0;
    while (!accept_language.empty()) {
        const auto range = accept_language.substr(0, accept_language.find(','));
        accept_language.remove_prefix(std::min(range.size() + 1, accept_language.size()));
        const auto semicolon = std::min(range.find(';'), range.size());
        const auto language = language_of(trim(range.substr(0, semicolon)));
        const auto parameters = range.substr(std::min(semicolon + 1, range.size()));
        const auto weight = language ? thousandths(parameters) : 0;
        if (weight <= best_weight) continue;
        best = *language;
        best_weight = weight;
    }
    return best;
}

}  // namespace mailroom::engagement
