// What our pages say, in each language.
//
// {address}, {topic}, {company} and {link} stand for what they name.
#pragma once

#include "engagement/pages/language.h"

#include <string>
#include <string_view>

namespace mailroom::engagement {

struct PageTexts {
    // Leaving.
    std::string_view leave, leave_ask, leave_topic_ask, leave_button;
    std::string_view left, left_all, left_topic, come_back_button;
    std::string_view back, back_text;
    // Choosing.
    std::string_view choose, choose_text, all_off, no_tracking, save, saved, to_confirm;
    // Confirming.
    std::string_view confirm, confirm_text, confirm_button, confirmed, confirmed_text;
    // The mail that asks for it; the first of a company, the other of none.
    std::string_view mail_subject, mail_subject_plain, mail_text;
    // When it does not go well.
    std::string_view bad_link, no_token, cut_off, expired, trouble, trouble_text;
};

const PageTexts& texts_in(Language language);

struct TextParts {
    std::string_view address = "", topic = "", company = "", link = "";
};
std::string filled(std::string_view text, const TextParts& parts);

}  // namespace mailroom::engagement
