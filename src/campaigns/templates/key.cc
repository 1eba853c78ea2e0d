#include "campaigns/templates/key.h"

#include <algorithm>
#include <array>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t key_bytes_max = 200;
constexpr std::array<std::string_view, 3> words_of_paths = {"versions", "preview", "check"};

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool is_word(std::string_view word) {
    return !word.empty() && word != "." && word != ".." &&
           std::ranges::all_of(word, is_word_character);
}

}  // namespace

std::optional<std::string> key_fault(std::string_view key) {
    if (key.empty() || key.size() > key_bytes_max) return "must be 1 to 200 characters";
    std::string_view word;
    for (auto rest = key;;) {
        const auto slash = rest.find('/');
        word = rest.substr(0, slash);
        if (!is_word(word)) {
            return "must be words of letters, digits, ., _ and -, with a slash between each two";
        }
        if (slash == rest.npos) break;
        rest.remove_prefix(slash + 1);
    }
    if (std::ranges::find(words_of_paths, word) == words_of_paths.end()) return std::nullopt;
    return "must not end with the word " + std::string(word);
}

}  // namespace mailroom::campaigns
