#include "liquid/failure.h"

#include <algorithm>

namespace mailroom::liquid {

namespace {

constexpr std::size_t text_bytes_max = 80;  // Enough to recognise the place; fits a line of a log.

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string shortened(std::string_view text) {
    if (text.size() <= text_bytes_max) return std::string(text);
    std::size_t end = text_bytes_max;
    while (end > 0 && is_continuation(text[end])) --end;
    return std::string(text.substr(0, end)) + "...";
}

}  // namespace

Failure::operator Error() const {
    std::string sentence = message;
    if (line > 0) {
        sentence += " at line " + std::to_string(line) + ", column " + std::to_string(column);
    }
    if (!partial.empty()) sentence += " of partial \"" + partial + "\"";
    if (!text.empty()) sentence += ": " + text;
    return Error{code, std::move(sentence)};
}

void locate(Failure& failure, std::string_view source, std::size_t offset, std::size_t length) {
    offset = std::min(offset, source.size());
    const auto before = source.substr(0, offset);
    const auto line_break = before.rfind('\n');
    const auto line_start = line_break == before.npos ? 0 : line_break + 1;
    failure.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
    failure.column =
        1 + static_cast<std::size_t>(std::ranges::count_if(
                before.substr(line_start), [](char c) { return !is_continuation(c); }));
    failure.text = shortened(source.substr(offset, length));
}

}  // namespace mailroom::liquid
