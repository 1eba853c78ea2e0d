#include "mjml/warnings.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::mjml {

void Warnings::add(std::size_t line, std::string_view tag, std::string message) {
    if (warnings_.size() == count_max_) {
        ++dropped_;
        return;
    }
    warnings_.push_back({line, std::string(truncate_utf8(tag, 60)), std::move(message)});
}

std::vector<Warning> Warnings::take() && {
    std::ranges::stable_sort(warnings_, {}, &Warning::line);
    if (dropped_ > 0) {
        warnings_.push_back({0, "", std::to_string(dropped_) + " more warnings are not listed"});
    }
    return std::move(warnings_);
}

std::string quoted(std::string_view text) {
    constexpr std::size_t bytes_max = 60;
    const auto begin = trim(text);
    const auto shown = truncate_utf8(begin, bytes_max);
    return '"' + std::string(shown) + (shown.size() < begin.size() ? "…\"" : "\"");
}

}  // namespace mailroom::mjml
