#include "app/setting_values.h"
#include "app/settings.h"
#include "mime/address.h"
#include "net/url.h"
#include "reminders/policy.h"

#include <algorithm>
#include <array>

namespace mailroom::app {

namespace {

using Type = Setting::Type;
using Reminders = Config::Reminders;

constexpr std::size_t text_bytes_max = 500;  // A name or a key; they travel in headers and mails.

bool is_one_line(std::string_view text) {
    return text.size() <= text_bytes_max && std::ranges::none_of(text, [](char c) {
               return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
           });
}

template <std::string Reminders::*text>
bool assign_text(Config& config, std::string_view value) {
    if (!is_one_line(value)) return false;
    config.reminders.*text = value;
    return true;
}

template <std::string Reminders::*text>
bool assign_address(Config& config, std::string_view value) {
    const auto mailbox = mime::parse_address(value);
    const bool good = mailbox && mailbox->domain.find('.') != std::string::npos;
    if (!value.empty() && !good) return false;
    config.reminders.*text = value;
    return true;
}

template <std::string Reminders::*text>
std::string text_of(const Config& config) {
    return config.reminders.*text;
}

template <std::string Reminders::*text>
bool assign_name(Config& config, std::string_view value) {
    return !value.empty() && assign_text<text>(config, value);
}

bool assign_url(Config& config, std::string_view value) {
    if (!value.empty() && !net::Url::parse(value)) return false;
    config.reminders.ai_url = value;
    return true;
}

bool assign_writer(Config& config, std::string_view value) {
    if (value != "template" && value != "ai") return false;
    config.reminders.writer = value;
    return true;
}

bool assign_four_eyes(Config& config, std::string_view value) {
    if (value != "on" && value != "off") return false;
    config.reminders.four_eyes = value == "on";
    return true;
}

template <std::uint32_t Reminders::*number, std::uint32_t least, std::uint32_t most>
constexpr Setting number_setting(std::string_view key, std::string_view accepts,
                                 std::string_view help) {
    return {"reminders",
            key,
            Type::integer,
            accepts,
            help,
            "",
            [](Config& c, std::string_view text) {
                const auto value = parse_whole_number(text, least, most);
                if (value) c.reminders.*number = *value;
                return value.has_value();
            },
            [](const Config& c) { return std::to_string(c.reminders.*number); }};
}

template <std::uint32_t Reminders::*number>
constexpr Setting days_setting(std::string_view key, std::string_view help) {
    return number_setting<number, 0, reminders::policy_days_max>(key, "a whole number up to 365",
                                                                 help);
}

constexpr std::uint32_t ai_timeout_max = 50;  // Whoever asks for a draft waits for it.

// clang-format off
const std::array all_settings = {
    Setting{"reminders", "from", Type::text, "an address such as Accounts <billing@example.com>, or nothing",
        "The sender of reminders; with nothing they can be approved only while mail is captured.", "",
        assign_address<&Reminders::from>, text_of<&Reminders::from>},
    Setting{"reminders", "reply_to", Type::text, "an address, or nothing",
        "Where answers to reminders go; nothing means the sender.", "",
        assign_address<&Reminders::reply_to>, text_of<&Reminders::reply_to>},
    Setting{"reminders", "company_name", Type::text, "a name",
        "Who writes: in the texts and below them.", "",
        assign_name<&Reminders::company_name>, text_of<&Reminders::company_name>},
    Setting{"reminders", "payment_details", Type::text, "a sentence, or nothing",
        "How to pay, for the texts: Please pay to account …; nothing means as the invoices say.", "",
        assign_text<&Reminders::payment_details>, text_of<&Reminders::payment_details>},
    Setting{"reminders", "four_eyes", Type::text, "on or off",
        "With on, whoever asked for a draft or edited it may not approve it.", "",
        assign_four_eyes,
        [](const Config& c) { return std::string(c.reminders.four_eyes ? "on" : "off"); }},
    Setting{"reminders", "writer", Type::text, "template or ai",
        "Who writes drafts that do not say: the active template, or the AI endpoint.", "",
        assign_writer, text_of<&Reminders::writer>},
    Setting{"reminders", "ai_url", Type::text, "an http or https URL, or nothing",
        "An endpoint for chat completions as OpenAI has it, such as https://api.example.com/v1/chat/completions; it may be internal.", "",
        assign_url, text_of<&Reminders::ai_url>},
    Setting{"reminders", "ai_key", Type::text, "a key, or nothing",
        "Sent to the AI endpoint as a bearer token.", "",
        assign_text<&Reminders::ai_key>, text_of<&Reminders::ai_key>, true},
    Setting{"reminders", "ai_model", Type::text, "a model's name",
        "Which model the AI endpoint is asked for.", "",
        assign_name<&Reminders::ai_model>, text_of<&Reminders::ai_model>},
    number_setting<&Reminders::ai_timeout_seconds, 1, ai_timeout_max>("ai_timeout_seconds", "a whole number from 1 to 50",
        "How long the AI endpoint may take for one text."),
    days_setting<&Reminders::first_window_days>("first_window_days", "A first reminder is not sent again within so many days."),
    days_setting<&Reminders::second_window_days>("second_window_days", "Nor is a second one."),
    days_setting<&Reminders::second_after_days>("second_after_days", "A second reminder is sent so many days after the first, or later."),
    days_setting<&Reminders::final_window_days>("final_window_days", "A final notice is not sent again within so many days."),
    days_setting<&Reminders::final_after_days>("final_after_days", "A final notice is sent so many days after the second reminder, or later."),
    number_setting<&Reminders::finals_per_cycle, 1, reminders::finals_per_cycle_limit>("finals_per_cycle", "a whole number from 1 to 8",
        "Final notices until everything overdue is paid; then a person takes the matter up in another way."),
};
// clang-format on

}  // namespace

std::span<const Setting> reminder_settings() { return all_settings; }

}  // namespace mailroom::app
