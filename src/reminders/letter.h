// The text of a reminder: a subject, plain text and HTML.
#pragma once

#include "reminders/fields.h"
#include "reminders/refusal.h"
#include "writing/plain_text.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::reminders {

using writing::html_of;
using writing::subject_chars_max;

inline constexpr std::size_t text_bytes_max = 64 * 1024;  // A letter, not a book: it is in one row.

struct Letter {
    std::string subject, text, html;

    static constexpr std::string_view record_name = "Letter";
    static constexpr auto fields =
        std::tuple{kept("email_subject", &Letter::subject), kept("email_content", &Letter::text),
                   kept("email_html", &Letter::html)};
    bool operator==(const Letter&) const = default;
};

// `bad_field` for a subject that is empty, longer than 200 characters or not on one line, and for a
// body that is empty or too long.
Answer<> check_letter(const Letter& letter);

std::string usual_subject(std::string_view company_name);

}  // namespace mailroom::reminders
