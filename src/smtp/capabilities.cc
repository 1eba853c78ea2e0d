#include "smtp/capabilities.h"

#include "base/text.h"

#include <charconv>
#include <string_view>

namespace mailroom::smtp {
namespace {

std::string_view take_word(std::string_view& text) {
    text = trim(text);
    const auto word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    // RFC 1870, 4: 0 means that there is no fixed limit.
    if (error != std::errc() || end != text.data() + text.size() || size == 0) return std::nullopt;
    return size;
}

void add_mechanisms(Capabilities& capabilities, std::string_view list) {
    for (auto word = take_word(list); !word.empty(); word = take_word(list)) {
        if (ascii_equal_ignoring_case(word, "PLAIN")) capabilities.auth_plain = true;
        if (ascii_equal_ignoring_case(word, "LOGIN")) capabilities.auth_login = true;
    }
}

}  // namespace

Capabilities parse_capabilities(const Reply& reply) {
    Capabilities capabilities;
    // The first line is the server's name.
    for (std::size_t i = 1; i < reply.lines.size(); ++i) {
        std::string_view rest = reply.lines[i];
        auto keyword = take_word(rest);
        // Old servers write AUTH=PLAIN.
        if (ascii_equal_ignoring_case(keyword.substr(0, 5), "AUTH=")) {
            add_mechanisms(capabilities, keyword.substr(5));
            keyword = keyword.substr(0, 4);
        }
        const auto is = [keyword](std::string_view name) {
            return ascii_equal_ignoring_case(keyword, name);
        };
        if (is("PIPELINING")) capabilities.pipelining = true;
        if (is("8BITMIME")) capabilities.eight_bit = true;
        if (is("SMTPUTF8")) capabilities.utf8 = true;
        if (is("STARTTLS")) capabilities.start_tls = true;
        if (is("SIZE")) capabilities.size_bytes_max = parse_size(trim(rest));
        if (is("AUTH")) add_mechanisms(capabilities, rest);
    }
    return capabilities;
}

}  // namespace mailroom::smtp
