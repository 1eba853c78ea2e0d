// The templates that a newcomer finds.
#include "reminders/templates.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr const char* branding = "mailroom";
// Versions of ours are never many; somebody who copies the word makes their own.
constexpr std::int64_t built_in_versions_max = 2;

// A paragraph is one line: mail programs break lines where their reader needs it.
constexpr const char* first_body =
    "Dear {{ customer_name }},\n"
    "\n"
    "we hope you are well. According to our records the following is still open:\n"
    "\n"
    "{{ invoice_list }}\n"
    "\n"
    "In all this is {{ total_amount }}.{% if payment_details %} {{ payment_details }}{% endif %} "
    "It may have slipped through, and perhaps your payment is "
    "already on its way: then please ignore this letter. If something is wrong with an invoice, or "
    "you would like to pay in another way, just answer this mail.\n"
    "\n"
    "Thank you and kind regards\n"
    "{{ company_name }}\n";

constexpr const char* second_body =
    "Dear {{ customer_name }},\n"
    "\n"
    "{% if last_reminder_date %}we wrote to you on {{ last_reminder_date }} about open invoices "
    "and have not received a payment yet. The following is overdue{% else %}we have not received "
    "your payment of the following, which is overdue{% endif %}, by {{ days_overdue }} days on "
    "average:\n"
    "\n"
    "{{ invoice_list }}\n"
    "\n"
    "Please pay the total of {{ total_amount }} within the next days.{% if payment_details %} "
    "{{ payment_details }}{% endif %} If you cannot pay it all at "
    "once, answer this mail, and we will find a plan together. Without an answer we may have to "
    "hold "
    "back further deliveries.\n"
    "\n"
    "Kind regards\n"
    "{{ company_name }}\n";

constexpr const char* final_body =
    "Dear {{ customer_name }},\n"
    "\n"
    "this is our final notice. {% if last_reminder_date %}Despite our earlier reminders, the last "
    "of {{ last_reminder_date }}, these{% else %}These{% endif %} invoices are unpaid:\n"
    "\n"
    "{{ invoice_list }}\n"
    "\n"
    "Please pay the total of {{ total_amount }} within 10 business days of this letter."
    "{% if payment_details %} {{ payment_details }}{% endif %} If we have "
    "not received your payment by then, we may hand the matter to a collection agency. If you "
    "believe that this is a mistake, please tell us at once by answering this mail.\n"
    "\n"
    "{{ company_name }}\n";

}  // namespace

// One that nobody has changed is as this server has it; what people made stays.
Result<> Templates::renew_built_in(const std::string& template_id, const TemplateText& text) {
    const auto there = versions(template_id);
    if (!there) return Ok{};
    const bool is_ours = std::ranges::all_of(*there, [](const TemplateVersion& version) {
        return version.text.branding == branding && version.version <= built_in_versions_max;
    });
    const auto& newest = there->back();
    if (!is_ours || !newest.is_active || newest.text.body == text.body) return Ok{};
    const auto added = add_version(template_id, text, Activate::yes);
    if (!added) return Error(added.error());
    return Ok{};
}

Result<> Templates::add_built_in() {
    struct BuiltIn {
        ReminderType type;
        const char *name, *subject, *body;
    };
    const BuiltIn all[] = {
        {ReminderType::first, "First Reminder Template",
         "Payment Reminder: Invoice {{ invoice_id }} - {{ company_name }}", first_body},
        {ReminderType::second, "Second Reminder Template",
         "Second Payment Reminder: {{ total_amount }} overdue - {{ company_name }}", second_body},
        {ReminderType::final_notice, "Final Notice Template",
         "Final Notice: {{ total_amount }} overdue - {{ company_name }}", final_body},
    };
    for (const auto& one : all) {
        const auto id = usual_template_id(one.type);
        const TemplateText text{.name = one.name,
                                .type = one.type,
                                .subject = one.subject,
                                .body = one.body,
                                .html = std::nullopt,
                                .branding = branding};
        const auto made = create(id, text);
        if (!made && made.error().code != "template_exists") return Error(made.error());
        if (!made) TRY(renew_built_in(id, text));
    }
    return Ok{};
}

}  // namespace mailroom::reminders
