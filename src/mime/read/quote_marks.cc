#include "mime/read/quote_marks.h"

#include "base/text.h"
#include "mime/read/attribution.h"

#include <algorithm>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t mark_line_bytes_max = 300;  // Names and addresses in it included.
constexpr std::size_t block_lines_max = 8;        // An Outlook block with long address lists.

// The names of the fields that Outlook and its kin put above an earlier mail.
enum class Field { from, sent, to, subject, other, none };

struct FieldName {
    std::string_view name;
    Field field;
};
// Small letters of ASCII stand for both. The languages: English, German, French, Spanish, Italian,
// Dutch, Portuguese, Polish, Russian, Japanese, Chinese, Swedish, Danish.
// clang-format off
constexpr FieldName field_names[] = {
    {"from", Field::from}, {"von", Field::from}, {"de", Field::from}, {"da", Field::from},
    {"van", Field::from}, {"från", Field::from}, {"fra", Field::from}, {"od", Field::from},
    {"От", Field::from}, {"от", Field::from}, {"差出人", Field::from}, {"发件人", Field::from},
    {"寄件者", Field::from},
    {"sent", Field::sent}, {"date", Field::sent}, {"gesendet", Field::sent}, {"datum", Field::sent},
    {"envoyé", Field::sent}, {"enviado", Field::sent}, {"enviado el", Field::sent},
    {"enviada em", Field::sent}, {"fecha", Field::sent}, {"inviato", Field::sent},
    {"data", Field::sent}, {"verzonden", Field::sent}, {"skickat", Field::sent},
    {"sendt", Field::sent}, {"dato", Field::sent}, {"wysłano", Field::sent},
    {"Отправлено", Field::sent}, {"Дата", Field::sent}, {"送信日時", Field::sent},
    {"日時", Field::sent}, {"日付", Field::sent}, {"发送时间", Field::sent}, {"日期", Field::sent},
    {"傳送時間", Field::sent},
    {"to", Field::to}, {"an", Field::to}, {"à", Field::to}, {"À", Field::to}, {"para", Field::to},
    {"a", Field::to}, {"aan", Field::to}, {"till", Field::to}, {"til", Field::to}, {"do", Field::to},
    {"Кому", Field::to}, {"宛先", Field::to}, {"收件人", Field::to}, {"收件者", Field::to},
    {"subject", Field::subject}, {"betreff", Field::subject}, {"objet", Field::subject},
    {"asunto", Field::subject}, {"oggetto", Field::subject}, {"assunto", Field::subject},
    {"onderwerp", Field::subject}, {"ämne", Field::subject}, {"Ämne", Field::subject},
    {"emne", Field::subject}, {"temat", Field::subject}, {"Тема", Field::subject},
    {"件名", Field::subject}, {"主题", Field::subject}, {"主旨", Field::subject},
    {"cc", Field::other}, {"kopie", Field::other}, {"dw", Field::other}, {"Копия", Field::other},
    {"抄送", Field::other}, {"importance", Field::other}, {"wichtigkeit", Field::other},
    {"reply-to", Field::other}, {"antwort an", Field::other}, {"organisation", Field::other},
};
// clang-format on

constexpr std::string_view wide_colon = "：";

// Where the value of `Name: value` begins; 0 if there is no name.
std::size_t value_start(std::string_view line) {
    const auto head = line.substr(0, 40);
    const auto narrow = head.find(':'), wide = head.find(wide_colon);
    if (std::min(narrow, wide) == head.npos) return 0;
    return narrow < wide ? narrow + 1 : wide + wide_colon.size();
}

std::string_view without_stars(std::string_view text) {
    while (text.starts_with('*')) text.remove_prefix(1);
    while (text.ends_with('*')) text.remove_suffix(1);
    return text;
}

// `From: …`, `*From:* …`, `De : …`.
Field field_of(std::string_view line) {
    line = trim(line);
    const auto start = value_start(line);
    if (start == 0) return Field::none;
    const auto name = without_stars(without_colon(without_stars(line.substr(0, start))));
    for (const auto& known : field_names) {
        if (ascii_equal_ignoring_case(name, known.name)) return known.field;
    }
    return Field::none;
}

bool has_time(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 1; i + 2 < text.size(); ++i) {
        const bool is_mark = text[i] == ':' || text[i] == '.';
        if (is_mark && is_digit(text[i - 1]) && is_digit(text[i + 1]) && is_digit(text[i + 2])) {
            return true;
        }
    }
    return false;
}

// All on one line, as some programs flatten it: `From: … Sent: … To: … Subject: …`.
bool is_flat_block(std::string_view line) {
    const auto lower = ascii_lower(line.substr(0, mark_line_bytes_max));
    const auto sent = lower.find("sent:");
    if (sent == lower.npos) return false;
    const auto to = lower.find("to:", sent);
    return to != lower.npos && lower.find("subject:", to) != lower.npos;
}

// All four fields with a time or an address, or some of them with both: `From: Berlin`,
// `Date: 5 May`, `To: Paris` is a journey.
bool is_header_block(std::span<const std::string_view> lines) {
    if (field_of(lines[0]) != Field::from) return false;
    if (is_flat_block(lines[0])) return true;
    bool has_sent = false, has_to = false, has_subject = false;
    bool is_timed = false, is_addressed = lines[0].find('@') != lines[0].npos;
    for (const auto& line : lines.subspan(1, std::min(lines.size() - 1, block_lines_max))) {
        if (trim(line).empty()) break;
        const auto field = field_of(line);
        has_sent = has_sent || field == Field::sent;
        has_to = has_to || field == Field::to;
        has_subject = has_subject || field == Field::subject;
        is_timed = is_timed || (field == Field::sent && has_time(line));
        is_addressed = is_addressed || (field == Field::to && line.find('@') != line.npos);
    }
    const bool has_all = has_sent && has_to && has_subject;
    const bool has_some = has_sent && (has_to || has_subject);
    return (has_all && (is_timed || is_addressed)) || (has_some && is_timed && is_addressed);
}

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
// Apple's; without dashes, so only before a header block.
constexpr std::string_view forwarded_message[] = {
    "begin forwarded message",          "anfang der weitergeleiteten nachricht",
    "début du message transféré",       "inicio del mensaje reenviado",
    "inizio messaggio inoltrato",       "begin doorgestuurd bericht",
    "início da mensagem reencaminhada", "vidarebefordrat brev",
};

bool is_any(std::string_view words, std::span<const std::string_view> known) {
    return std::ranges::any_of(
        known, [&](std::string_view one) { return ascii_equal_ignoring_case(words, one); });
}

bool is_underscore_rule(std::string_view line) {
    line = trim(line);
    return line.size() >= 3 && line.find_first_not_of('_') == line.npos;
}

// The lines after the first one, from the first that is not empty.
std::span<const std::string_view> next_lines(std::span<const std::string_view> lines) {
    constexpr std::size_t empty_lines_max = 3;
    for (std::size_t next = 1; next < std::min(lines.size(), empty_lines_max + 2); ++next) {
        if (!trim(lines[next]).empty()) return lines.subspan(next);
    }
    return {};
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

bool begins_header_block(std::span<const std::string_view> lines) {
    if (lines.empty() || trim(lines[0]).empty()) return false;
    if (is_header_block(lines)) return true;
    if (!is_underscore_rule(lines[0]) && !is_any(without_colon(lines[0]), forwarded_message)) {
        return false;
    }
    const auto next = next_lines(lines);
    return !next.empty() && is_header_block(next);
}

bool begins_list_footer(std::span<const std::string_view> lines) {
    constexpr std::size_t rule_bytes_min = 40;  // Mailman writes 47.
    if (lines.size() < 2 || trim(lines[0]).size() < rule_bytes_min) return false;
    if (!is_underscore_rule(lines[0])) return false;
    const auto name = trim(lines[1]);
    return name.ends_with(" mailing list") || name.find(" mailing list -- ") != name.npos;
}

}  // namespace mailroom::mime
