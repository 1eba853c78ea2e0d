// Our pages for people: HTML without a script, which nobody may frame, keep or index.
#pragma once

#include "engagement/pages/language.h"
#include "engagement/pages/page_settings.h"
#include "program/route.h"

#include <string>
#include <string_view>

namespace mailroom::engagement {

// What is between head and foot. What is given is text: it is escaped here.
class PageBody {
public:
    PageBody& paragraph(std::string_view text);
    PageBody& item(std::string_view text);  // Of several.
    // Something that was done.
    PageBody& notice(std::string_view text);
    // A form that is sent to where the page came from.
    PageBody& open_form();
    PageBody& check_box(std::string_view name, std::string_view value, std::string_view label,
                        std::string_view about, bool is_checked);
    // Sends the form with act=`act`. A quiet one is not what most people come for.
    PageBody& button(std::string_view act, std::string_view label, bool is_quiet = false);
    PageBody& close_form();
    PageBody& link(std::string_view address, std::string_view label);

    const std::string& html() const { return html_; }

private:
    std::string html_;
};

// Immutable; thread-safe.
class Pages {
public:
    // `settings` must outlive this object.
    explicit Pages(const PageSettings& settings);

    program::Rendered show(int status, Language language, std::string_view title,
                           const PageBody& body) const;
    const PageSettings& settings() const { return settings_; }

private:
    const PageSettings& settings_;
    std::string style_, policy_;
};

// The address as others may see it who got hold of the link: "a•••@example.com".
std::string veiled(std::string_view address);

}  // namespace mailroom::engagement
