#include "smtp/data_text.h"

#include <cstdint>
#include <cstring>

namespace mailroom::smtp {
namespace {

std::size_t find(std::string_view text, char c, std::size_t from) {
    if (from >= text.size()) return text.npos;
    const auto* at = std::memchr(text.data() + from, c, text.size() - from);
    return at == nullptr ? text.npos
                         : static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
}

// Where the first line starts that cannot go as it is; the size of `text` if there is none.
std::size_t first_line_to_change(std::string_view text) {
    for (std::size_t line = 0; line < text.size();) {
        if (text[line] == '.') return line;
        const auto line_feed = find(text, '\n', line);
        const auto carriage_return = find(text, '\r', line);
        if (line_feed == text.npos) return carriage_return == text.npos ? text.size() : line;
        if (carriage_return == text.npos || carriage_return + 1 != line_feed) return line;
        line = line_feed + 1;
    }
    return text.size();
}

bool find_8bit(std::string_view text) {
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    std::uint64_t seen = 0;
    std::size_t i = 0;
    for (; i + sizeof seen <= text.size(); i += sizeof seen) {
        std::uint64_t word;
        std::memcpy(&word, text.data() + i, sizeof word);
        seen |= word;
    }
    if ((seen & high_bits) != 0) return true;
    for (; i < text.size(); ++i) {
        if (static_cast<unsigned char>(text[i]) >= 0x80) return true;
    }
    return false;
}

}  // namespace

DataText::DataText(std::string_view message) : message_(message), has_8bit_(find_8bit(message)) {
    auto from = first_line_to_change(message);
    changed_ = from < message.size();
    if (changed_) {
        copy_.reserve(message.size() + message.size() / 16);
        copy_ = message.substr(0, from);
        while (from < message.size()) {
            if (message[from] == '.') {
                copy_ += '.';
                ++dots_;
            }
            auto end = message.find_first_of("\r\n", from);
            copy_ += message.substr(from, end - from);
            if (end == message.npos) break;
            copy_ += "\r\n";
            from = end + (message.substr(end).starts_with("\r\n") ? 2 : 1);
        }
    }
    ends_line_ = body().empty() || body().ends_with("\r\n");
}

}  // namespace mailroom::smtp
