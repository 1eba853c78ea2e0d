#include "mime/read/boundary.h"

#include "base/text.h"

#include <algorithm>
#include <cstring>

namespace mailroom::mime {
namespace {

constexpr std::size_t guessed_boundary_bytes_max = 200;  // RFC 2046 allows 70.
constexpr std::size_t guess_bytes_max = 64 * 1024;       // A preamble is a few lines.

std::size_t before_line_break(std::string_view bytes, std::size_t line_start) {
    if (line_start > 0 && bytes[line_start - 1] == '\n') --line_start;
    if (line_start > 0 && bytes[line_start - 1] == '\r') --line_start;
    return line_start;
}

}  // namespace

BoundaryLine BoundaryStack::match(std::size_t line_start) const {
    const auto line = bytes_.substr(line_start + 2);
    for (auto level = open_.size(); level-- > 0;) {
        const auto& boundary = open_[level];
        if (!line.starts_with(boundary)) continue;
        auto end = boundary.size();
        const bool closes = line.substr(end).starts_with("--");
        if (closes) end += 2;
        // Blanks may have been added on the way.
        while (end < line.size() && (line[end] == ' ' || line[end] == '\t')) ++end;
        if (end < line.size() && line[end] == '\r') ++end;
        if (end < line.size() && line[end] != '\n') continue;
        const auto next = std::min(line_start + 2 + end + 1, bytes_.size());
        return {level, before_line_break(bytes_, line_start), next, closes};
    }
    return {BoundaryLine::none, bytes_.size(), bytes_.size(), false};
}

BoundaryLine BoundaryStack::next(std::size_t position) const {
    const auto start = position;
    while (!open_.empty() && position + 2 < bytes_.size()) {
        const void* found =
            std::memchr(bytes_.data() + position, '-', bytes_.size() - position - 1);
        if (found == nullptr) break;
        position = static_cast<std::size_t>(static_cast<const char*>(found) - bytes_.data());
        const bool at_line_start = position == start || bytes_[position - 1] == '\n';
        if (at_line_start && bytes_[position + 1] == '-') {
            auto line = match(position);
            // An empty part: its line break belongs to the line before.
            if (!line.at_end()) {
                line.content_end = std::max(line.content_end, start);
                return line;
            }
        }
        ++position;
    }
    return {BoundaryLine::none, bytes_.size(), bytes_.size(), false};
}

std::string_view BoundaryStack::guess(std::size_t position) const {
    const auto bytes =
        bytes_.substr(0, position + std::min(guess_bytes_max, bytes_.size() - position));
    while (position < bytes.size()) {
        const auto end = std::min(bytes.find('\n', position), bytes.size() - 1) + 1;
        const auto line = trim(bytes.substr(position, end - position));
        if (line.size() > 2 && bytes.substr(position).starts_with("--")) {
            if (!match(position).at_end()) break;
            if (line.size() <= guessed_boundary_bytes_max &&
                ascii_equal_ignoring_case(bytes.substr(end, 8), "content-")) {
                return line.substr(2);
            }
        }
        position = end;
    }
    return {};
}

}  // namespace mailroom::mime
