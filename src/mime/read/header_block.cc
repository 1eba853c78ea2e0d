#include "mime/read/header_block.h"

#include "base/text.h"
#include "mime/read/attribution.h"
#include "mime/read/attribution_words.h"
#include "mime/read/letters.h"

#include <algorithm>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t field_lines_max = 12;  // A block with long address lists.
constexpr std::size_t name_bytes_max = 40;
constexpr std::size_t flat_block_bytes_max = 300;

// `sent` is a word for sending, `date` one that any list may have.
enum class Field { from, sent, date, to, subject, other, none };

// The names of the fields in small letters: of English, German, French, Spanish, Italian, Dutch,
// Portuguese, Polish, Russian, Japanese, Chinese, Swedish, Danish, Norwegian, Finnish, Czech,
// Turkish, Hungarian, Romanian, Korean, Ukrainian and Greek.
constexpr std::string_view from_names[] = {
    "from",   "von",   "de",        "da",     "van",    "från",      "fra",
    "od",     "от",    "差出人",    "发件人", "寄件者", "lähettäjä", "kimden",
    "feladó", "de la", "보낸 사람", "від",    "από",
};
constexpr std::string_view sent_names[] = {
    "sent",     "gesendet",  "envoyé",    "enviado",   "enviado el", "enviada em",
    "inviato",  "verzonden", "skickat",   "sendt",     "wysłano",    "отправлено",
    "送信日時", "发送时间",  "傳送時間",  "lähetetty", "odesláno",   "gönderildi",
    "elküldve", "trimis",    "보낸 날짜", "надіслано", "στάλθηκε",
};
constexpr std::string_view date_names[] = {
    "date", "datum", "fecha", "data", "dato",       "дата",       "日時",    "日付",
    "日期", "tarih", "dátum", "날짜", "ημερομηνία", "päivämäärä", "päiväys",
};
constexpr std::string_view to_names[] = {
    "to",   "an",   "à",       "para",  "a",      "aan",       "till",
    "til",  "do",   "кому",    "宛先",  "收件人", "收件者",    "vastaanottaja",
    "komu", "kime", "címzett", "către", "catre",  "받는 사람", "προς",
};
constexpr std::string_view subject_names[] = {
    "subject", "betreff", "objet", "asunto", "oggetto", "assunto", "onderwerp",
    "ämne",    "emne",    "temat", "тема",   "件名",    "主题",    "主旨",
    "aihe",    "předmět", "konu",  "tárgy",  "subiect", "제목",    "θέμα",
};
constexpr std::string_view other_names[] = {
    "cc",         "bcc",           "kopie",    "dw",         "копия",        "抄送",
    "importance", "wichtigkeit",   "reply-to", "antwort an", "organisation", "kopio",
    "bilgi",      "másolatot kap", "참조",     "копія",      "κοιν",
};

struct FieldNames {
    std::span<const std::string_view> names;
    Field field;
};
constexpr FieldNames all_names[] = {
    {from_names, Field::from}, {sent_names, Field::sent},       {date_names, Field::date},
    {to_names, Field::to},     {subject_names, Field::subject}, {other_names, Field::other},
};

// Apple's line above a mail that is sent on.
constexpr std::string_view forwarded_message[] = {
    "begin forwarded message",          "anfang der weitergeleiteten nachricht",
    "début du message transféré",       "inicio del mensaje reenviado",
    "inizio messaggio inoltrato",       "begin doorgestuurd bericht",
    "início da mensagem reencaminhada", "vidarebefordrat brev",
};

bool is_any(std::string_view word, std::span<const std::string_view> known) {
    return std::ranges::find(known, word) != known.end();
}

// Where the value of `Name: value` begins; 0 if there is no name.
std::size_t value_start(std::string_view line) {
    constexpr std::string_view wide_colon = "：";
    const auto head = line.substr(0, name_bytes_max);
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
    if (begins_with_small_letter(name)) return Field::none;
    const auto small = lower_letters(name);
    for (const auto& [names, field] : all_names) {
        if (is_any(small, names)) return field;
    }
    return Field::none;
}

bool has_address(std::string_view text) { return text.find('@') != text.npos; }

// A long list of recipients goes on in the next line.
bool continues(std::string_view line, std::string_view above) {
    above = trim(above);
    return !trim(line).empty() && (above.ends_with(';') || above.ends_with(',')) &&
           has_address(line);
}

// `10:00`, or `10.00` after a date: `5.50 EUR` is none.
bool has_time_of_day(std::string_view value) {
    AttributionWords words;
    words.read(value);
    return words.has_time() && (value.find(':') != value.npos || words.has_date());
}

// As it stands in the header of a mail, which a person copied: `Mon, 5 Jan 2026 10:00:00 +0100`.
bool is_raw_date(std::string_view value) {
    value = trim(value);
    constexpr std::size_t zone_bytes = 5;
    if (value.size() < zone_bytes) return false;
    const auto zone = value.substr(value.size() - zone_bytes);
    return (zone[0] == '+' || zone[0] == '-') &&
           zone.find_first_not_of("0123456789", 1) == zone.npos;
}

// What the fields of a block say.
struct Evidence {
    bool has_from = false, has_sent = false, has_date = false, has_to = false;
    bool has_subject = false, has_time = false, has_address = false, has_raw_date = false;

    void add(Field field, std::string_view value) {
        has_from = has_from || field == Field::from;
        has_sent = has_sent || field == Field::sent;
        has_date = has_date || field == Field::date;
        has_to = has_to || field == Field::to;
        has_subject = has_subject || field == Field::subject;
        if (field == Field::from || field == Field::to) {
            has_address = has_address || mime::has_address(value);
        }
        if (field == Field::sent || field == Field::date) {
            has_time = has_time || has_time_of_day(value);
            has_raw_date = has_raw_date || is_raw_date(value);
        }
    }

    bool suffices(bool empty_line_follows) const {
        if (!has_from || !has_time) return false;
        if (has_address) return has_to || has_subject;
        return has_sent && has_to && has_subject && empty_line_follows;
    }
};

// All on one line, as some programs flatten it: `From: … Sent: … To: … Subject: …`.
bool is_flat_block(std::string_view line) {
    line = line.substr(0, flat_block_bytes_max);
    const auto sent = line.find(" Sent: "), to = line.find(" To: "), end = line.find(" Subject: ");
    if (end == line.npos || to == line.npos || to > end || sent > to) return false;
    return has_time_of_day(line.substr(sent, to - sent)) || has_address(line.substr(0, end));
}

// `is_marked`: a line above says that an earlier mail follows.
std::size_t block_lines(std::span<const std::string_view> lines, bool is_marked) {
    const auto first = field_of(lines[0]);
    if (first == Field::from && is_flat_block(lines[0])) return 1;
    // GMX and WEB.DE begin with `Gesendet:`.
    const bool begins = first == Field::from || (first == Field::sent && lines.size() > 1 &&
                                                 field_of(lines[1]) == Field::from);
    if (!begins && !is_marked) return 0;
    const auto count = leading_fields(lines);
    Evidence evidence;
    for (const auto line : lines.first(count)) {
        evidence.add(field_of(line), line.substr(value_start(line)));
    }
    if (evidence.has_raw_date && !is_marked) return 0;
    const bool empty_line_follows = count == lines.size() || trim(lines[count]).empty();
    return evidence.suffices(empty_line_follows) ? count : 0;
}

bool is_rule(std::string_view line) {
    constexpr std::size_t rule_bytes_min = 3;
    line = trim(line);
    return line.size() >= rule_bytes_min && (line[0] == '_' || line[0] == '-') &&
           line.find_first_not_of(line[0]) == line.npos;
}

}  // namespace

std::size_t leading_fields(std::span<const std::string_view> lines) {
    std::size_t count = 0;
    while (count < std::min(lines.size(), field_lines_max) &&
           (field_of(lines[count]) != Field::none ||
            (count > 0 && continues(lines[count], lines[count - 1])))) {
        ++count;
    }
    return count;
}

std::size_t header_block_lines(std::span<const std::string_view> lines, std::string_view above) {
    if (lines.empty() || trim(lines[0]).empty()) return 0;
    const bool is_forward = is_any(lower_letters(without_colon(lines[0])), forwarded_message);
    if (!is_forward && !is_rule(lines[0])) {
        return without_colon(above).empty() ? block_lines(lines, false) : 0;
    }
    constexpr std::size_t empty_lines_max = 3;
    std::size_t begin = 1;
    while (begin < std::min(lines.size(), empty_lines_max + 1) && trim(lines[begin]).empty()) {
        ++begin;
    }
    const auto rest = lines.subspan(begin);
    const auto count = rest.empty() ? 0 : block_lines(rest, is_forward);
    return count == 0 ? 0 : begin + count;
}

}  // namespace mailroom::mime
