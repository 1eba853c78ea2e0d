// Who writes the text of a draft: a template, or a language model.
#pragma once

#include "liquid/owned_value.h"
#include "reminders/customer.h"
#include "reminders/letter.h"
#include "reminders/templates.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

// What a language model is told: what to do, and apart from it what to do it with.
struct Prompt {
    std::string instructions, data;
};

// A language model. Thread-safe.
class TextModel {
public:
    virtual ~TextModel() = default;
    // Plain text, or why there is none: never a text that tells of a failure.
    virtual Result<std::string> write(const Prompt& prompt) = 0;
};

enum class Writer { by_template, by_model };

struct Written {
    Letter letter;
    std::string created_by;   // "template", "ai_system"
    std::string template_id;  // Empty if there is none.
    std::int64_t template_version = 0;
    std::string operators_text = {};  // See KnownFacts.
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
    // As many texts a model may be writing at one time. Whoever asks waits for theirs, on a thread
    // that others need, too: the rest is sent away.
    static constexpr int model_texts_max = 8;

    // Both must outlive this object; `model` may be null: there is none.
    Author(Templates& templates, TextModel* model, const Clock& clock, Company company)
        : templates_(templates), model_(model), clock_(clock), company_(std::move(company)) {}

    struct Wish {
        ReminderType type;
        Writer writer = Writer::by_template;
        std::string template_id = {};  // Empty: the usual one of the type.
        bool fallback = false;         // The template, should the model fail.
    };
    // `provider` with the code ai_unavailable when the model does not help; `unavailable` with the
    // code ai_busy when it has too much to do; `bad_field` for a template of another type.
    Answer<Written> write(const Customer& customer, const Wish& wish);
    Answer<Letter> preview(const TemplateVersion& version, const liquid::OwnedValue& data);

    const std::string& company_name() const { return company_.name; }
    const std::string& payment_details() const { return company_.payment_details; }
    const Company& company() const { return company_; }
    // Of a draft that this version of a template wrote; an empty id: none did.
    Answer<std::string> operators_text(const std::string& template_id, std::int64_t version);

private:
    Answer<Written> write_by_template(const Customer& customer, const Wish& wish);
    Answer<Written> write_by_model(const Customer& customer, const Wish& wish);

    Templates& templates_;
    TextModel* const model_;
    const Clock& clock_;
    const Company company_;
    std::atomic<int> model_texts_{0};  // Being written now.
};

// customer_name, customer_email, invoice_id and due_date (of the longest overdue invoice),
// invoice_list, total_amount, days_overdue (the mean, in whole days), last_reminder_date (missing
// if there was none), reminder_count, company_name, payment_details (missing if there are none).
liquid::OwnedValue template_data(const Customer& customer, const Company& company, Time now);

// What is known about the customer is JSON between two marks, so that no name or number of an
// invoice can be taken for an instruction.
Prompt prompt_for(const Customer& customer, ReminderType type, const Company& company, Time now);

// Of all that is overdue, in whole days; 0 if nothing is.
std::int64_t mean_days_overdue(const Customer& customer, Time now);

}  // namespace mailroom::reminders
