#include "mime/read/attribution.h"

#include "base/text.h"
#include "mime/read/attribution_words.h"
#include "mime/read/letters.h"
#include "mime/read/quote_marks.h"

#include <algorithm>
#include <optional>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t attribution_lines_max = 3;
constexpr std::size_t attribution_line_bytes_max = 300;
constexpr std::size_t name_words_max = 8;
constexpr std::size_t name_words_without_time_max = 4;
constexpr std::size_t plain_words_max = 4;  // Of a name in lower case, where all else is certain.

constexpr std::string_view openers[] = {
    "On ",     "Am ",  "Le ",     "El ",   "Il giorno ", "Il ", "Op ",         "Em ",
    "No dia ", "Den ", "W dniu ", "Dnia ", "Dne ",       "Pe ", "În data de ", "Στις ",
};
// Apple's, in Polish: name and date follow.
constexpr std::string_view written_by = "Wiadomość napisana przez ";

struct Verb {
    std::string_view text;
    bool more_may_follow;     // `Am … schrieb Ann:`, `Ann schrieb am …:`
    bool date_may_begin;      // Without an opener: `pon., 5 sty 2026 o 10:00 Ann … napisał(a):`
    bool needs_space = true;  // Around it.
};
constexpr Verb verbs[] = {
    {"wrote", true, false},
    {"schrieb", true, false},
    {"a écrit", false, false},
    {"escribió", false, false},
    {"ha scritto", false, false},
    {"schreef", true, false},
    {"het volgende geschreven", false, false},
    {"escreveu", false, false},
    {"skrev", true, true},
    {"napisał(a)", false, true},
    {"napisał", false, true},
    {"napisała", false, true},
    {"pisze", false, true},
    {"написал(а)", false, true},
    {"написал", false, true},
    {"написала", false, true},
    {"пишет", false, true},
    {"napsal(a)", false, true},
    {"napsal", false, true},
    {"va escriure", false, false},
    {"kirjoitti", false, true},
    {"tarihinde şunu yazdı", false, false},
    {"şunu yazdı", true, false},
    {"şunları yazdı", true, false},
    {"ezt írta", true, false},
    {"a scris", false, false},
    {"пише", false, true},
    {"написав", false, true},
    {"έγραψε", false, false},
    {"님이 작성", false, true, false},
    {"님이 작성한 메일", false, true, false},
    {"写道", false, true, false},
    {"寫道", false, true, false},
    {"のメール", false, true, false},
};

struct Sentence {
    AttributionWords words;
    bool has_opener = false;
    const Verb* verb = nullptr;
    bool has_date_at_end = false;  // After the verb.
};

// Where a verb stands, if it does so as a word, at the end or before a name or a date.
std::optional<std::size_t> find_verb(std::string_view sentence, const Verb& verb) {
    const auto at = sentence.rfind(verb.text);
    if (at == sentence.npos) return std::nullopt;
    const auto after = sentence.substr(at + verb.text.size());
    if (!after.empty() && (!verb.more_may_follow || blank_length(after) == 0)) return std::nullopt;
    const bool is_apart = at == 0 || without_blanks(sentence.substr(0, at)).size() < at ||
                          sentence[at - 1] == '>' || sentence[at - 1] == ',';
    if (verb.needs_space && !is_apart) return std::nullopt;
    return at;
}

// None if a verb stands in the middle of it and neither a name nor a date comes after.
std::optional<Sentence> read_sentence(std::string_view text) {
    Sentence sentence;
    text = without_blanks(text);
    if (text.starts_with(written_by)) {
        sentence.has_opener = true;
        sentence.verb = &verbs[0];
        sentence.words.read(text.substr(written_by.size()));
        return sentence;
    }
    for (const auto opener : openers) {
        if (!text.starts_with(opener)) continue;
        sentence.has_opener = true;
        text.remove_prefix(opener.size());
        break;
    }
    for (const auto& verb : verbs) {
        const auto at = find_verb(text, verb);
        if (!at) continue;
        AttributionWords after;
        after.read(text.substr(*at + verb.text.size()));
        if (!after.has_only_names() && (after.plain() > 0 || after.names_somebody())) {
            return std::nullopt;
        }
        sentence.has_date_at_end = after.has_date() && after.has_time();
        sentence.verb = &verb;
        sentence.words.read(text.substr(0, *at));
        sentence.words.read(text.substr(*at + verb.text.size()));
        return sentence;
    }
    sentence.words.read(text);
    return sentence;
}

std::string joined(std::span<const std::string_view> lines) {
    std::string text(trim(lines[0]));
    for (const auto line : lines.subspan(1)) text.append(" ").append(trim(line));
    return text;
}

// Without what ends an attribution; empty when nothing does. That is a colon, or, around the whole,
// Zoho's dashes: `---- On … wrote ----`.
std::string_view without_end(std::string_view text) {
    constexpr std::string_view begin = "---- ", end = " ---";
    if (!text.starts_with(begin)) return without_colon(text);
    text.remove_prefix(begin.size());
    if (text.ends_with(" ----")) text.remove_suffix(1);
    if (!text.ends_with(end)) return {};
    text.remove_suffix(end.size());
    return text;
}

bool is_with_opener(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (!sentence.has_opener || sentence.verb == nullptr || !words.names_somebody()) return false;
    const bool is_polish = words.begins_with_name() && words.has_address() && words.has_date();
    if (is_polish) return words.plain_before_address() == 0;
    if (!words.begins_with_date() || words.has_number_after_name()) return false;
    if (words.has_time()) {
        const bool is_certain = words.has_date() && words.has_address();
        return words.plain_before_address() <= (is_certain ? plain_words_max : 0);
    }
    return words.plain_before_address() == 0 && !words.has_comma_in_name() &&
           words.names() <= name_words_without_time_max;
}

bool is_date_first(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (sentence.has_opener || !words.begins_with_date()) return false;
    if (words.plain_before_address() > 0 || words.has_number_after_name()) return false;
    if (!words.has_date() || !words.has_time() || !words.names_somebody()) return false;
    if (sentence.verb == nullptr) return words.ends_with_address();
    return sentence.verb->date_may_begin;
}

bool is_name_first(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (sentence.has_opener || sentence.verb == nullptr || !words.begins_with_name()) return false;
    if (words.plain_before_address() > 0 || words.has_comma_in_name()) return false;
    if (!words.has_address()) return sentence.has_date_at_end;
    if (words.has_date() && words.has_time()) return !words.has_date_before_address();
    return sentence.verb->needs_space && !words.has_date_before_address() &&
           words.names() <= name_words_without_time_max;
}

// Is it an attribution of any form, wherever its lines break?
bool is_attribution(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (words.names() > name_words_max || words.plain() > 0 || words.has_pronoun()) return false;
    if (words.may_have_pronoun() && !(words.has_time() && words.has_address())) return false;
    return is_with_opener(sentence) || is_date_first(sentence) || is_name_first(sentence);
}

// What stands in the lines before a break, and what after it.
struct Break {
    std::span<const std::string_view> before, after;
};

// Nothing but a date, or with a verb and no name: what a program puts on a line of its own.
bool has_date_only(const AttributionWords& words) {
    return !words.names_somebody() && words.plain() == 0;
}

// The first word of the next line would not have fitted.
bool is_full(const Break& at) {
    constexpr std::size_t line_characters_min = 60;  // No program breaks lines that are shorter.
    const auto next = trim(at.after[0]);
    return count_characters(trim(at.before.back())) + 1 +
               count_characters(next.substr(0, next.find(' '))) >
           line_characters_min;
}

// Do programs break an attribution there, or does a person's line stand above one?
bool is_break_of_program(const Break& at) {
    const auto before = read_sentence(joined(at.before));
    const auto after = read_sentence(without_colon(joined(at.after)));
    if (!before) return false;
    const bool is_date = has_date_only(before->words) && before->verb == nullptr;
    const bool has_time = before->words.has_time();
    const bool begins_with_address = trim(at.after[0]).starts_with('<');
    if (after && is_attribution(*after)) {
        // Two dates make two attributions.
        if (after->words.has_date() && before->words.has_date()) return false;
        return (has_time && (is_date || begins_with_address)) || is_full(at);
    }
    // A date without a time may be a person's, unless the time comes next.
    const bool begins_with_date = after && after->words.begins_with_date();
    if (is_date && (has_time || begins_with_date)) return true;
    if (is_full(at) || begins_with_address) return true;
    constexpr std::size_t characters_before_end_min = 40;
    return after && has_date_only(after->words) &&
           count_characters(trim(at.before.back())) >= characters_before_end_min;
}

bool breaks_as_programs_do(std::span<const std::string_view> lines) {
    for (std::size_t from = 1; from < lines.size(); ++from) {
        if (!is_break_of_program({lines.first(from), lines.subspan(from)})) return false;
    }
    return true;
}

// An attribution is broken because of its date: `Ann <ann@example.com>`, `wrote:` is none.
std::optional<AttributionMark> mark_of(std::span<const std::string_view> lines) {
    const auto sentence = read_sentence(without_end(joined(lines)));
    if (!sentence || !is_attribution(*sentence)) return std::nullopt;
    const auto& words = sentence->words;
    const bool is_dated = words.has_date() || words.begins_with_date();
    if (lines.size() > 1 && (!is_dated || !breaks_as_programs_do(lines))) return std::nullopt;
    return AttributionMark{
        lines.size(), words.has_date(),
        sentence->has_opener && words.has_second_and_zone() && words.has_address()};
}

}  // namespace

std::string_view without_colon(std::string_view line) {
    line = without_blanks(trim(line));
    constexpr std::string_view wide_colon = "：";
    if (line.ends_with(':')) {
        line.remove_suffix(1);
    } else if (line.ends_with(wide_colon)) {
        line.remove_suffix(wide_colon.size());
    } else {
        return {};
    }
    return without_blanks(line);
}

AttributionMark attribution_at(std::span<const std::string_view> lines) {
    const auto count = std::min(lines.size(), attribution_lines_max);
    for (std::size_t last = 0; last < count; ++last) {
        const auto line = trim(lines[last]);
        if (line.empty() || line.size() > attribution_line_bytes_max || is_quoted_line(line)) break;
        if (!line.ends_with("---") && without_colon(line).empty() && line != ":") continue;
        const auto candidate = lines.first(last + 1);
        if (const auto mark = mark_of(candidate)) return *mark;
    }
    return {};
}

}  // namespace mailroom::mime
