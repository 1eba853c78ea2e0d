#include "mime/read/quote_marks.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t attribution_lines_max = 3;
constexpr std::size_t mark_line_bytes_max = 300;    // Names and addresses in it included.
constexpr std::size_t device_line_bytes_max = 120;  // Longer ones are sentences.
constexpr std::size_t block_lines_max = 8;          // An Outlook block with long address lists.

// How an attribution begins and what its last clause holds before the colon that ends it.
struct Attribution {
    std::string_view opener, verb;
};
constexpr Attribution attributions[] = {
    {"On ", "wrote"},      {"Am ", "schrieb"},   {"Le ", "a écrit"},  {"El ", "escribió"},
    {"Il ", "ha scritto"}, {"Op ", "schreef"},   {"Em ", "escreveu"}, {"Den ", "skrev"},
    {"W dniu", "napisał"}, {"Dnia ", "napisał"}, {"On ", "schrieb"},  {"El ", "va escriure"},
    {"Dne ", "napsal"},    {"Am ", "wrote"},
};

// `wrote:`, `a écrit :` with a plain or a no-break space, a fullwidth colon.
std::string_view without_colon(std::string_view line) {
    line = trim(line);
    if (line.ends_with(':')) {
        line.remove_suffix(1);
    } else if (line.ends_with("：")) {
        line.remove_suffix(std::string_view("：").size());
    } else {
        return {};
    }
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view space : {" ", "\t", "\u00a0", "\u202f"}) {
            if (!line.ends_with(space)) continue;
            line.remove_suffix(space.size());
            again = true;
        }
    }
    return line;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool looks_dated_or_addressed(std::string_view text) {
    return contains(text, "@") ||
           std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// German and Dutch put the name after the verb: `Am … schrieb Ann:`.
bool is_attribution(std::string_view joined) {
    const auto sentence = without_colon(joined);
    if (sentence.empty()) return false;
    for (const auto& form : attributions) {
        if (sentence.starts_with(form.opener) && contains(sentence, form.verb)) return true;
    }
    // `Ann <ann@example.com> wrote:`
    return looks_dated_or_addressed(sentence) &&
           std::ranges::any_of(attributions,
                               [&](const auto& form) { return sentence.ends_with(form.verb); });
}

// The names of the fields that Outlook and its kin put above an earlier mail.
enum class Field { from, sent, to, subject, other, none };

struct FieldName {
    std::string_view name;
    Field field;
};
constexpr FieldName field_names[] = {
    {"from", Field::from},
    {"von", Field::from},
    {"de", Field::from},
    {"da", Field::from},
    {"van", Field::from},
    {"från", Field::from},
    {"fra", Field::from},
    {"sent", Field::sent},
    {"date", Field::sent},
    {"gesendet", Field::sent},
    {"datum", Field::sent},
    {"envoyé", Field::sent},
    {"enviado", Field::sent},
    {"enviado el", Field::sent},
    {"fecha", Field::sent},
    {"inviato", Field::sent},
    {"data", Field::sent},
    {"verzonden", Field::sent},
    {"skickat", Field::sent},
    {"sendt", Field::sent},
    {"to", Field::to},
    {"an", Field::to},
    {"à", Field::to},
    {"para", Field::to},
    {"a", Field::to},
    {"aan", Field::to},
    {"till", Field::to},
    {"til", Field::to},
    {"subject", Field::subject},
    {"betreff", Field::subject},
    {"objet", Field::subject},
    {"asunto", Field::subject},
    {"oggetto", Field::subject},
    {"assunto", Field::subject},
    {"onderwerp", Field::subject},
    {"ämne", Field::subject},
    {"emne", Field::subject},
    {"cc", Field::other},
    {"kopie", Field::other},
    {"importance", Field::other},
    {"wichtigkeit", Field::other},
    {"reply-to", Field::other},
};

// `From: …`, `*From:* …`, `De : …`.
Field field_of(std::string_view line) {
    line = trim(line);
    while (line.starts_with('*')) line.remove_prefix(1);
    const auto colon = line.substr(0, 24).find(':');
    if (colon == line.npos || colon == 0) return Field::none;
    auto name = without_colon(line.substr(0, colon + 1));
    while (name.ends_with('*')) name.remove_suffix(1);
    for (const auto& known : field_names) {
        if (ascii_equal_ignoring_case(name, known.name)) return known.field;
    }
    return Field::none;
}

bool is_header_block(std::span<const std::string_view> lines) {
    if (field_of(lines[0]) != Field::from) return false;
    const auto lower = ascii_lower(lines[0].substr(0, mark_line_bytes_max));
    const auto sent = lower.find("sent:");
    if (sent != lower.npos) {
        const auto to = lower.find("to:", sent);
        if (to != lower.npos && lower.find("subject:", to) != lower.npos) return true;
    }
    bool has_sent = false, has_to = false, has_subject = false;
    for (const auto& line : lines.subspan(1, std::min(lines.size() - 1, block_lines_max))) {
        if (trim(line).empty()) break;
        const auto field = field_of(line);
        has_sent = has_sent || field == Field::sent;
        has_to = has_to || field == Field::to;
        has_subject = has_subject || field == Field::subject;
    }
    return has_sent && (has_to || has_subject);
}

constexpr std::string_view original_message[] = {
    "original message",  "ursprüngliche nachricht", "originalnachricht",   "message d'origine",
    "message d’origine", "mensaje original",        "messaggio originale", "oorspronkelijk bericht",
    "mensagem original", "original appointment",    "original-nachricht",
};

// `-----Original Message-----`, with at least three dashes on both sides.
bool is_original_message(std::string_view line) {
    line = trim(line);
    const auto first = line.find_first_not_of('-');
    const auto last = line.find_last_not_of('-');
    if (first == line.npos || first < 3 || line.size() - 1 - last < 3) return false;
    const auto words = trim(line.substr(first, last + 1 - first));
    return std::ranges::any_of(original_message, [&](std::string_view known) {
        return ascii_equal_ignoring_case(words, known);
    });
}

bool is_underscore_rule(std::string_view line) {
    line = trim(line);
    return line.size() >= 3 && line.find_first_not_of('_') == line.npos;
}

}  // namespace

bool is_quoted_line(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first != line.npos && line[first] == '>';
}

std::size_t attribution_lines(std::span<const std::string_view> lines) {
    const auto count = std::min(lines.size(), attribution_lines_max);
    for (std::size_t last = 0; last < count; ++last) {
        const auto line = trim(lines[last]);
        if (line.empty() || line.size() > mark_line_bytes_max || is_quoted_line(line)) return 0;
        if (without_colon(line).empty()) continue;
        std::string joined(trim(lines[0]));
        for (std::size_t i = 1; i <= last; ++i) joined.append(" ").append(trim(lines[i]));
        if (is_attribution(joined)) return last + 1;
    }
    return 0;
}

bool begins_quoted_tail(std::span<const std::string_view> lines) {
    if (lines.empty() || lines[0].empty()) return false;
    return is_original_message(lines[0]) || is_underscore_rule(lines[0]) || is_header_block(lines);
}

bool is_device_signature(std::string_view line) {
    line = trim(line);
    return line.size() <= device_line_bytes_max &&
           (line.starts_with("Sent from ") || line.starts_with("Get Outlook ") ||
            line.starts_with("Von meinem iPhone gesendet") || line.starts_with("Gesendet von ") ||
            line.starts_with("Envoyé de mon ") || line.starts_with("Enviado desde mi ") ||
            line.starts_with("Inviato da "));
}

}  // namespace mailroom::mime
