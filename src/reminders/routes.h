// What reminders offer: /v1/reminders/….
#pragma once

#include "program/api.h"
#include "reminders/accounts.h"
#include "reminders/assessment.h"
#include "reminders/author.h"
#include "reminders/deliveries.h"
#include "reminders/drafts.h"
#include "reminders/privacy.h"
#include "reminders/templates.h"

#include <string_view>

namespace mailroom::reminders {

namespace scope {
// See reminders, customers, invoices and templates, and no other mail.
inline constexpr std::string_view read = "reminders:read";
// Have reminders drafted, and edit drafts. Fit for machines.
inline constexpr std::string_view draft = "reminders:draft";
// Decide about drafts, and keep customers, invoices and templates. For people.
inline constexpr std::string_view approve = "reminders:approve";
inline constexpr std::string_view admin = program::scope::admin;
}  // namespace scope

// What whoever reads may see, an agent, too.
constexpr program::About seen(std::string_view name, std::string_view summary,
                              std::string_view more = "") {
    return {.name = name,
            .scope = scope::read,
            .summary = summary,
            .more = more,
            .agents = program::Agents::may};
}
// What a person decides.
constexpr program::About decided(std::string_view name, std::string_view summary,
                                 std::string_view more = "") {
    return {.name = name, .scope = scope::approve, .summary = summary, .more = more};
}
// What a person adds, and may ask for again after a lost answer.
constexpr program::About added(std::string_view name, std::string_view summary) {
    return {.name = name, .scope = scope::approve, .summary = summary, .once = program::Once::yes};
}

// All must outlive the routes.
struct Desk {
    Accounts& accounts;
    Templates& templates;
    Author& author;
    Drafts& drafts;
    Deliveries& deliveries;
    Privacy& privacy;
    const Assessor& assessor;

    Books& books() const { return accounts.books(); }
    Time now() const { return books().clock.now(); }
};

void add_routes(program::Api& api, Desk desk);

// The parts of it.
void add_draft_routes(program::Api& api, Desk desk);
void add_customer_routes(program::Api& api, Desk desk);
void add_invoice_routes(program::Api& api, Desk desk);
void add_template_routes(program::Api& api, Desk desk);
void add_report_routes(program::Api& api, Desk desk);

}  // namespace mailroom::reminders
