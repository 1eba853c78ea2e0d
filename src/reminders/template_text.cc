// What a template says, and what it makes of data.
#include "base/text.h"
#include "liquid/template.h"
#include "reminders/template_rows.h"
#include "reminders/templates.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

Answer<> check_part(const char* field, std::string_view text) {
    if (text.empty() || text.size() > template_bytes_max || !is_utf8(text)) {
        return Refusal::bad_field(field, "must be text of at most 64 KB");
    }
    const auto compiled = liquid::Template::compile(text);
    if (compiled) return Ok{};
    return Refusal::bad_field(field, "is no template: " + Error(compiled.error()).message);
}

struct Part {
    std::string_view text;
    liquid::Escape escape;
};

Answer<std::string> render_part(const Part& part, const liquid::OwnedValue& data,
                                const Clock& clock, std::vector<std::string>& missing) {
    const auto compiled = liquid::Template::compile(part.text);
    if (!compiled) return Refusal(static_cast<Error>(compiled.error()));
    auto rendered = compiled->render(
        data.view(),
        {.clock = clock, .escape = part.escape, .missing = liquid::Missing::report_nil});
    if (rendered) return std::move(rendered->text);
    auto& failure = rendered.error();
    if (failure.missing_variables.empty()) {
        return Refusal(Refusal::Kind::unprocessable, "template_failed", Error(failure).message);
    }
    for (auto& name : failure.missing_variables) {
        if (std::ranges::find(missing, name) == missing.end()) missing.push_back(std::move(name));
    }
    return std::string();
}

Refusal missing_refusal(std::vector<std::string> missing) {
    std::string names;
    for (const auto& name : missing) names += (names.empty() ? "" : ", ") + name;
    Refusal refusal(Refusal::Kind::unprocessable, "missing_variables",
                    "the template needs what is not there: " + names);
    refusal.missing_variables = std::move(missing);
    return refusal;
}

std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : trim(text)) {
        const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        line += is_control ? ' ' : c;
    }
    return std::string(truncate_utf8(line, subject_chars_max));
}

}  // namespace

std::string usual_template_id(ReminderType type) {
    return "reminder_" + std::string(name_of(type));
}

bool is_template_id(std::string_view text) {
    constexpr std::size_t chars_max = 64;
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= chars_max && std::ranges::all_of(text, allowed);
}

Answer<> check_template(const std::string& template_id, const TemplateText& text) {
    if (!is_template_id(template_id)) {
        return Refusal::bad_field("template_id", "must be 1 to 64 letters, digits, _ or -");
    }
    if (trim(text.name).empty() || text.name.size() > 200 || !is_utf8(text.name)) {
        return Refusal::bad_field("template_name", "must be 1 to 200 bytes of text");
    }
    if (text.branding.size() > 200 || !is_utf8(text.branding)) {
        return Refusal::bad_field("branding", "must be at most 200 bytes of text");
    }
    TRY(check_part("subject_template", text.subject));
    TRY(check_part("body_template", text.body));
    if (text.html) TRY(check_part("html_template", *text.html));
    return Ok{};
}

Answer<Letter> render(const TemplateText& text, const liquid::OwnedValue& data, const Clock& clock,
                      std::string_view company_name) {
    std::vector<std::string> missing;
    Letter letter;
    const auto subject =
        TRY(render_part({text.subject, liquid::Escape::none}, data, clock, missing));
    letter.subject = on_one_line(subject);
    letter.text = TRY(render_part({text.body, liquid::Escape::none}, data, clock, missing));
    if (text.html) {
        letter.html = TRY(render_part({*text.html, liquid::Escape::html}, data, clock, missing));
    } else {
        letter.html = html_of(letter.text, company_name);
    }
    if (!missing.empty()) return missing_refusal(std::move(missing));
    return letter;
}

}  // namespace mailroom::reminders
