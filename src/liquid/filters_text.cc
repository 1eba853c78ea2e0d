// append, replace, truncate and the other filters that make texts of texts.
#include "liquid/coerce.h"
#include "liquid/filter.h"
#include "liquid/lists.h"
#include "liquid/search.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <cmath>

namespace mailroom::liquid {

namespace {

constexpr auto npos = std::string_view::npos;

std::string_view input_text(FilterCall& call) { return call.text(call.input); }

Value append(FilterCall& call) {
    if (call.arguments.size() != 1) return call.fail("append needs one argument");
    std::string made(input_text(call));
    made += call.text(call.argument(0));
    return call.keep(made);
}

Value prepend(FilterCall& call) {
    if (call.arguments.size() != 1) return call.fail("prepend needs one argument");
    std::string made(call.text(call.argument(0)));
    made += input_text(call);
    return call.keep(made);
}

Value upcase(FilterCall& call) {
    std::string made;
    append_upper(made, input_text(call));
    return call.keep(made);
}

Value downcase(FilterCall& call) {
    std::string made;
    append_lower(made, input_text(call));
    return call.keep(made);
}

Value capitalize(FilterCall& call) {
    const auto text = input_text(call);
    if (text.empty()) return Value::text("");
    const auto first = first_character(text);
    std::string made;
    // Beyond U+FFFF the first half of a surrogate pair has no case.
    first.code > 0xffff ? append_lower(made, text.substr(0, first.bytes))
                        : append_upper(made, text.substr(0, first.bytes));
    append_lower(made, text.substr(first.bytes));
    return call.keep(made);
}

// The characters of a text, to be found again: both it and what is stripped may be long.
class CharacterSet {
public:
    explicit CharacterSet(std::string_view text) {
        while (!text.empty()) {
            const auto bytes = first_character(text).bytes;
            characters_.push_back(text.substr(0, bytes));
            text.remove_prefix(bytes);
        }
        std::ranges::sort(characters_);
    }
    bool empty() const { return characters_.empty(); }
    bool has(std::string_view character) const {
        return std::ranges::binary_search(characters_, character);
    }

private:
    std::vector<std::string_view> characters_;
};

std::string_view strip_start(std::string_view text, const CharacterSet& set) {
    while (!text.empty()) {
        const auto bytes = first_character(text).bytes;
        if (!set.has(text.substr(0, bytes))) break;
        text.remove_prefix(bytes);
    }
    return text;
}

std::string_view strip_end(std::string_view text, const CharacterSet& set) {
    while (!text.empty()) {
        const auto bytes = last_character(text).bytes;
        if (!set.has(text.substr(text.size() - bytes))) break;
        text.remove_suffix(bytes);
    }
    return text;
}

// The characters to strip; none when the filter strips white space.
CharacterSet strip_set(FilterCall& call) {
    const auto set = call.argument(0);
    return CharacterSet(is_falsy(set) ? std::string_view() : call.text(set));
}

Value lstrip(FilterCall& call) {
    const auto set = strip_set(call);
    const auto text = input_text(call);
    return Value::text(set.empty() ? trim_start(text) : strip_start(text, set));
}

Value rstrip(FilterCall& call) {
    const auto set = strip_set(call);
    const auto text = input_text(call);
    return Value::text(set.empty() ? trim_end(text) : strip_end(text, set));
}

Value strip(FilterCall& call) {
    const auto set = strip_set(call);
    const auto text = input_text(call);
    return Value::text(set.empty() ? trim(text) : strip_end(strip_start(text, set), set));
}

Value strip_newlines(FilterCall& call) {
    std::string made;
    const auto text = input_text(call);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_pair = text[at] == '\r' && text.substr(at + 1, 1) == "\n";
        if (!is_pair && text[at] != '\n') made += text[at];
    }
    return call.keep(made);
}

std::string with_single_spaces(std::string_view text) {
    std::string made;
    bool in_space = false;
    while (!text.empty()) {
        const auto character = first_character(text);
        const bool space = is_space(character.code);
        if (!space) made += text.substr(0, character.bytes);
        if (space && !in_space) made += ' ';
        in_space = space;
        text.remove_prefix(character.bytes);
    }
    return made;
}

Value normalize_whitespace(FilterCall& call) {
    return call.keep(with_single_spaces(input_text(call)));
}

Value squish(FilterCall& call) { return call.keep(with_single_spaces(trim(input_text(call)))); }

// Every `pattern` becomes `replacement`; an empty pattern is found between all characters.
Value replaced(FilterCall& call, std::string_view pattern, std::string_view replacement) {
    const auto text = input_text(call);
    std::string made;
    std::size_t at = 0;
    while (at < text.size() && made.size() <= call.budget().bytes_left()) {
        const auto bytes = pattern.empty() ? first_character(text.substr(at)).bytes : 0;
        const auto found = pattern.empty() ? at + bytes : find_text(text, pattern, at);
        if (found == npos || (pattern.empty() && found >= text.size())) break;
        made += text.substr(at, found - at);
        made += replacement;
        at = found + pattern.size();
    }
    made += text.substr(at);
    return call.keep(made);
}

Value replaced_at(FilterCall& call, std::size_t at, std::size_t bytes,
                  std::string_view replacement) {
    std::string made(input_text(call));
    if (at != npos) made.replace(at, bytes, replacement);
    return call.keep(made);
}

Value replace(FilterCall& call) {
    return replaced(call, call.text(call.argument(0)), call.text(call.argument(1)));
}

Value replace_first(FilterCall& call) {
    const auto pattern = call.text(call.argument(0));
    return replaced_at(call, find_text(input_text(call), pattern), pattern.size(),
                       call.text(call.argument(1)));
}

Value replace_last(FilterCall& call) {
    const auto pattern = call.text(call.argument(0));
    return replaced_at(call, find_last_text(input_text(call), pattern), pattern.size(),
                       call.text(call.argument(1)));
}

Value remove(FilterCall& call) { return replaced(call, call.text(call.argument(0)), ""); }

Value remove_first(FilterCall& call) {
    const auto pattern = call.text(call.argument(0));
    return replaced_at(call, find_text(input_text(call), pattern), pattern.size(), "");
}

Value remove_last(FilterCall& call) {
    const auto pattern = call.text(call.argument(0));
    return replaced_at(call, find_last_text(input_text(call), pattern), pattern.size(), "");
}

std::vector<Value> split_pieces(FilterCall& call, std::string_view text, std::string_view mark) {
    std::vector<Value> pieces;
    while (!text.empty() && call.budget().spend_steps(1)) {
        const auto end = mark.empty() ? first_character(text).bytes : find_text(text, mark);
        pieces.push_back(Value::text(text.substr(0, end)));
        if (end == npos) break;
        text.remove_prefix(end + mark.size());
    }
    return pieces;
}

// Empty pieces at the end are dropped, as Ruby does.
Value split(FilterCall& call) {
    auto pieces = split_pieces(call, input_text(call), call.text(call.argument(0)));
    while (!pieces.empty() && pieces.back().text().empty()) pieces.pop_back();
    const auto items = call.arena().values(pieces.size());
    if (!items.empty()) std::ranges::copy(pieces, items.begin());
    return list_value(call.arena(), items);
}

std::size_t count_argument(double number) {
    return number > 0 ? static_cast<std::size_t>(std::min(std::ceil(number), 1e15)) : 0;
}

Value truncate(FilterCall& call) {
    const auto text = input_text(call);
    const auto limit = call.has(0) ? count_argument(call.number(call.argument(0))) : 50;
    const auto tail = call.has(1) ? call.text(call.argument(1)) : "...";
    if (skip_characters(text, limit) >= text.size()) return call.input;
    const auto tail_length = character_count(tail);
    std::string made(
        text.substr(0, skip_characters(text, limit > tail_length ? limit - tail_length : 0)));
    made += tail;
    return call.keep(made);
}

// The pieces between runs of white space; the last is empty when the text ends with space.
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        std::size_t end = 0;
        while (end < text.size() && !is_space(first_character(text.substr(end)).code)) {
            end += first_character(text.substr(end)).bytes;
        }
        words.push_back(text.substr(0, end));
        if (end == text.size()) return words;
        text = trim_start(text.substr(end));
    }
}

Value truncatewords(FilterCall& call) {
    const auto words = words_of(trim_start(input_text(call)));
    auto limit = call.has(0) ? count_argument(std::trunc(call.number(call.argument(0)))) : 15;
    limit = std::max<std::size_t>(limit, 1);
    std::string made;
    for (std::size_t i = 0; i < std::min(limit, words.size()); ++i) {
        if (i > 0) made += ' ';
        made += words[i];
    }
    if (words.size() >= limit) made += call.has(1) ? call.text(call.argument(1)) : "...";
    return call.keep(made);
}

bool is_ideograph(char32_t code) {
    return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0x3400 && code <= 0x4dbf) || (code >= 0x3040 && code <= 0x30ff) ||
           (code >= 0xac00 && code <= 0xd7af);
}

// Each ideograph is a word, and so is each run of other characters that are not space.
std::size_t count_mixed_words(std::string_view text, bool& has_ideographs) {
    std::size_t count = 0;
    bool in_word = false;
    has_ideographs = false;
    while (!text.empty()) {
        const auto [code, bytes] = first_character(text);
        const bool ideograph = is_ideograph(code);
        const bool word = !ideograph && !is_space(code);
        if (ideograph || (word && !in_word)) ++count;
        has_ideographs |= ideograph;
        in_word = word;
        text.remove_prefix(bytes);
    }
    return count;
}

Value number_of_words(FilterCall& call) {
    const auto text = trim(input_text(call));
    const auto mode = call.text(call.argument(0));
    if (text.empty()) return Value::integer(0);
    bool has_ideographs = false;
    const auto mixed = count_mixed_words(text, has_ideographs);
    const bool counts_mixed = mode == "cjk" || (mode == "auto" && has_ideographs);
    return Value::integer(static_cast<std::int64_t>(counts_mixed ? mixed : words_of(text).size()));
}

Value array_to_sentence_string(FilterCall& call) {
    const auto items = as_array(call.arena(), call.input);
    const auto count = items.size();
    if (count == 0) return Value::text("");
    if (count == 1) return items.at(0);
    std::string made;
    for (std::size_t i = 0; i + 1 < count && call.budget().spend_steps(1); ++i) {
        if (made.size() > call.budget().bytes_left()) break;
        if (i > 0) made += ", ";
        const auto item = items.at(i);
        if (count == 2 || !item.is_nil()) append_string(made, item, call.budget());
    }
    made += count > 2 ? ", " : " ";
    made += call.has(0) ? call.text(call.argument(0)) : "and";
    made += ' ';
    append_string(made, items.at(count - 1), call.budget());
    return call.keep(made);
}

constexpr FilterEntry text_entries[] = {
    {"append", append},
    {"array_to_sentence_string", array_to_sentence_string},
    {"capitalize", capitalize},
    {"downcase", downcase},
    {"lstrip", lstrip},
    {"normalize_whitespace", normalize_whitespace},
    {"number_of_words", number_of_words},
    {"prepend", prepend},
    {"remove", remove},
    {"remove_first", remove_first},
    {"remove_last", remove_last},
    {"replace", replace},
    {"replace_first", replace_first},
    {"replace_last", replace_last},
    {"rstrip", rstrip},
    {"split", split},
    {"squish", squish},
    {"strip", strip},
    {"strip_newlines", strip_newlines},
    {"truncate", truncate},
    {"truncatewords", truncatewords},
    {"upcase", upcase},
};

}  // namespace

std::span<const FilterEntry> text_filters() { return text_entries; }

}  // namespace mailroom::liquid
