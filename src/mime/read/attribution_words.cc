#include "mime/read/attribution_words.h"

#include "mime/read/calendar_words.h"
#include "mime/read/date_number.h"
#include "mime/read/letters.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace mailroom::mime {
namespace {

constexpr std::string_view blanks[] = {" ", "\t", "\u00a0", "\u202f", "\u3000", "、", "，"};
// Parts of names that are written small.
constexpr std::string_view particles[] = {"von", "van", "der", "den", "de",  "da",  "di", "la",
                                          "le",  "du",  "dos", "bin", "via", "and", "&",  "|",
                                          "/",   "-",   "ter", "ten", "zu",  "del", "al"};
// With one of them a person speaks.
constexpr std::string_view pronouns[] = {
    "i",   "he",  "she", "we",  "you",  "they", "me",    "my",  "your", "our",   "who",  "ich",
    "er",  "sie", "wir", "mir", "mein", "habe", "haben", "je",  "j'ai", "nous",  "vous", "ik",
    "hij", "wij", "yo",  "io",  "eu",   "jag",  "han",   "hon", "ja",   "mój",   "я",    "он",
    "она", "мы",  "вы",  "ваш", "мой",  "мне",  "меня",  "наш", "εγώ",  "είμαι",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_any(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

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

void AttributionWords::read(std::string_view text) {
    for (text = without_blanks(text); !text.empty(); text = without_blanks(text)) {
        const auto word = text.substr(0, word_length(text));
        add(word);
        text.remove_prefix(word.size());
    }
}

std::size_t AttributionWords::word_length(std::string_view text) {
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

void AttributionWords::add(std::string_view word) {
    const auto kind = kind_of(word);
    if (kind == Kind::none) return;  // Punctuation.
    if (first_ == Kind::none) first_ = kind;
    last_ = kind;
    if (kind == Kind::name) {
        has_comma_in_name_ = has_comma_in_name_ || (ends_with_comma_ && !has_address_);
        ends_with_comma_ = word.ends_with(',');
        ++names_;
    }
    if (kind == Kind::date && !has_address_) has_date_before_address_ = true;
    has_only_names_ = has_only_names_ && (kind == Kind::name || kind == Kind::address);
    if (kind == Kind::plain) return add_plain(word);
    if (kind == Kind::address) return add_address(word);
    plain_ += std::exchange(plain_so_far_, 0);
}

// `5 Jan`, `05/01/2026`, `5. 1. 2026`
bool AttributionWords::has_date() const {
    return has_numeric_date_ || (has_month_ && has_number_) || (has_year_ && days_and_months_ > 1);
}

void AttributionWords::add_plain(std::string_view word) {
    ++plain_so_far_;
    ends_with_comma_ = word.ends_with(',');
    if (ends_with_comma_) plain_ += std::exchange(plain_so_far_, 0);
}

void AttributionWords::add_address(std::string_view word) {
    const bool has_brackets = word.starts_with('<') || word.starts_with('(');
    (has_brackets ? plain_before_address_ : plain_) += std::exchange(plain_so_far_, 0);
    has_address_ = true;
}

AttributionWords::Kind AttributionWords::kind_of(std::string_view word) {
    if (word.find('@') != word.npos) return Kind::address;
    const auto end = word.find_last_not_of(".,;:()[]\"'");
    if (end == word.npos) return Kind::none;
    if (word.starts_with('"')) return Kind::name;
    const auto begin = word.find_first_not_of("([\"'");
    const auto bare = lower_letters(word.substr(begin, end + 1 - begin));
    if (std::ranges::any_of(bare, is_digit)) return kind_of_number(bare);
    const auto calendar = calendar_word(bare);
    has_month_ = has_month_ || calendar == CalendarWord::month;
    if (calendar == CalendarWord::link && bare.size() >= 3 && bare.ends_with('t')) {
        has_zone_ = true;  // GMT, CET, EST …
    }
    has_zone_ = has_zone_ || bare == "utc";
    if (calendar != CalendarWord::none) return Kind::date;
    if (is_any(pronouns, bare)) {
        const bool may_be_name = bare.size() > 1 && !begins_with_small_letter(word);
        (may_be_name ? may_have_pronoun_ : has_pronoun_) = true;
    }
    return is_name(word, bare) ? Kind::name : Kind::plain;
}

AttributionWords::Kind AttributionWords::kind_of_number(std::string_view bare) {
    const auto number = read_date_number(bare);
    if (!number.is_date) return Kind::plain;
    has_number_ = true;
    has_month_ = has_month_ || number.has_month;
    has_numeric_date_ = has_numeric_date_ || number.has_day_and_year;
    has_year_ = has_year_ || number.is_year;
    days_and_months_ += number.is_day_or_month;
    has_time_ = has_time_ || number.has_time;
    has_second_ = has_second_ || number.has_second;
    has_zone_ = has_zone_ || number.has_zone;
    has_number_after_name_ = has_number_after_name_ || names_ > 0;
    return Kind::date;
}

bool AttributionWords::is_name(std::string_view word, std::string_view bare) {
    constexpr std::size_t abbreviation_bytes_max = 5;  // `Ltd.`, `Prof.`
    const bool ends_sentence = word.ends_with('!') || word.ends_with('?') ||
                               (word.ends_with('.') && word.size() > abbreviation_bytes_max);
    if (ends_sentence) return false;
    const auto first = word.substr(word.find_first_not_of("([\"'"));
    return !begins_with_small_letter(first) || is_any(particles, bare);
}

}  // namespace mailroom::mime
