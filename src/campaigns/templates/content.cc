#include "campaigns/templates/content.h"

#include "base/text.h"
#include "campaigns/templates/key.h"
#include "liquid/places.h"
#include "outbox/accept/request.h"
#include "people/locale.h"

#include <algorithm>
#include <set>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t about_bytes_max = 1000;
constexpr std::size_t preheader_bytes_max = 2000;
constexpr std::size_t translations_max = 50;
constexpr std::size_t labels_max = 2000;  // Display names, of all variables together.
constexpr std::size_t variables_max = 500, variable_bytes_max = 200;
constexpr std::size_t uses_max = 100;
constexpr std::size_t content_bytes_max = 2 * 1024 * 1024;

std::string at_most(std::size_t bytes) {
    return "must be at most " + std::to_string(bytes) + " bytes";
}

std::size_t bytes_max_of(Part part) {
    switch (part) {
        case Part::subject:
            return outbox::subject_bytes_max;
        case Part::preheader:
            return preheader_bytes_max;
        case Part::html:
        case Part::text:
            break;
    }
    return outbox::template_bytes_max;
}

// Whether texts of that part may be made of other templates.
bool may_use_others(Part part) { return part == Part::html || part == Part::text; }

std::optional<std::string> fault_of_use(const liquid::PartialPlace& use, Part part) {
    const auto line = " (line " + std::to_string(use.line) + ")";
    if (!may_use_others(part)) return "must not name another template" + line;
    if (use.name.empty()) return "must name other templates in quotes" + line;
    const auto fault = key_fault(use.name);
    if (!fault) return std::nullopt;
    return "names " + use.name + line + ", which is no key of a template: it " + *fault;
}

void check_part(Part part, const std::string& text, table::Reading& reading) {
    const auto name = name_of(part);
    if (text.size() > bytes_max_of(part)) {
        return reading.wrong_member(name, at_most(bytes_max_of(part)));
    }
    const auto compiled = liquid::Template::compile(text);
    if (!compiled) {
        const Error error = compiled.error();
        return reading.wrong_member(name, "cannot be read: " + error.message, "template_failed");
    }
    for (const auto& use : liquid::partial_places(*compiled)) {
        if (auto fault = fault_of_use(use, part)) {
            return reading.wrong_member(name, *std::move(fault), "template_failed");
        }
    }
}

void check_texts(const Texts& texts, table::Reading& reading) {
    for (const auto part : all_parts) {
        if (const auto& text = texts.of(part)) check_part(part, *text, reading);
    }
}

void check_translations(const Content& content, table::Reading& reading) {
    if (content.translations.size() > translations_max) {
        return reading.wrong_member("translations", "must be at most 50 languages");
    }
    std::set<std::string> languages{ascii_lower(content.language)};
    const table::Reading::Inside inside(reading, "translations");
    for (const auto& [language, texts] : content.translations) {
        const table::Reading::Inside one(reading, language);
        if (!people::is_language(language)) reading.wrong("must be a language such as de or pt-BR");
        if (!languages.insert(ascii_lower(language)).second) reading.wrong("is there twice");
        check_texts(texts, reading);
    }
}

void check_lists(const Content& content, table::Reading& reading) {
    std::size_t labels = 0;
    for (const auto& [variable, names] : content.display_names) labels += 1 + names.size();
    if (labels > labels_max) reading.wrong_member("display_names", "must be at most 2000 names");
    const auto is_long = [](const auto& name) { return name.size() > variable_bytes_max; };
    if (content.variables.size() > variables_max ||
        std::ranges::any_of(content.variables, is_long)) {
        reading.wrong_member("variables", "must be at most 500 names of at most 200 bytes");
    }
}

std::size_t bytes_of(const Texts& texts) {
    std::size_t bytes = 0;
    for (const auto part : all_parts) bytes += texts.of(part) ? texts.of(part)->size() : 0;
    return bytes;
}

void check_size(const Content& content, table::Reading& reading) {
    auto bytes = bytes_of(content.texts);
    for (const auto& [language, texts] : content.translations) bytes += bytes_of(texts);
    for (const auto& [variable, names] : content.display_names) {
        for (const auto& [value, name] : names) bytes += value.size() + name.size();
    }
    if (bytes > content_bytes_max) {
        reading.wrong("its texts " + at_most(content_bytes_max) + " together");
    }
}

void add_uses(const Texts& texts, std::set<std::string>& uses) {
    for (const auto part : all_parts) {
        const auto& text = texts.of(part);
        if (!text) continue;
        const auto compiled = liquid::Template::compile(*text);
        if (!compiled) continue;
        for (const auto& use : liquid::partial_places(*compiled)) uses.insert(use.name);
    }
}

}  // namespace

const std::optional<std::string>& Texts::of(Part part) const {
    switch (part) {
        case Part::subject:
            return subject;
        case Part::preheader:
            return preheader;
        case Part::html:
            return html;
        case Part::text:
            break;
    }
    return text;
}

void Content::check(const Content& content, table::Reading& reading) {
    if (content.about.size() > about_bytes_max) {
        reading.wrong_member("about", at_most(about_bytes_max));
    }
    if (!content.language.empty() && !people::is_language(content.language)) {
        reading.wrong_member("language", "must be a language such as de or pt-BR");
    }
    check_size(content, reading);
    if (!reading.is_good()) return;
    check_texts(content.texts, reading);
    check_translations(content, reading);
    check_lists(content, reading);
    if (content.uses().size() > uses_max) reading.wrong("it names more than 100 other templates");
}

std::vector<std::string> Content::uses() const {
    std::set<std::string> found;
    add_uses(texts, found);
    for (const auto& [name, one] : translations) add_uses(one, found);
    return {found.begin(), found.end()};
}

std::string Content::language_for(std::string_view wanted) const {
    for (auto tag = wanted; !tag.empty();) {
        if (ascii_equal_ignoring_case(tag, language)) return "";
        for (const auto& [known, one] : translations) {
            if (ascii_equal_ignoring_case(tag, known)) return known;
        }
        const auto dash = tag.rfind('-');
        tag = tag.substr(0, dash == tag.npos ? 0 : dash);
    }
    return "";
}

std::size_t KeptContent::bytes() const {
    auto bytes = bytes_of(content.texts);
    for (const auto& [language, texts] : content.translations) bytes += bytes_of(texts);
    for (const auto& [language, html] : made_html) bytes += html.size();
    return bytes;
}

std::optional<std::string_view> KeptContent::source(Part part, const std::string& language) const {
    const auto made = [&](const std::string& of,
                          const Texts& texts) -> std::optional<std::string_view> {
        const auto& text = texts.of(part);
        if (!text) return std::nullopt;
        if (part != Part::html || content.format == Format::html) return *text;
        const auto found = made_html.find(of);
        return found == made_html.end() ? *text : found->second;
    };
    const auto found = content.translations.find(language);
    if (found == content.translations.end()) return made("", content.texts);
    const auto& translated = found->second;
    if (auto own = made(language, translated)) return own;
    // A text and a preheader say what the HTML says.
    const bool belongs_to_html = part == Part::text || part == Part::preheader;
    if (belongs_to_html && translated.html) return std::nullopt;
    return made("", content.texts);
}

}  // namespace mailroom::campaigns
