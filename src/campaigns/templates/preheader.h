// What is shown beside the subject in lists of mails, and nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::campaigns {

// The document with `text` where its body begins, so that nobody sees it who reads the mail. What
// follows it in the mail is kept out of lists.
std::string with_preheader(std::string html, std::string_view text);

}  // namespace mailroom::campaigns
