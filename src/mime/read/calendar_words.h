// The words of dates in the attributions of mail programs. For attribution.cc only.
#pragma once

#include <string_view>

namespace mailroom::mime {

// `link` are the words between the parts of a date (`at`, `um`, `à`, `kl`), AM, PM and time zones.
enum class CalendarWord { none, month, weekday, link };

// `word` without the punctuation around it, its ASCII letters in lower case.
CalendarWord calendar_word(std::string_view word);

}  // namespace mailroom::mime
