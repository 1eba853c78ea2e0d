#include "reminders/settings.h"

#include "mime/address.h"
#include "net/url.h"
#include "people/locale.h"
#include "program/setting_forms.h"

namespace mailroom::reminders {

namespace {

using program::OneOf;
using program::OnOff;
using program::Text;
using program::Whole;

// "20:00-08:00"
struct OfDay {
    static constexpr auto type = program::Setting::Type::text;

    std::string accepts() const { return "hours such as 20:00-08:00, or off"; }
    bool read(std::string_view text, QuietHours& value) const {
        const auto hours = QuietHours::parse(text);
        if (hours) value = *hours;
        return hours.has_value();
    }
    std::string show(const QuietHours& value) const { return value.text(); }
};

constexpr std::uint32_t ai_timeout_max_seconds = 50;  // Whoever asks for a draft waits for it.

bool is_address(std::string_view text) {
    const auto mailbox = mime::parse_address(text);
    return text.empty() || (mailbox && mailbox->domain.find('.') != std::string::npos);
}
bool is_url(std::string_view text) { return text.empty() || net::Url::parse(text); }

}  // namespace

// clang-format off
void add_settings(program::Settings& list, Settings& values) {
    list.section("tables");
    list.add("reminders", program::table_name(), values.tables.tracking, "Payment reminders: drafts, approvals, what was sent.");
    list.section("reminders");
    list.add("from", Text{"an address such as Accounts <billing@example.com>, or nothing", is_address}, values.drafts.from,
        "The sender of reminders; with nothing they can be approved only while mail is captured.");
    list.add("reply_to", Text{"an address, or nothing", is_address}, values.drafts.reply_to,
        "Where answers to reminders go; nothing means the sender.");
    list.add("company_name", program::one_line("a name"), values.company_name,
        "Who writes: in the texts and below them.");
    list.add("payment_details", program::optional_line("a sentence, or nothing"), values.payment_details,
        "How to pay, for the texts: Please pay to account …; nothing means as the invoices say.");
    list.add("four_eyes", OnOff(), values.drafts.four_eyes,
        "With on, whoever asked for a draft or edited it may not approve it, with no key that is theirs.");
    list.add("writer", OneOf<Writer>(), values.drafts.usual_writer,
        "Who writes drafts that do not say: the active template, or the AI endpoint.");
    list.add("ai_url", Text{"an http or https URL, or nothing", is_url}, values.ai_url,
        "An endpoint for chat completions as OpenAI has it, such as https://api.example.com/v1/chat/completions; it may be internal.");
    list.add("ai_key", program::optional_line("a key, or nothing"), values.ai_key,
        "Sent to the AI endpoint as a bearer token.", {.is_secret = true});
    list.add("ai_model", program::one_line("a model's name"), values.ai_model,
        "Which model the AI endpoint is asked for.");
    list.add("ai_timeout_seconds", Whole{1, ai_timeout_max_seconds}, values.ai_timeout,
        "How long the AI endpoint may take for one text.");
    auto& [first, second, last] = values.policy.rules;
    const Whole days{0, policy_days_max};
    list.add("first_window_days", days, first.window_days, "A first reminder is not sent again within so many days.");
    list.add("second_window_days", days, second.window_days, "Nor is a second one.");
    list.add("second_after_days", days, second.spacing_days, "A second reminder is sent so many days after the first, or later.");
    list.add("final_window_days", days, last.window_days, "A final notice is not sent again within so many days.");
    list.add("final_after_days", days, last.spacing_days, "A final notice is sent so many days after the second reminder, or later.");
    list.add("grace_days", days, values.policy.grace_days, "So many days after an invoice was due nobody is reminded of it yet.");
    auto& times = values.policy.times;
    list.add("quiet_hours", OfDay(), times.quiet,
        "When no reminder leaves, by the customer's own time; approved ones wait. It may go over midnight.");
    list.add("business_days", program::List{"days such as mon, tue, wed, thu, fri, or nothing", is_day_of_week}, times.days,
        "On which days reminders leave, by the customer's calendar; nothing is every day.");
    list.add("holidays", program::List{"days such as 2026-04-06, 12-25, or nothing", is_holiday}, times.holidays,
        "On which days none leaves; one without a year is one of each.");
    list.add("time_zone", Text{"a time zone such as Europe/Berlin", people::is_time_zone}, times.time_zone,
        "Of customers who have none of their own.");
    list.add("finals_per_cycle", Whole{1, finals_per_cycle_limit}, values.policy.finals_per_cycle_max,
        "Final notices until everything overdue is paid; then a person takes the matter up in another way.");
}
// clang-format on

}  // namespace mailroom::reminders
