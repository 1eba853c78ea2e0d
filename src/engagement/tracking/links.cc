#include "engagement/tracking/links.h"

namespace mailroom::engagement {

bool Links::is_ours(std::string_view address) const {
    if (!has_base() || !address.starts_with(base_)) return false;
    const auto path = address.substr(base_.size());
    for (const std::string_view ours : {"/t/", "/u/", "/preferences/", "/confirm/"}) {
        if (path.starts_with(ours)) return true;
    }
    return path.starts_with("/unsubscribe?");
}

std::optional<std::string> Links::at(std::string_view path, const Token& token) const {
    auto text = tokens_.make(token);
    if (!text) return std::nullopt;
    return base_ + std::string(path) + *text;
}

std::optional<std::string> Links::open(const std::string& mail_id) const {
    return at("/t/o/", OpenToken{mail_id});
}
std::optional<std::string> Links::click(ClickToken click) const {
    return at("/t/c/", std::move(click));
}
std::optional<std::string> Links::unsubscribe(const PersonToken& person) const {
    return at("/u/", person);
}
std::optional<std::string> Links::preferences(const PersonToken& person) const {
    return at("/preferences/", person);
}
std::string Links::confirm(std::string_view token) const {
    return base_ + "/confirm/" + std::string(token);
}

}  // namespace mailroom::engagement
