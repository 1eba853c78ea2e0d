#include "mime/read/date.h"

#include "base/text.h"
#include "base/time_format.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace mailroom::mime {
namespace {

constexpr std::size_t text_bytes_max = 200;  // A date has 31; comments are short.

// Words between blanks and commas, comments left out.
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    int depth = 0;
    std::size_t start = 0;
    const auto end_word = [&](std::size_t end) {
        if (depth == 0 && end > start) words.push_back(text.substr(start, end - start));
        start = end + 1;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(') {
            end_word(i);
            ++depth;
        } else if (c == ')' && depth > 0) {
            --depth;
            start = i + 1;
        } else if (depth == 0 && (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',')) {
            end_word(i);
        }
    }
    end_word(text.size());
    return words;
}

std::optional<int> number(std::string_view text, std::size_t digits_max) {
    int value = 0;
    if (text.empty() || text.size() > digits_max) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::optional<unsigned> month_number(std::string_view word) {
    constexpr std::string_view months = "janfebmaraprmayjunjulaugsepoctnovdec";
    if (word.size() < 3) return std::nullopt;
    const auto place = months.find(ascii_lower(word.substr(0, 3)));
    if (place == months.npos || place % 3 != 0) return std::nullopt;
    return static_cast<unsigned>(place / 3 + 1);
}

// RFC 5322, 4.3: two digits mean 1950 to 2049, three digits count from 1900.
std::optional<int> year_number(std::string_view word) {
    const auto year = number(word, 4);
    if (!year || word.size() < 2) return std::nullopt;
    if (word.size() == 2) return *year < 50 ? *year + 2000 : *year + 1900;
    if (word.size() == 3) return *year + 1900;
    return year;
}

std::optional<std::chrono::seconds> time_of_day(std::string_view word) {
    std::array<int, 3> parts{0, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto end = std::min(word.find_first_of(":."), word.size());
        const auto value = number(word.substr(0, end), 2);
        if (!value) return std::nullopt;
        parts[i] = *value;
        if (end == word.size()) {
            if (i == 0) return std::nullopt;
            break;
        }
        word.remove_prefix(end + 1);
        if (i == 2 && !number(word, 9)) return std::nullopt;  // A fraction of a second is dropped.
    }
    if (parts[0] > 23 || parts[1] > 59 || parts[2] > 60) return std::nullopt;
    // A Time cannot hold a leap second.
    return std::chrono::hours(parts[0]) + std::chrono::minutes(parts[1]) +
           std::chrono::seconds(std::min(parts[2], 59));
}

// Minutes east of Greenwich. Names nobody agrees on count as UTC (RFC 5322, 4.3).
std::chrono::minutes zone_offset(std::string_view word) {
    using std::chrono::hours;
    using std::chrono::minutes;
    if (word.size() >= 5 && (word[0] == '+' || word[0] == '-')) {
        const auto hour = number(word.substr(1, 2), 2);
        const auto minute = number(word.substr(word[3] == ':' ? 4 : 3, 2), 2);
        if (!hour || !minute || *hour > 23 || *minute > 59) return minutes(0);
        const minutes offset = hours(*hour) + minutes(*minute);
        return word[0] == '-' ? -offset : offset;
    }
    struct Name {
        std::string_view name;
        int hours;
    };
    constexpr Name names[] = {{"EDT", -4}, {"EST", -5}, {"CDT", -5}, {"CST", -6}, {"MDT", -6},
                              {"MST", -7}, {"PDT", -7}, {"PST", -8}, {"CET", 1},  {"CEST", 2},
                              {"BST", 1},  {"EET", 2},  {"EEST", 3}, {"JST", 9}};
    for (const auto& known : names) {
        if (ascii_equal_ignoring_case(word, known.name)) return hours(known.hours);
    }
    return minutes(0);
}

}  // namespace

std::optional<Time> parse_mail_date(std::string_view text) {
    text = trim(text.substr(0, text_bytes_max));
    if (text.size() > 4 && text[4] == '-') {
        if (const auto exact = parse_rfc3339(text)) return *exact;
    }

    const auto words = words_of(text);
    std::size_t next = 0;
    // The weekday, right or wrong, says nothing that the rest does not.
    if (!words.empty() && !number(words[0], 4) && !month_number(words[0])) ++next;
    if (next + 3 >= words.size()) return std::nullopt;
    auto day = number(words[next], 2);
    auto month = month_number(words[next + 1]);
    if (!day) {
        // `Nov 15 10:00:00 2026`, as the C library writes it.
        month = month_number(words[next]);
        day = number(words[next + 1], 2);
    }
    if (!day || !month) return std::nullopt;
    next += 2;
    const bool year_last = words[next].find(':') != std::string_view::npos;
    const auto seconds = time_of_day(words[year_last ? next : next + 1]);
    const auto year = year_number(words[year_last ? next + 1 : next]);
    if (!seconds || !year) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    const auto zone =
        next + 2 < words.size() ? zone_offset(words[next + 2]) : std::chrono::minutes(0);
    return Time(std::chrono::sys_days(date) + *seconds - zone);
}

}  // namespace mailroom::mime
