// Templates of reminders: numbered versions that never change, of which one is active.
//
// EmailTrackingTable, TEMPLATE#{template_id} / VERSION#{n}: template_id, template_name,
// template_type, subject_template, body_template, html_template (ours, optional), status ("active",
// "inactive"), created_date, version N, branding. Other programs write versions, too: of several
// that are active the highest is. Changes of ours are made one after the other by the row
// TEMPLATE#{template_id} / HEAD of MailroomReminders, which need not be there.
#pragma once

#include "liquid/owned_value.h"
#include "reminders/books.h"
#include "reminders/letter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

inline constexpr std::size_t template_bytes_max = 64 * 1024;  // Of each part.
inline constexpr std::int64_t template_versions_max = 10'000;

// What a person writes.
struct TemplateText {
    std::string name;
    ReminderType type = ReminderType::first;
    std::string subject, body;
    std::optional<std::string> html;  // None: the HTML is made of the text.
    std::string branding = {};
};

struct TemplateVersion {
    std::string template_id;
    std::int64_t version = 1;
    bool is_active = false;
    Time created;
    TemplateText text;
};

// Thread-safe.
class Templates {
public:
    // Both must outlive this object.
    explicit Templates(Books& books) : books_(books) {}

    // reminder_first, reminder_second and reminder_final, unless there is something by that name.
    Result<> add_built_in();

    // Version 1, active. `conflict` if there is a template of that name; `bad_field` for a text
    // that is no template.
    Answer<TemplateVersion> create(const std::string& template_id, const TemplateText& text);
    enum class Activate { no, yes };
    Answer<TemplateVersion> add_version(const std::string& template_id, const TemplateText& text,
                                        Activate activate);
    Answer<TemplateVersion> activate(const std::string& template_id, std::int64_t version);

    // `not_found`.
    Answer<TemplateVersion> active(const std::string& template_id);
    Answer<TemplateVersion> version(const std::string& template_id, std::int64_t version);
    Answer<std::vector<TemplateVersion>> versions(const std::string& template_id);
    // The active version of each.
    Result<std::vector<TemplateVersion>> list();

private:
    Result<> renew_built_in(const std::string& template_id, const TemplateText& text);
    struct Head {
        std::int64_t latest = 0, active = 0;
    };
    Result<std::optional<Head>> head(const std::string& template_id);
    // The versions that can be read, whoever wrote them, in order.
    Result<std::vector<TemplateVersion>> read_versions(const std::string& template_id);
    void set_active(schedule::Transaction& transaction,
                    const std::vector<TemplateVersion>& versions, std::int64_t wanted);
    void save_head(schedule::Transaction& transaction, const std::string& template_id,
                   const std::optional<Head>& before, const Head& after);
    void set_status(schedule::Transaction& transaction, const std::string& template_id,
                    std::int64_t version, bool is_active);

    Books& books_;
};

// The template for a type when none is named: "reminder_first", ….
std::string usual_template_id(ReminderType type);
bool is_template_id(std::string_view text);

// `unprocessable`, naming each variable that is missing; a hole is never left. The subject is put
// on one line and cut to 200 characters. `data` is an object.
Answer<Letter> render(const TemplateText& text, const liquid::OwnedValue& data, const Clock& clock,
                      std::string_view company_name);

}  // namespace mailroom::reminders
