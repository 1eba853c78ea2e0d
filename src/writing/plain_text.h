// Plain text that people and models write: on one line, cut, and as HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::writing {

// Of a subject: more does not fit a list of mails.
inline constexpr std::size_t subject_chars_max = 200;

// UTF-8 characters.
std::size_t characters(std::string_view text);
bool has_control(std::string_view text);
// Without spaces around it, on one line, and cut to 200 characters.
std::string subject_of(std::string_view text);

// The text as HTML: escaped, in paragraphs, with a signature below.
std::string html_of(std::string_view text, std::string_view signature);

// What a language model wrote, taken apart: a line that begins with "subject:" in any case is the
// subject, and leaves the body together with blank lines after it; without one the subject is
// `usual_subject`.
struct WrittenText {
    std::string subject, text;
};
WrittenText taken_apart(std::string_view text, std::string_view usual_subject);

}  // namespace mailroom::writing
