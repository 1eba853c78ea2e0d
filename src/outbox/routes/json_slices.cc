#include "outbox/routes/json_slices.h"

#include "base/text.h"

#include <cassert>
#include <cstddef>

namespace mailroom::outbox {

namespace {

// After the string that begins at `at`.
std::size_t after_string(std::string_view json, std::size_t at) {
    for (++at; json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
    }
    return at + 1;
}

}  // namespace

std::vector<std::string_view> child_texts(std::string_view json) {
    json = trim(json);
    assert(json.size() >= 2 && (json.front() == '[' || json.front() == '{'));
    std::vector<std::string_view> children;
    std::size_t begin = 1, depth = 0;
    const auto end_child = [&](std::size_t end) {
        const auto child = trim(json.substr(begin, end - begin));
        if (!child.empty()) children.push_back(child);
        begin = end + 1;
    };
    for (std::size_t at = 1; at < json.size();) {
        const char c = json[at];
        if (c == '"') {
            at = after_string(json, at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
            end_child(at);
        } else if (depth == 0 && c == ':') {
            begin = at + 1;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        }
        ++at;
    }
    return children;
}

}  // namespace mailroom::outbox
