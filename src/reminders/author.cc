#include "reminders/author.h"

#include "base/days.h"
#include "base/log.h"
#include "base/money.h"
#include "base/text.h"
#include "json/writer.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t prompt_invoices_max = 5;

constexpr std::string_view data_name = "customer_data";

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

}  // namespace

std::int64_t mean_days_overdue(const Customer& customer, Time now) {
    const auto overdue = customer.overdue(now);
    std::int64_t days = 0;
    for (const auto& invoice : overdue) days += whole_days(invoice.due, now);
    return overdue.empty() ? 0 : days / static_cast<std::int64_t>(overdue.size());
}

liquid::OwnedValue template_data(const Customer& customer, const Company& company, Time now) {
    const auto overdue = customer.overdue(now);
    auto data = liquid::OwnedValue::object({{"customer_name", customer.name},
                                            {"customer_email", customer.email},
                                            {"company_name", company.name},
                                            {"reminder_count", customer.total_emails_sent}});
    if (!company.payment_details.empty()) data.set("payment_details", company.payment_details);
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
    data.set("days_overdue", mean_days_overdue(customer, now));
    return data;
}

writing::Prompt prompt_for(const Customer& customer, ReminderType type, const Company& company,
                           Time now) {
    writing::Prompt prompt;
    prompt.instructions =
        "You write payment reminders for " + company.name + ". " + tone_of(type) + "\n\n" +
        writing::about_fenced(data_name, "facts about one customer") +
        " Name no amount, date, invoice, link or account that is not in it or in these "
        "instructions, and leave no gaps such as [Your Name].\n" +
        (company.payment_details.empty()
             ? "Ask to pay as the invoices say; give no account and no link."
             : "How to pay, to be given word for word: " + company.payment_details) +
        (customer.language.empty()
             ? ""
             : "\nWrite in the language with the tag " + customer.language + ".") +
        "\nBegin with a line \"Subject: …\". Write plain text, no markup. Sign as " + company.name +
        ".";
    std::string json;
    json::Writer writer(json);
    const auto last = customer.last_email_sent();
    const auto overdue = customer.overdue(now);
    writer.open_object().key("customer_name").text(customer.name);
    writer.key("customer_email").text(customer.email);
    writer.key("total_overdue").text(money_text(customer.figures(now).cents, customer.currency));
    writer.key("invoices").open_list();
    for (std::size_t i = 0; i < std::min(overdue.size(), prompt_invoices_max); ++i) {
        writer.open_object().key("invoice_id").text(overdue[i].invoice_id);
        writer.key("balance").text(money_text(overdue[i].cents, customer.currency));
        writer.key("due").text(format_day(overdue[i].due)).close_object();
    }
    writer.close_list().key("days_overdue").integer(mean_days_overdue(customer, now));
    writer.key("last_reminder").text(last ? format_day(*last) : "none");
    writer.key("reminders_so_far").integer(customer.total_emails_sent).close_object();
    prompt.data = writing::fenced(data_name, std::move(json));
    return prompt;
}

Answer<std::string> Author::operators_text(const std::string& template_id, std::int64_t number) {
    auto text = company_.payment_details;
    if (template_id.empty()) return text;
    const auto version = templates_.version(template_id, number);
    if (!version && version.error().kind == Refusal::Kind::not_found) return text;
    if (!version) return version.error();
    return text + "\n" + version->text.subject + "\n" + version->text.body + "\n" +
           version->text.html.value_or("");
}

Answer<Written> Author::write(const Customer& customer, const Wish& wish) {
    if (wish.writer == Writer::by_template) return write_by_template(customer, wish);
    auto written = write_by_model(customer, wish);
    if (written || !wish.fallback) return written;
    log::warn("a model did not write a reminder; the template did",
              {{"customer", customer.customer_id}, {"reason", written.error().message}});
    return write_by_template(customer, wish);
}

Answer<TemplateVersion> Author::template_for(const Customer& customer, const Wish& wish) {
    if (!wish.template_id.empty()) return templates_.active(wish.template_id);
    const auto ids = usual_template_ids(wish.type, customer.language);
    for (const auto& id : ids) {
        auto version = templates_.active(id);
        if (version || version.error().kind != Refusal::Kind::not_found) return version;
    }
    return templates_.active(ids.back());
}

Answer<Written> Author::write_by_template(const Customer& customer, const Wish& wish) {
    const auto version = TRY(template_for(customer, wish));
    const auto& id = version.template_id;
    if (version.text.type != wish.type) {
        return Refusal::bad_field("template_id",
                                  "is of type " + std::string(name_of(version.text.type)));
    }
    const auto data = template_data(customer, company_, clock_.now());
    auto letter = TRY(preview(version, data));
    auto operators = TRY(operators_text(id, version.version));
    return Written{std::move(letter), "template", id, version.version, std::move(operators)};
}

Answer<Written> Author::write_by_model(const Customer& customer, const Wish& wish) {
    const auto text = TRY(model_.write(prompt_for(customer, wish.type, company_, clock_.now())));
    auto [subject, body] = writing::taken_apart(text, usual_subject(company_.name));
    auto html = html_of(body, company_.name);
    Letter letter{std::move(subject), std::move(body), std::move(html)};
    if (!check_letter(letter)) {
        return writing::model_does_not_help("what came back is no letter");
    }
    return Written{std::move(letter), "ai_system", "", 0, company_.payment_details};
}

Answer<Letter> Author::preview(const TemplateVersion& version, const liquid::OwnedValue& data) {
    return render(version.text, data, clock_, company_.name);
}

}  // namespace mailroom::reminders
