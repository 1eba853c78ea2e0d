#include "people/permission.h"

#include <array>

namespace mailroom::people {

std::string_view word_of(std::string_view refusal) {
    for (const std::string_view word : std::array{"unsubscribed", "suppressed", "topic"}) {
        const auto rest =
            refusal.substr(0, word.size()) == word ? refusal.substr(word.size()) : "?";
        if (rest.empty() || rest.front() == ':' || rest.front() == ' ') return word;
    }
    return "address";
}

}  // namespace mailroom::people
