// What a template says, and what it makes of data.
#include "reminders/templates.h"

#include "base/text.h"
#include "writing/filling.h"

namespace mailroom::reminders {

void TemplateType::show(json::Writer& writer, ReminderType type) {
    writer.text(template_type_of(type));
}

void TemplateType::read(const json::View& view, ReminderType& to, table::Reading& reading) {
    const bool is_text = view.type() == json::View::Type::text;
    const auto type = is_text ? named<ReminderType>(view.text()) : std::nullopt;
    if (type) to = *type;
    if (!type) reading.wrong("must be first_reminder, second_reminder or final_notice");
}

void TemplateType::describe(json::Writer& writer, table::Schemas&) {
    writer.key("type").text("string").key("enum").open_list();
    for (const auto type : all_types) writer.text(template_type_of(type));
    writer.close_list();
}

std::string usual_template_id(ReminderType type) {
    return "reminder_" + std::string(name_of(type));
}

std::vector<std::string> usual_template_ids(ReminderType type, std::string_view language) {
    std::vector<std::string> ids;
    while (!language.empty()) {
        ids.push_back(usual_template_id(type) + "-" + std::string(language));
        const auto dash = language.rfind('-');
        language = language.substr(0, dash == language.npos ? 0 : dash);
    }
    ids.push_back(usual_template_id(type));
    return ids;
}

void TemplateText::complete(table::Item& row, const std::string& template_id) {
    const auto text = [&row](const char* name) { return std::string(row.text(name).value_or("")); };
    if (!named<ReminderType>(text("template_type"))) {
        // "reminder_first", "reminder_first-de"
        const auto after = template_id.substr(template_id.rfind('_') + 1);
        const auto type = named<ReminderType>(after.substr(0, after.find('-')));
        if (type) row.set("template_type", template_type_of(*type));
    }
    if (text("template_name").empty()) row.set("template_name", template_id);
    if (text("subject_template").empty()) {
        row.set("subject_template", usual_subject("{{ company_name }}"));
    }
}

Answer<> check_template(const std::string& template_id, const TemplateText& text) {
    constexpr std::size_t name_bytes_max = 200;
    table::Reading reading;
    if (!writing::is_template_id(template_id)) {
        reading.wrong_member("template_id", "must be 1 to 64 letters, digits, _ or -");
    }
    if (trim(text.name).empty() || text.name.size() > name_bytes_max || !is_utf8(text.name)) {
        reading.wrong_member("template_name", "must be 1 to 200 bytes of text");
    }
    if (text.branding.size() > name_bytes_max || !is_utf8(text.branding)) {
        reading.wrong_member("branding", "must be at most 200 bytes of text");
    }
    writing::check_template(text.subject, "subject_template", reading);
    writing::check_template(text.body, "body_template", reading);
    if (text.html) writing::check_template(*text.html, "html_template", reading);
    if (!reading.is_good()) return Refusal(reading.take());
    return Ok{};
}

Answer<Letter> render(const TemplateText& text, const liquid::OwnedValue& data, const Clock& clock,
                      std::string_view company_name) {
    writing::Filling filling(data, clock);
    Letter letter;
    letter.subject = writing::subject_of(TRY(filling.fill(text.subject)));
    letter.text = TRY(filling.fill(text.body));
    letter.html = text.html ? TRY(filling.fill(*text.html, liquid::Escape::html))
                            : html_of(letter.text, company_name);
    TRY(filling.check());
    return letter;
}

}  // namespace mailroom::reminders
