// What one version of a template says.
#pragma once

#include "base/names.h"
#include "table/records/record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// What its HTML is written in.
enum class Format { html, mjml };
constexpr auto names_of(Format) {
    return std::array{Name{Format::html, "html"}, Name{Format::mjml, "mjml"}};
}

// What becomes of values in its HTML.
enum class Escaping {
    html,  // Nothing of them is taken for HTML.
    none,  // As they are: for templates of programs that know no other.
};
constexpr auto names_of(Escaping) {
    return std::array{Name{Escaping::html, "html"}, Name{Escaping::none, "none"}};
}

// The parts of a mail that are templates themselves.
enum class Part { subject, preheader, html, text };
constexpr auto names_of(Part) {
    return std::array{Name{Part::subject, "subject"}, Name{Part::preheader, "preheader"},
                      Name{Part::html, "html"}, Name{Part::text, "text"}};
}
inline constexpr std::array<Part, 4> all_parts = {Part::subject, Part::preheader, Part::html,
                                                  Part::text};

// In one language.
struct Texts {
    std::optional<std::string> subject, preheader, html, text;

    const std::optional<std::string>& of(Part part) const;
    bool operator==(const Texts&) const = default;

    static constexpr std::string_view record_name = "TemplateTexts";
    static constexpr auto fields = std::tuple{
        table::shown_or_omitted("subject", &Texts::subject, "Liquid, on one line."),
        table::shown_or_omitted("preheader", &Texts::preheader,
                                "Liquid: what is shown beside the subject in lists of mails."),
        table::shown_or_omitted("html", &Texts::html, "Liquid in HTML, or in MJML."),
        table::shown_or_omitted("text", &Texts::text, "Liquid. Without it, made from the HTML.")};
};

// By the name of the variable, such as "planName": what it is for each value of "plan".
using DisplayNames = std::map<std::string, std::map<std::string, std::string>>;

struct Content {
    std::string about;
    Format format = Format::html;
    Escaping escape = Escaping::html;
    std::string language;  // Of the texts; empty: not said.
    Texts texts;
    std::map<std::string, Texts> translations;  // By their language.
    DisplayNames display_names;
    std::vector<std::string> variables;  // That whoever sends it gives.

    bool is_empty() const { return texts == Texts() && display_names.empty(); }

    static constexpr std::string_view record_name = "TemplateContent";
    static constexpr auto fields = std::tuple{
        table::shown("about", &Content::about, "What it is for."),
        table::shown("format", &Content::format, "What its HTML is written in."),
        table::shown("escape", &Content::escape,
                     "html: values are shown as they are, whatever is in them; none: they may be "
                     "HTML."),
        table::shown("language", &Content::language, "Of the texts, such as en."),
        table::part(&Content::texts),
        table::shown("translations", &Content::translations,
                     "By language, such as de or pt-BR; what one lacks is taken from the others."),
        table::shown("display_names", &Content::display_names,
                     "For a variable such as planName: what it is for each value of plan."),
        table::shown("variables", &Content::variables,
                     "Those that whoever sends it gives, for the check.")};
    // What can be known without looking at other templates.
    static void check(const Content& content, table::Reading& reading);
    // The keys of other templates that its texts name, each once. Of one that passed the check.
    std::vector<std::string> uses() const;
    // The translation for somebody who reads that: of a language, or else of the language without
    // its region. Empty: the texts themselves.
    std::string language_for(std::string_view wanted) const;
};

// A file that goes along, as it is kept.
struct KeptFile {
    std::string filename, content_type, content_id;
    std::string sha256;
    std::int64_t bytes = 0;

    bool operator==(const KeptFile&) const = default;

    static constexpr std::string_view record_name = "TemplateFile";
    static constexpr auto fields = std::tuple{
        table::shown("filename", &KeptFile::filename),
        table::shown("content_type", &KeptFile::content_type, "Empty: by its name."),
        table::shown("content_id", &KeptFile::content_id,
                     "Not empty: an image that the HTML shows, by cid: and this."),
        table::shown("sha256", &KeptFile::sha256, "Of its content, in hexadecimal digits."),
        table::shown("bytes", &KeptFile::bytes)};
};

// All of a version, as it is kept.
struct KeptContent {
    Content content;
    std::vector<KeptFile> files;
    std::map<std::string, std::string> made_html;  // From MJML, by language; "" of the texts.

    // Of all texts.
    std::size_t bytes() const;
    // The text of a part, in a language that language_for() gave, as Liquid; HTML that was made of
    // MJML. None: there is none.
    std::optional<std::string_view> source(Part part, const std::string& language) const;

    static constexpr std::string_view record_name = "TemplateKeptContent";
    static constexpr auto fields =
        std::tuple{table::part(&KeptContent::content), table::shown("files", &KeptContent::files),
                   table::shown("made_html", &KeptContent::made_html)};
};

}  // namespace mailroom::campaigns
