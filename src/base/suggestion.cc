#include "base/suggestion.h"

#include <algorithm>
#include <vector>

namespace mailroom {

namespace {

// Longer words are not compared: nobody mistypes one, and the table below is quadratic.
constexpr std::size_t word_bytes_max = 64;

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto changed = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, changed});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> suggestion(std::string_view word,
                                      std::span<const std::string> candidates) {
    if (word.size() > word_bytes_max) return std::nullopt;
    std::optional<std::string> best;
    auto best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        if (candidate.size() > word_bytes_max) continue;
        const auto away = distance(word, candidate);
        if (away < best_distance) {
            best_distance = away;
            best = candidate;
        }
    }
    return best;
}

}  // namespace mailroom
