#include "mime/read/quote_marks.h"

#include "base/text.h"

#include <algorithm>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::string_view original_message[] = {
    "original message",
    "ursprüngliche nachricht",
    "originalnachricht",
    "message d'origine",
    "message d’origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "mensagem original",
    "original appointment",
    "original-nachricht",
    "ursprungligt meddelande",
    "oprindelig meddelelse",
    "wiadomość oryginalna",
    "forwarded message",
    "weitergeleitete nachricht",
    "message transféré",
    "mensaje reenviado",
    "messaggio inoltrato",
    "doorgestuurd bericht",
    "mensagem encaminhada",
    "vidarebefordrat meddelande",
    "videresendt meddelelse",
    "original email",
    "forwarded by",
};
bool is_any(std::string_view words, std::span<const std::string_view> known) {
    return std::ranges::any_of(
        known, [&](std::string_view one) { return ascii_equal_ignoring_case(words, one); });
}

bool is_underscore_rule(std::string_view line) {
    line = trim(line);
    return line.size() >= 3 && line.find_first_not_of('_') == line.npos;
}

// `users@lists.example.org`, `https://lists.example.org/users`, and nothing else.
bool is_address_or_link(std::string_view text) {
    if (text.find_first_of(" \t") != text.npos) return false;
    return text.find('@') != text.npos || text.find("://") != text.npos;
}

}  // namespace

bool is_quoted_line(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first != line.npos && line[first] == '>';
}

bool is_doubtful_quoted_line(std::string_view line) {
    line = trim(line);
    return line.size() > 1 && line[0] == '>' && line[1] != ' ' && line[1] != '\t' && line[1] != '>';
}

bool is_original_message_line(std::string_view line) {
    line = trim(line);
    const auto first = line.find_first_not_of('-');
    const auto last = line.find_last_not_of('-');
    // At least three dashes on both sides.
    if (first == line.npos || first < 3 || line.size() - 1 - last < 3) return false;
    return is_any(trim(line.substr(first, last + 1 - first)), original_message);
}

std::size_t list_footer_lines(std::span<const std::string_view> lines) {
    constexpr std::size_t rule_bytes_min = 40;  // Mailman writes 47.
    if (lines.size() < 2 || trim(lines[0]).size() < rule_bytes_min) return 0;
    if (!is_underscore_rule(lines[0])) return 0;
    const auto name = trim(lines[1]);
    const auto mark = name.find(" mailing list -- ");
    const bool has_address = mark != name.npos && is_address_or_link(name.substr(mark + 17));
    const bool is_above_address =
        name.ends_with(" mailing list") && lines.size() > 2 && is_address_or_link(trim(lines[2]));
    if (!has_address && !is_above_address) return 0;
    std::size_t count = 2;
    while (count < lines.size() && !trim(lines[count]).empty()) ++count;
    return count;
}

}  // namespace mailroom::mime
