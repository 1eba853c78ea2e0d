// "Did you mean …?"
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mailroom {

// The candidate that `word` was probably meant to be: the nearest one, if it is at most a third of
// the word's letters (and at least one) away. A letter added, dropped or changed counts as one, and
// so do two neighbours swapped.
std::optional<std::string> suggestion(std::string_view word,
                                      std::span<const std::string> candidates);

}  // namespace mailroom
