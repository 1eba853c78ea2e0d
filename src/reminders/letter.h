// The text of a reminder: a subject, plain text and HTML.
#pragma once

#include "base/result.h"
#include "reminders/refusal.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::reminders {

inline constexpr std::size_t subject_chars_max = 200;
inline constexpr std::size_t text_bytes_max = 64 * 1024;  // A letter, not a book: it is in one row.

struct Letter {
    std::string subject, text, html;

    bool operator==(const Letter&) const = default;
};

// `bad_field` for a subject that is empty, longer than 200 characters or not on one line, and for a
// body that is empty or too long.
Answer<> check_letter(const Letter& letter);

// The text as HTML: escaped, in paragraphs, with the company's name below.
std::string html_of(std::string_view text, std::string_view company_name);

// What a language model wrote, taken apart: a line that begins with "subject:" in any case is the
// subject, and leaves the body together with blank lines after it; without one the subject is
// `usual_subject`. The subject is cut to 200 characters and has no line ends.
Letter letter_of_model_text(std::string_view text, std::string_view usual_subject,
                            std::string_view company_name);

std::string usual_subject(std::string_view company_name);

}  // namespace mailroom::reminders
