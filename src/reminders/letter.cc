#include "reminders/letter.h"

#include "base/text.h"

namespace mailroom::reminders {

std::string usual_subject(std::string_view company_name) {
    return "Payment Reminder from " + std::string(company_name);
}

Answer<> check_letter(const Letter& letter) {
    const bool good_subject = !trim(letter.subject).empty() && is_utf8(letter.subject) &&
                              writing::characters(letter.subject) <= subject_chars_max &&
                              !writing::has_control(letter.subject);
    if (!good_subject) {
        return Refusal::bad_field("email_subject", "must be 1 to 200 characters on one line");
    }
    if (trim(letter.text).empty() || letter.text.size() > text_bytes_max || !is_utf8(letter.text)) {
        return Refusal::bad_field("email_content", "must be text of at most 64 KB");
    }
    if (letter.html.size() > 2 * text_bytes_max || !is_utf8(letter.html)) {
        return Refusal::bad_field("email_html", "must be text of at most 128 KB");
    }
    return Ok{};
}

}  // namespace mailroom::reminders
