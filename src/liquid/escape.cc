#include "liquid/escape.h"

#include <array>

namespace mailroom::liquid {

namespace {

struct Entity {
    char character;
    std::string_view text;
};
constexpr Entity entities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&#34;"}, {'\'', "&#39;"},
};

constexpr auto is_special = [] {
    std::array<bool, 256> special{};
    for (const auto& entity : entities)
        special[static_cast<unsigned char>(entity.character)] = true;
    return special;
}();

std::string_view entity_for(char character) {
    for (const auto& entity : entities) {
        if (entity.character == character) return entity.text;
    }
    return {};
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
    std::size_t plain = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_special[static_cast<unsigned char>(text[at])]) continue;
        out.append(text, plain, at - plain);
        out += entity_for(text[at]);
        plain = at + 1;
    }
    out.append(text, plain);
}

void append_unescaped(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const auto mark = text.find('&');
        out += text.substr(0, mark);
        if (mark == text.npos) return;
        text.remove_prefix(mark);
        std::size_t bytes = 1;
        char character = '&';
        for (const auto& entity : entities) {
            if (!text.starts_with(entity.text)) continue;
            bytes = entity.text.size();
            character = entity.character;
        }
        out += character;
        text.remove_prefix(bytes);
    }
}

}  // namespace mailroom::liquid
