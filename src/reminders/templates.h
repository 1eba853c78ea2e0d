// Templates of reminders: see writing/versions.h.
//
// EmailTrackingTable, TEMPLATE#{template_id} / VERSION#{n}: the seed's attributes template_id,
// template_name, template_type, subject_template, body_template, status ("active", "inactive"),
// created_date, version N, branding; ours is html_template. The HEAD is in MailroomReminders.
#pragma once

#include "liquid/owned_value.h"
#include "reminders/books.h"
#include "reminders/fields.h"
#include "reminders/letter.h"
#include "writing/versions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// As templates spell it: "first_reminder", ….
struct TemplateType : table::Form<ReminderType> {
    static table::Value store(ReminderType type) { return table::Value(template_type_of(type)); }
    static void show(json::Writer& writer, ReminderType type);
    static void read(const json::View& view, ReminderType& to, table::Reading& reading);
    static void describe(json::Writer& writer, table::Schemas&);
};

// What a person writes.
struct TemplateText {
    std::string name;
    ReminderType type = ReminderType::first;
    std::string subject, body;
    std::optional<std::string> html;  // None: the HTML is made of the text.
    std::string branding = {};

    static constexpr std::string_view record_name = "ReminderTemplate";
    static constexpr auto fields = std::tuple{
        must_have("template_name", &TemplateText::name),
        spelled<TemplateType>(must_have("template_type", &TemplateText::type)),
        must_have("subject_template", &TemplateText::subject, "Liquid."),
        must_have("body_template", &TemplateText::body, "Liquid; plain text."),
        kept("html_template", &TemplateText::html, "Made of the text, if it is not said."),
        kept("branding", &TemplateText::branding)};
    // The id tells what another program may have left out.
    static void complete(table::Item& row, const std::string& template_id);
};

using TemplateVersion = writing::TemplateVersion<TemplateText>;

// `bad_field`, naming all that is wrong.
Answer<> check_template(const std::string& template_id, const TemplateText& text);

// Thread-safe.
class Templates : public writing::VersionedTemplates<TemplateText> {
public:
    // `books` must outlive this object.
    explicit Templates(const Books& books)
        : VersionedTemplates({books.store, books.schedule, books.clock,
                              books.declared(books.tables.tracking),
                              books.declared(books.tables.reminders)}) {}

    // reminder_first, reminder_second and reminder_final, unless there is something by that name.
    Result<> add_built_in();

private:
    Result<> renew_built_in(const std::string& template_id, const TemplateText& text);
};

// The template for a type when none is named: "reminder_first", ….
std::string usual_template_id(ReminderType type);
// Those for a customer with that language, the best first: reminder_first-pt-BR, reminder_first-pt,
// reminder_first.
std::vector<std::string> usual_template_ids(ReminderType type, std::string_view language);

// `unprocessable`, naming each variable that is missing; a hole is never left. The subject is put
// on one line and cut to 200 characters. `data` is an object.
Answer<Letter> render(const TemplateText& text, const liquid::OwnedValue& data, const Clock& clock,
                      std::string_view company_name);

}  // namespace mailroom::reminders
