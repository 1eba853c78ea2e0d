// The languages in which we speak to people on our pages.
#pragma once

#include "base/names.h"

#include <array>
#include <string_view>

namespace mailroom::engagement {

enum class Language { en, de, fr, es, it, pt, nl, pl };
constexpr auto names_of(Language) {
    using enum Language;
    return std::array{Name{en, "en"}, Name{de, "de"}, Name{fr, "fr"}, Name{es, "es"},
                      Name{it, "it"}, Name{pt, "pt"}, Name{nl, "nl"}, Name{pl, "pl"}};
}

// The person's own ("pt-BR"), if we speak it; else what their browser likes best of ours
// (RFC 9110, 12.5.4); else `usual`.
Language pick_language(std::string_view of_person, std::string_view accept_language,
                       Language usual);

}  // namespace mailroom::engagement
