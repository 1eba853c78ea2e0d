// What an operator can say of reminders: [reminders] and the name of their table.
#pragma once

#include "program/settings.h"
#include "reminders/books.h"
#include "reminders/drafts.h"
#include "reminders/policy.h"

#include <chrono>
#include <string>

namespace mailroom::reminders {

struct Settings {
    TableNames tables;
    Policy policy;
    DraftSettings drafts;
    std::string company_name = "Mailroom";
    std::string payment_details;  // How to pay; empty: not said.
    std::string ai_url;           // Empty: there is none.
    std::string ai_key;
    std::string ai_model = "gpt-4o-mini";
    std::chrono::seconds ai_timeout{30};
};

// `values` must outlive the list.
void add_settings(program::Settings& list, Settings& values);

}  // namespace mailroom::reminders
