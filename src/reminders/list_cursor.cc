#include "reminders/list_cursor.h"

#include "base/base64.h"

namespace mailroom::reminders {

std::string list_cursor(const std::vector<std::string>& texts) {
    std::string joined;
    for (const auto& text : texts) {
        if (&text != &texts.front()) joined += ' ';
        joined += text;
    }
    return base64url_encode(joined);
}

Result<std::vector<std::string>> parse_list_cursor(std::string_view cursor, std::size_t wanted) {
    const auto decoded = base64url_decode(cursor);
    if (!decoded) return wrong_list_cursor();
    std::string_view rest = *decoded;
    std::vector<std::string> texts;
    while (texts.size() + 1 < wanted) {
        const auto space = rest.find(' ');
        if (space == rest.npos) return wrong_list_cursor();
        texts.emplace_back(rest.substr(0, space));
        rest.remove_prefix(space + 1);
    }
    texts.emplace_back(rest);
    return texts;
}

Error wrong_list_cursor() {
    return {Errc::invalid, "`after` is not what a page of this list said"};
}

}  // namespace mailroom::reminders
