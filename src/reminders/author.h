// Who writes the text of a draft: a template, or a language model.
#pragma once

#include "liquid/owned_value.h"
#include "reminders/customer.h"
#include "reminders/letter.h"
#include "reminders/templates.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

// A language model. Thread-safe.
class TextModel {
public:
    virtual ~TextModel() = default;
    // Plain text, or why there is none: never a text that tells of a failure.
    virtual Result<std::string> write(const std::string& prompt) = 0;
};

enum class Writer { by_template, by_model };

struct Written {
    Letter letter;
    std::string created_by;   // "template", "ai_system"
    std::string template_id;  // Empty if there is none.
    std::int64_t template_version = 0;
};

// Thread-safe.
class Author {
public:
    // Both must outlive this object; `model` may be null: there is none.
    Author(Templates& templates, TextModel* model, const Clock& clock, std::string company_name)
        : templates_(templates),
          model_(model),
          clock_(clock),
          company_name_(std::move(company_name)) {}

    struct Wish {
        ReminderType type;
        Writer writer = Writer::by_template;
        std::string template_id = {};  // Empty: the usual one of the type.
        bool fallback = false;         // The template, should the model fail.
    };
    // `provider` with the code ai_unavailable when the model does not help; `bad_field` for a
    // template of another type.
    Answer<Written> write(const Customer& customer, const Wish& wish);
    Answer<Letter> preview(const TemplateVersion& version, const liquid::OwnedValue& data);

    const std::string& company_name() const { return company_name_; }

private:
    Answer<Written> write_by_template(const Customer& customer, const Wish& wish);
    Answer<Written> write_by_model(const Customer& customer, const Wish& wish);

    Templates& templates_;
    TextModel* const model_;
    const Clock& clock_;
    const std::string company_name_;
};

// customer_name, customer_email, invoice_id and due_date (of the longest overdue invoice),
// invoice_list, total_amount, days_overdue (the mean, in whole days), last_reminder_date (missing
// if there was none), reminder_count, company_name.
liquid::OwnedValue template_data(const Customer& customer, std::string_view company_name, Time now);

std::string prompt_for(const Customer& customer, ReminderType type, std::string_view company_name,
                       Time now);

}  // namespace mailroom::reminders
