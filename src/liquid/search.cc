#include "liquid/search.h"

#include <string.h>

#include <string>

namespace mailroom::liquid {

// glibc's memmem is the two-way algorithm: linear, without room of its own.
std::size_t find_text(std::string_view text, std::string_view pattern, std::size_t from) {
    if (from > text.size()) return text.npos;
    const auto rest = text.substr(from);
    if (pattern.empty()) return from;
    const auto* found =
        static_cast<const char*>(memmem(rest.data(), rest.size(), pattern.data(), pattern.size()));
    return found == nullptr ? text.npos : static_cast<std::size_t>(found - text.data());
}

std::size_t find_last_text(std::string_view text, std::string_view pattern) {
    constexpr std::size_t short_bytes_max = 16;  // Then the product is small, too.
    if (pattern.size() <= short_bytes_max) return text.rfind(pattern);
    const std::string backward(text.rbegin(), text.rend());
    const std::string wanted(pattern.rbegin(), pattern.rend());
    const auto found = find_text(backward, wanted);
    return found == text.npos ? found : text.size() - found - pattern.size();
}

}  // namespace mailroom::liquid
