#include "engagement/pages/form.h"

#include "base/hex.h"

#include <algorithm>
#include <string>

namespace mailroom::engagement {

namespace {

constexpr std::size_t pairs_max = 1000;

std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = text[i] == '%' ? hex_decode(text.substr(i + 1, 2)) : std::nullopt;
        if (byte && byte->size() == 1) {
            out += *byte;
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

}  // namespace

program::Pairs read_form(std::string_view body) {
    program::Pairs form;
    while (!body.empty() && form.size() < pairs_max) {
        const auto pair = body.substr(0, body.find('&'));
        body.remove_prefix(std::min(pair.size() + 1, body.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        if (pair.empty()) continue;
        form.emplace_back(decoded(pair.substr(0, equals)),
                          decoded(pair.substr(std::min(equals + 1, pair.size()))));
    }
    return form;
}

std::optional<std::string_view> find_in(const program::Pairs& form, std::string_view name) {
    for (const auto& [key, value] : form) {
        if (key == name) return value;
    }
    return std::nullopt;
}

}  // namespace mailroom::engagement
