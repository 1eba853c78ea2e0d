// What a word with digits says of a date: `5.`, `05/01/2026`, `10:00`, `+0100`, `2026年1月5日`.
#pragma once

#include <string_view>

namespace mailroom::mime {

struct DateNumber {
    bool is_date = false;  // Otherwise the others say nothing.
    bool has_day_and_year = false, has_month = false;
    bool is_year = false;          // `2026` and nothing else.
    bool is_day_or_month = false;  // `5` and nothing else.
    bool has_time = false, has_second = false, has_zone = false;
};

// `word` without the punctuation around it, in small letters. The number of an order (`4711`), an
// amount with its unit (`5kg`) and words of a text that touch a date are none.
DateNumber read_date_number(std::string_view word);

}  // namespace mailroom::mime
