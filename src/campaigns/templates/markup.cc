#include "campaigns/templates/markup.h"

#include "liquid/template.h"
#include "mjml/compile.h"
#include "outbox/accept/request.h"

#include <functional>
#include <utility>

namespace mailroom::campaigns {

namespace {

// Of the texts and of each translation that have HTML of their own.
void each_html(const Content& content,
               const std::function<void(const std::string& language, const std::string&)>& visit) {
    if (content.texts.html) visit("", *content.texts.html);
    for (const auto& [language, texts] : content.translations) {
        if (texts.html) visit(language, *texts.html);
    }
}

std::string field_of(const std::string& language) {
    return language.empty() ? "html" : "translations." + language + ".html";
}

mjml::Options options() { return {.html_bytes_max = outbox::template_bytes_max}; }

// The HTML, in which Liquid must still be what it was.
Result<std::string> html_of(const std::string& source) {
    auto compiled = mjml::compile(source, options());
    if (!compiled) return static_cast<Error>(compiled.error());
    const auto read = liquid::Template::compile(compiled->html);
    if (read) return std::move(compiled->html);
    const Error error = read.error();
    return Error{Errc::invalid, "Liquid stands where MJML has no place for it: " + error.message};
}

}  // namespace

Answer<std::map<std::string, std::string>> made_html(const Content& content) {
    std::map<std::string, std::string> made;
    std::vector<BadField> bad;
    if (content.format == Format::html) return made;
    each_html(content, [&](const std::string& language, const std::string& source) {
        auto html = html_of(source);
        if (!html) {
            bad.push_back({field_of(language), "cannot be read as MJML: " + html.error().message,
                           "template_failed"});
        } else {
            made.emplace(language, *std::move(html));
        }
    });
    if (!bad.empty()) return Refusal(std::move(bad));
    return made;
}

std::vector<Fact> markup_facts(const std::string& key, const Content& content) {
    std::vector<Fact> facts;
    if (content.format == Format::html) return facts;
    each_html(content, [&](const std::string& language, const std::string& source) {
        const auto compiled = mjml::compile(source, options());
        if (!compiled) return;
        for (const auto& [line, tag, message] : compiled->warnings) {
            facts.push_back({.code = "mjml_warning",
                             .message = tag.empty() ? message : tag + ": " + message,
                             .key = key,
                             .part = "html",
                             .language = language,
                             .line = static_cast<std::int64_t>(line)});
        }
    });
    return facts;
}

}  // namespace mailroom::campaigns
