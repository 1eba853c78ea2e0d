#include "engagement/pages/page_settings.h"

#include "mime/address.h"
#include "net/url.h"
#include "program/setting_forms.h"

#include <algorithm>

namespace mailroom::engagement {

namespace {

bool is_color(std::string_view text) {
    return text.size() == 7 && text.starts_with('#') &&
           std::ranges::all_of(text.substr(1), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
}

// Nothing that could end the place in a policy or a page where it stands.
bool is_optional_url(std::string_view text) {
    return text.empty() || (net::Url::parse(text) && text.find_first_of("\"'<>;, ") == text.npos);
}

bool is_optional_address(std::string_view text) {
    return text.empty() || mime::parse_address(text);
}

}  // namespace

// clang-format off
void add_settings(program::Settings& list, PageSettings& values) {
    list.section("pages");
    list.add("company", program::optional_line("a name, or nothing"), values.company, "Whose the pages are that people unsubscribe, choose and confirm on.");
    list.add("color", program::Text{"a colour such as #1a5fb4", is_color}, values.color, "That of their buttons.");
    list.add("logo", program::Text{"the address of a picture, or nothing", is_optional_url}, values.logo, "Shown at their head.");
    list.add("home", program::Text{"an address, or nothing", is_optional_url}, values.home, "Where the name at their head leads.");
    list.add("language", program::OneOf<Language>{}, values.language, "For people whose own language is not known and whose browser asks for none of these.");
    list.add("from", program::Text{"an e-mail address, or nothing", is_optional_address}, values.from, "Who asks people, by a mail, to confirm that they want our mails. Without it no such mail is sent, and whoever opts somebody in gets the link.");
}
// clang-format on

}  // namespace mailroom::engagement
