// Who writes the text of a draft: a template, or a language model.
#pragma once

#include "liquid/owned_value.h"
#include "reminders/customer.h"
#include "reminders/letter.h"
#include "reminders/templates.h"
#include "writing/text_model.h"

#include <string>
#include <string_view>

namespace mailroom::reminders {

enum class Writer { by_template, by_model };
constexpr auto names_of(Writer) {
    return std::array{Name{Writer::by_template, "template"}, Name{Writer::by_model, "ai"}};
}

struct Written {
    Letter letter;
    std::string created_by;   // "template", "ai_system"
    std::string template_id;  // Empty if there is none.
    std::int64_t template_version = 0;
    std::string operators_text = {};  // See writing::KnownFacts.
};

// Who writes, as the operator set it.
struct Company {
    std::string name;
    std::string payment_details = {};  // How to pay: an account, a link. Empty: not said.

    Company(std::string its_name, std::string its_details = {})
        : name(std::move(its_name)), payment_details(std::move(its_details)) {}
    Company(const char* its_name) : name(its_name) {}
};

// Thread-safe.
class Author {
public:
    // All must outlive this object; `model` may be null: there is none.
    Author(Templates& templates, writing::TextModel* model, const Clock& clock, Company company)
        : templates_(templates),
          model_(model, "reminders.ai_url"),
          clock_(clock),
          company_(std::move(company)) {}

    struct Wish {
        ReminderType type;
        Writer writer = Writer::by_template;
        std::string template_id = {};  // Empty: the usual one of the type.
        bool fallback = false;         // The template, should the model fail.
    };
    // As writing::ModelDesk refuses; `bad_field` for a template of another type.
    Answer<Written> write(const Customer& customer, const Wish& wish);
    Answer<Letter> preview(const TemplateVersion& version, const liquid::OwnedValue& data);

    const std::string& company_name() const { return company_.name; }
    const std::string& payment_details() const { return company_.payment_details; }
    const Company& company() const { return company_; }
    // Of a draft that this version of a template wrote; an empty id: none did.
    Answer<std::string> operators_text(const std::string& template_id, std::int64_t version);

private:
    // The one that is named, or the usual one in the customer's language, as far as there is one.
    Answer<TemplateVersion> template_for(const Customer& customer, const Wish& wish);
    Answer<Written> write_by_template(const Customer& customer, const Wish& wish);
    Answer<Written> write_by_model(const Customer& customer, const Wish& wish);

    Templates& templates_;
    writing::ModelDesk model_;
    const Clock& clock_;
    const Company company_;
};

// customer_name, customer_email, invoice_id and due_date (of the longest overdue invoice),
// invoice_list, total_amount, days_overdue (the mean, in whole days), last_reminder_date (missing
// if there was none), reminder_count, company_name, payment_details (missing if there are none).
liquid::OwnedValue template_data(const Customer& customer, const Company& company, Time now);

// What is known about the customer is fenced data beside the instructions.
writing::Prompt prompt_for(const Customer& customer, ReminderType type, const Company& company,
                           Time now);

// Of all that is overdue, in whole days; 0 if nothing is.
std::int64_t mean_days_overdue(const Customer& customer, Time now);

}  // namespace mailroom::reminders
