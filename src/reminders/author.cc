#include "reminders/author.h"

#include "base/log.h"
#include "base/text.h"
#include "reminders/dates.h"
#include "reminders/money.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t prompt_invoices_max = 5;

std::int64_t mean_days_overdue(const std::vector<OpenInvoice>& overdue, Time now) {
    std::int64_t days = 0;
    for (const auto& invoice : overdue) days += whole_days(invoice.due, now);
    return overdue.empty() ? 0 : days / static_cast<std::int64_t>(overdue.size());
}

std::string tone_of(ReminderType type) {
    switch (type) {
        case ReminderType::first:
            return "Write a friendly first payment reminder. Mention ways to pay and whom to "
                   "contact.";
        case ReminderType::second:
            return "Write a firmer second payment reminder. Refer to the earlier reminder, offer a "
                   "payment plan and name possible consequences.";
        case ReminderType::final_notice:
            break;
    }
    return "Write a firm final notice. Set a deadline such as 10 business days and name collection "
           "and credit consequences in legally careful words.";
}

Refusal model_refusal(const std::string& why) {
    return {Refusal::Kind::provider, "ai_unavailable", "the text could not be written: " + why};
}

}  // namespace

liquid::OwnedValue template_data(const Customer& customer, std::string_view company_name,
                                 Time now) {
    const auto overdue = customer.overdue(now);
    auto data = liquid::OwnedValue::object({{"customer_name", customer.name},
                                            {"customer_email", customer.email},
                                            {"company_name", company_name},
                                            {"reminder_count", customer.total_emails_sent}});
    if (const auto last = customer.last_email_sent()) {
        data.set("last_reminder_date", format_day(*last));
    }
    if (overdue.empty()) return data;
    std::string list;
    std::int64_t cents = 0;
    for (const auto& invoice : overdue) {
        if (!list.empty()) list += '\n';
        list += "- Invoice " + invoice.invoice_id + ": " +
                money_text(invoice.cents, customer.currency) + " (due " + format_day(invoice.due) +
                ")";
        cents += invoice.cents;
    }
    data.set("invoice_id", overdue.front().invoice_id);
    data.set("due_date", format_day(overdue.front().due));
    data.set("invoice_list", std::move(list));
    data.set("total_amount", money_text(cents, customer.currency));
    data.set("days_overdue", mean_days_overdue(overdue, now));
    return data;
}

std::string prompt_for(const Customer& customer, ReminderType type, std::string_view company_name,
                       Time now) {
    const auto overdue = customer.overdue(now);
    std::string prompt =
        tone_of(type) + "\n\nCustomer: " + customer.name + "\nAddress: " + customer.email +
        "\nTotal overdue: " + money_text(customer.figures(now).cents, customer.currency) + "\n";
    for (std::size_t i = 0; i < std::min(overdue.size(), prompt_invoices_max); ++i) {
        prompt += "Invoice #" + overdue[i].invoice_id + ": " +
                  money_text(overdue[i].cents, customer.currency) +
                  " (Due: " + format_day(overdue[i].due) + ")\n";
    }
    const auto last = customer.last_email_sent();
    prompt += "Days overdue: " + std::to_string(mean_days_overdue(overdue, now)) +
              "\nLast reminder: " + (last ? format_day(*last) : "none") +
              "\nReminders so far: " + std::to_string(customer.total_emails_sent) + "\n\n";
    return prompt + "Begin with a line \"Subject: …\". Write plain text, no markup. Sign as " +
           std::string(company_name) + ".";
}

Answer<Written> Author::write(const Customer& customer, const Wish& wish) {
    if (wish.writer == Writer::by_template) return write_by_template(customer, wish);
    auto written = write_by_model(customer, wish);
    if (written || !wish.fallback) return written;
    log::warn("a model did not write a reminder; the template did",
              {{"customer", customer.customer_id}, {"reason", written.error().message}});
    return write_by_template(customer, wish);
}

Answer<Written> Author::write_by_template(const Customer& customer, const Wish& wish) {
    const auto id = wish.template_id.empty() ? usual_template_id(wish.type) : wish.template_id;
    const auto version = TRY(templates_.active(id));
    if (version.text.type != wish.type) {
        return Refusal::bad_field("template_id",
                                  "is of type " + std::string(name_of(version.text.type)));
    }
    const auto data = template_data(customer, company_name_, clock_.now());
    auto letter = TRY(preview(version, data));
    return Written{std::move(letter), "template", id, version.version};
}

Answer<Written> Author::write_by_model(const Customer& customer, const Wish& wish) {
    if (model_ == nullptr) return model_refusal("no AI endpoint is configured (reminders.ai_url)");
    const auto text = model_->write(prompt_for(customer, wish.type, company_name_, clock_.now()));
    if (!text) return model_refusal(text.error().message);
    auto letter = letter_of_model_text(*text, usual_subject(company_name_), company_name_);
    if (!check_letter(letter)) return model_refusal("what came back is no letter");
    return Written{std::move(letter), "ai_system", "", 0};
}

Answer<Letter> Author::preview(const TemplateVersion& version, const liquid::OwnedValue& data) {
    return render(version.text, data, clock_, company_name_);
}

}  // namespace mailroom::reminders
