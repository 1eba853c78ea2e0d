// The networks that MJML knows: their color, the file of their icon, and the page of theirs where
// an address is shared. `[[URL]]` stands for the address.
#include "mjml/components.h"

#include <array>
#include <utility>

namespace mailroom::mjml {
namespace {

// clang-format off
constexpr std::array<std::pair<std::string_view, SocialNetwork>, 17> networks = {{
    {"facebook",   {"#3b5998", "facebook",    "https://www.facebook.com/sharer/sharer.php?u=[[URL]]"}},
    {"twitter",    {"#55acee", "twitter",     "https://twitter.com/intent/tweet?url=[[URL]]"}},
    {"x",          {"#000000", "twitter-x",   "https://twitter.com/intent/tweet?url=[[URL]]"}},
    {"google",     {"#dc4e41", "google-plus", "https://plus.google.com/share?url=[[URL]]"}},
    {"pinterest",  {"#bd081c", "pinterest",
        "https://pinterest.com/pin/create/button/?url=[[URL]]&media=&description="}},
    {"linkedin",   {"#0077b5", "linkedin",
        "https://www.linkedin.com/shareArticle?mini=true&url=[[URL]]&title=&summary=&source="}},
    {"instagram",  {"#3f729b", "instagram",   ""}},
    {"web",        {"#4BADE9", "web",         ""}},
    {"snapchat",   {"#FFFA54", "snapchat",    ""}},
    {"youtube",    {"#EB3323", "youtube",     ""}},
    {"tumblr",     {"#344356", "tumblr",
        "https://www.tumblr.com/widgets/share/tool?canonicalUrl=[[URL]]"}},
    {"github",     {"#000000", "github",      ""}},
    {"xing",       {"#296366", "xing",        "https://www.xing.com/app/user?op=share&url=[[URL]]"}},
    {"vimeo",      {"#53B4E7", "vimeo",       ""}},
    {"medium",     {"#000000", "medium",      ""}},
    {"soundcloud", {"#EF7F31", "soundcloud",  ""}},
    {"dribbble",   {"#D95988", "dribbble",    ""}},
}};
// clang-format on

}  // namespace

const SocialNetwork* find_social_network(std::string_view name) {
    constexpr std::string_view unshared = "-noshare";
    if (name.ends_with(unshared)) name.remove_suffix(unshared.size());
    for (const auto& [known, network] : networks) {
        if (known == name) return &network;
    }
    return nullptr;
}

}  // namespace mailroom::mjml
