#include "people/canonical.h"

#include "base/text.h"
#include "mime/address.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace mailroom::people {

namespace {

constexpr std::size_t local_bytes_max = 64, label_bytes_max = 63, domain_bytes_max = 253;

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_letter(char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words of letters and digits, with single dots, hyphens and so on between them only.
bool is_plain_local(std::string_view local) {
    char before = '.';
    for (const char c : local) {
        const bool is_between = c == '.' || c == '-' || c == '_' || c == '+';
        if (!is_letter(c) && !is_digit(c) && (!is_between || c == before)) return false;
        before = c;
    }
    return before != '.' && local.size() <= local_bytes_max;
}

// Without anything that stands for something else, as labels with two hyphens do.
bool is_plain_domain(std::string_view domain) {
    std::size_t label_begin = 0, labels = 1;
    char before = '.';
    for (std::size_t i = 0; i < domain.size(); ++i) {
        const char c = domain[i];
        const bool is_between = c == '.' || c == '-';
        const bool after_between = before == '.' || before == '-';
        if (!is_letter(c) && !is_digit(c) && (!is_between || after_between)) return false;
        if (c == '.' && i - label_begin > label_bytes_max) return false;
        if (c == '.') label_begin = i + 1, ++labels;
        before = c;
    }
    const auto last = domain.substr(label_begin);
    return labels > 1 && !last.empty() && last.size() <= label_bytes_max &&
           std::ranges::all_of(last, is_letter) && domain.size() <= domain_bytes_max;
}

// Most addresses: their canonical form is the same in lower case.
std::optional<std::string> plain(std::string_view address) {
    const auto at = address.find('@');
    if (at == address.npos || at == 0) return std::nullopt;
    if (!is_plain_local(address.substr(0, at)) || !is_plain_domain(address.substr(at + 1))) {
        return std::nullopt;
    }
    std::string canonical(address);
    std::ranges::transform(canonical, canonical.begin(), lowered);
    return canonical;
}

}  // namespace

Result<std::string> canonical_of(std::string_view address) {
    if (auto same = plain(address)) return *std::move(same);
    const auto mailbox = TRY(mime::parse_address(trim(address)));
    return mime::canonical(mailbox);
}

}  // namespace mailroom::people
