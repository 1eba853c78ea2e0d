#include "mime/read/attribution.h"

#include "base/text.h"
#include "mime/read/calendar_words.h"
#include "mime/read/quote_marks.h"

#include <algorithm>
#include <optional>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t attribution_lines_max = 3;
constexpr std::size_t attribution_line_bytes_max = 300;
constexpr std::size_t name_words_max = 8;
constexpr std::size_t plain_words_max = 4;  // Of a name in lower case, where all else is certain.

constexpr std::string_view openers[] = {
    "On ", "Am ",     "Le ",  "El ",     "Il giorno ", "Il ",  "Op ",
    "Em ", "No dia ", "Den ", "W dniu ", "Dnia ",      "Dne ",
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
    {"写道", false, true, false},
    {"寫道", false, true, false},
    {"のメール", false, true, false},
};

constexpr std::string_view blanks[] = {" ", "\t", "\u00a0", "\u202f", "\u3000", "、", "，"};
// Parts of names that are written small.
constexpr std::string_view particles[] = {"von", "van", "der", "den", "de",  "da",  "di", "la",
                                          "le",  "du",  "dos", "bin", "via", "and", "&",  "|",
                                          "/",   "-",   "ter", "ten", "zu",  "del", "al"};
constexpr std::string_view pronouns[] = {"i", "he", "she", "we", "you", "they", "ich", "je", "ik"};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t blank_length(std::string_view text) {
    for (const auto blank : blanks) {
        if (text.starts_with(blank)) return blank.size();
    }
    return 0;
}

std::string_view without_blanks(std::string_view text) {
    while (const auto length = blank_length(text)) text.remove_prefix(length);
    for (bool again = true; again;) {
        again = false;
        for (const auto blank : blanks) {
            if (!text.ends_with(blank)) continue;
            text.remove_suffix(blank.size());
            again = true;
        }
    }
    return text;
}

// What the words of a sentence are.
class Words {
public:
    void read(std::string_view text) {
        for (text = without_blanks(text); !text.empty(); text = without_blanks(text)) {
            const auto word = text.substr(0, word_length(text));
            add(word);
            text.remove_prefix(word.size());
        }
    }

    bool begins_with_date() const { return first_ == Kind::date; }
    bool begins_with_name() const { return first_ == Kind::name || first_ == Kind::address; }
    bool ends_with_address() const { return last_ == Kind::address; }
    bool names_somebody() const { return names_ > 0 || has_address_; }
    bool has_address() const { return has_address_; }
    bool has_date() const { return has_numeric_date_ || (has_month_ && has_number_); }
    bool has_date_before_address() const { return has_date_before_address_; }
    bool has_time() const { return has_time_; }
    bool has_second_and_zone() const { return has_second_ && has_zone_; }
    bool has_only_names() const { return has_only_names_; }
    // How many are neither date nor name nor address.
    std::size_t plain() const { return plain_; }
    std::size_t names() const { return names_; }

private:
    enum class Kind { none, date, name, address, plain };

    static std::size_t word_length(std::string_view text) {
        for (const auto& [open, close] : {std::pair{'<', '>'}, std::pair{'"', '"'}}) {
            if (text[0] != open) continue;
            const auto end = text.find(close, 1);
            if (end != text.npos) return end + 1;
        }
        std::size_t length = 1;
        while (length < text.size() && text[length] != '<' && text[length] != '"' &&
               blank_length(text.substr(length)) == 0) {
            ++length;
        }
        return length;
    }

    void add(std::string_view word) {
        const auto kind = kind_of(word);
        if (kind == Kind::none) return;  // Punctuation.
        if (first_ == Kind::none) first_ = kind;
        last_ = kind;
        names_ += kind == Kind::name;
        plain_ += kind == Kind::plain;
        has_only_names_ = has_only_names_ && (kind == Kind::name || kind == Kind::address);
        if (kind == Kind::date && !has_address_) has_date_before_address_ = true;
        has_address_ = has_address_ || kind == Kind::address;
    }

    Kind kind_of(std::string_view word) {
        if (contains(word, "@")) return Kind::address;
        const bool is_in_quotes = word.starts_with('"');
        const auto end = word.find_last_not_of(".,;()[]\"'");
        if (end == word.npos) return Kind::none;
        const auto begin = word.find_first_not_of("([\"'");
        const auto bare = ascii_lower(word.substr(begin, end + 1 - begin));
        if (is_in_quotes) return Kind::name;
        if (std::ranges::any_of(bare, is_digit)) {
            note_number(bare);
            return Kind::date;
        }
        const auto calendar = calendar_word(bare);
        has_month_ = has_month_ || calendar == CalendarWord::month;
        if (calendar == CalendarWord::link && bare.size() >= 3 && bare.ends_with('t')) {
            has_zone_ = true;  // GMT, CET, EST …
        }
        has_zone_ = has_zone_ || bare == "utc";
        if (calendar != CalendarWord::none) return Kind::date;
        return is_name(word, bare) ? Kind::name : Kind::plain;
    }

    void note_number(std::string_view word) {
        has_number_ = true;
        has_numeric_date_ =
            has_numeric_date_ || contains(word, "年") || count_between(word, "./-") > 1;
        const auto colons = count_between(word, ":");
        has_time_ = has_time_ || colons > 0;
        has_second_ = has_second_ || colons > 1;
        has_zone_ = has_zone_ || word.starts_with('+') || word.starts_with('-') ||
                    word.starts_with("gmt") || word.starts_with("utc");
    }

    // How many of `marks` stand between two digits.
    static std::size_t count_between(std::string_view word, std::string_view marks) {
        std::size_t count = 0;
        for (std::size_t i = 1; i + 1 < word.size(); ++i) {
            count += is_digit(word[i - 1]) && is_digit(word[i + 1]) &&
                     contains(marks, word.substr(i, 1));
        }
        return count;
    }

    static bool is_name(std::string_view word, std::string_view bare) {
        constexpr std::size_t abbreviation_bytes_max = 5;  // `Ltd.`, `Prof.`
        const bool ends_sentence = word.ends_with('!') || word.ends_with('?') ||
                                   (word.ends_with('.') && word.size() > abbreviation_bytes_max);
        if (ends_sentence || std::ranges::find(pronouns, bare) != std::end(pronouns)) return false;
        const auto begin = word.find_first_not_of("([\"'");
        const char first = word[begin];
        const bool is_small = first >= 'a' && first <= 'z';
        return !is_small || std::ranges::find(particles, bare) != std::end(particles);
    }

    Kind first_ = Kind::none, last_ = Kind::none;
    std::size_t names_ = 0, plain_ = 0;
    bool has_address_ = false, has_date_before_address_ = false, has_only_names_ = true;
    bool has_month_ = false, has_number_ = false, has_numeric_date_ = false;
    bool has_time_ = false, has_second_ = false, has_zone_ = false;
};

struct Sentence {
    Words words;
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
        Words after;
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

// Broken between the address and what comes after it: no name stands in the second line.
bool breaks_after_address(std::span<const std::string_view> lines) {
    if (lines.size() != 2) return false;
    Words first;
    first.read(trim(lines[0]));
    const auto second = read_sentence(without_colon(lines[1]));
    return first.has_address() && second && !second->words.names_somebody();
}

// A broken attribution is so long because of its date, which therefore stands in the first line.
bool has_date(std::string_view line) {
    const auto sentence = read_sentence(line);
    return sentence && sentence->words.has_date();
}

bool is_with_opener(const Sentence& sentence, std::span<const std::string_view> lines) {
    const auto& words = sentence.words;
    if (!sentence.has_opener || sentence.verb == nullptr || !words.names_somebody()) return false;
    const bool is_polish = words.begins_with_name() && words.has_address() && words.has_date();
    if (!words.begins_with_date() && !is_polish) return false;
    if (lines.size() > 1 && !is_polish && !has_date(lines[0])) return false;
    const bool is_certain = words.has_date() && words.has_address() &&
                            (lines.size() == 1 || breaks_after_address(lines));
    return words.plain() <= (is_certain ? plain_words_max : 0);
}

bool is_date_first(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (sentence.has_opener || words.plain() > 0 || !words.begins_with_date()) return false;
    if (!words.has_date() || !words.has_time() || !words.names_somebody()) return false;
    if (sentence.verb == nullptr) return words.ends_with_address();
    return sentence.verb->date_may_begin;
}

bool is_name_first(const Sentence& sentence) {
    const auto& words = sentence.words;
    if (sentence.has_opener || sentence.verb == nullptr || words.plain() > 0) return false;
    if (!words.begins_with_name()) return false;
    return words.has_address() ? !words.has_date_before_address() : sentence.has_date_at_end;
}

std::string joined(std::span<const std::string_view> lines) {
    std::string text(trim(lines[0]));
    for (const auto line : lines.subspan(1)) text.append(" ").append(trim(line));
    return text;
}

std::optional<AttributionMark> mark_of(std::span<const std::string_view> lines) {
    const auto text = joined(lines);
    const auto sentence = read_sentence(without_colon(text));
    if (!sentence || sentence->words.names() > name_words_max) return std::nullopt;
    const auto& words = sentence->words;
    const bool found =
        is_with_opener(*sentence, lines) || is_date_first(*sentence) ||
        (is_name_first(*sentence) && (lines.size() == 1 || breaks_after_address(lines)));
    if (!found) return std::nullopt;
    return AttributionMark{
        lines.size(), words.has_date(),
        sentence->has_opener && words.has_second_and_zone() && words.has_address()};
}

// Does an attribution begin in a later one of the lines, so that the first is not a part of it?
bool begins_later(std::span<const std::string_view> lines) {
    for (std::size_t from = 1; from < lines.size(); ++from) {
        const auto rest = lines.subspan(from);
        const auto sentence = read_sentence(without_colon(joined(rest)));
        if (!sentence) continue;
        const bool has_own_date = is_name_first(*sentence) && sentence->words.has_date();
        if (has_own_date || is_with_opener(*sentence, rest) || is_date_first(*sentence)) {
            return true;
        }
    }
    return false;
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
        if (without_colon(line).empty() && line != ":") continue;
        const auto candidate = lines.first(last + 1);
        const auto mark = mark_of(candidate);
        if (mark) return begins_later(candidate) ? AttributionMark{} : *mark;
    }
    return {};
}

}  // namespace mailroom::mime
