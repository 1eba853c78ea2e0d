#include "mime/read/date_number.h"

#include <algorithm>
#include <optional>

namespace mailroom::mime {
namespace {

// All that stands between the digits of dates and times, the longer ones first.
constexpr std::string_view joints[] = {
    "星期", "上午", "下午", "午前", "午後", "오전", "오후", "a.m", "p.m", "gmt", "utc", "年", "月",
    "日",   "號",   "号",   "時",   "时",   "点",   "分",   "秒",  "周",  "週",  "一",  "二", "三",
    "四",   "五",   "六",   "火",   "水",   "木",   "金",   "土",  "于",  "於",  "년",  "월", "일",
    "시",   "분",   "am",   "pm",   "st",   "nd",   "rd",   "th",  "er",  "º",   "ª",   "h",  "t",
    "z",    ".",    "/",    "-",    ":",    "+",    ",",    "(",   ")",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The length of the joint that `text` begins with; 0 for none.
std::size_t joint_length(std::string_view text) {
    for (const auto joint : joints) {
        if (text.starts_with(joint)) return joint.size();
    }
    return 0;
}

bool is_year(std::string_view digits) {
    return digits.size() == 4 && std::ranges::all_of(digits, is_digit) &&
           (digits.starts_with("19") || digits.starts_with("20"));
}

// Do digits of such a number stand in a date? `before` is the byte before them.
bool fits(std::string_view digits, char before) {
    const bool is_zone = digits.size() == 4 && (before == '+' || before == '-');
    return digits.size() <= 2 || is_year(digits) || is_zone;
}

bool consists_of_joints(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        auto end = at;
        while (end < word.size() && is_digit(word[end])) ++end;
        if (end > at && !fits(word.substr(at, end - at), at > 0 ? word[at - 1] : ' ')) return false;
        const auto length = end > at ? end - at : joint_length(word.substr(at));
        if (length == 0) return false;
        at += length;
    }
    return true;
}

// How many of `marks` stand between two digits.
std::size_t count_between(std::string_view word, std::string_view marks) {
    std::size_t count = 0;
    for (std::size_t i = 1; i + 1 < word.size(); ++i) {
        count +=
            is_digit(word[i - 1]) && is_digit(word[i + 1]) && marks.find(word[i]) != marks.npos;
    }
    return count;
}

// `10.00`, as the north of Europe writes it, and `10h00`.
bool is_time_without_colon(std::string_view word) {
    const auto mark = word.find_first_not_of("0123456789");
    if (mark == word.npos || mark == 0 || mark > 2 || mark + 3 != word.size()) return false;
    return (word[mark] == '.' || word[mark] == 'h') && is_digit(word[mark + 1]) &&
           is_digit(word[mark + 2]) && word[mark + 1] < '6';
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

DateNumber read_date_number(std::string_view word) {
    if (!consists_of_joints(word)) return {};
    DateNumber number{.is_date = true};
    const bool has_named_zone = word.starts_with("gmt") || word.starts_with("utc");
    if (has_named_zone || word.starts_with('+') || word.starts_with('-')) {
        number.has_zone = true;
        return number;
    }
    number.is_year = is_year(word);
    number.is_day_or_month = word.size() <= 2 && std::ranges::all_of(word, is_digit);
    const auto colons = count_between(word, ":");
    number.has_time =
        colons > 0 || is_time_without_colon(word) || contains(word, "時") || contains(word, "时");
    number.has_second = colons > 1;
    number.has_month = contains(word, "月") || contains(word, "월");
    const bool has_marks = count_between(word, "./-") > 1;
    number.has_day_and_year = has_marks || (contains(word, "年") && number.has_month);
    return number;
}

}  // namespace mailroom::mime
