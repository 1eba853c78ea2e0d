// How our pages look: [pages].
#pragma once

#include "engagement/pages/language.h"
#include "program/settings.h"

#include <string>

namespace mailroom::engagement {

struct PageSettings {
    std::string company;               // Whose pages they are; empty: nobody is named.
    std::string color = "#1a5fb4";     // Of buttons.
    std::string logo;                  // The address of a picture; empty: none.
    std::string home;                  // Where a link at the foot leads; empty: none.
    Language language = Language::en;  // For whoever speaks none of ours.
    std::string from;  // Of mails that ask whether mail is wanted; empty: none are sent.
};

// `values` must outlive the list.
void add_settings(program::Settings& list, PageSettings& values);

}  // namespace mailroom::engagement
