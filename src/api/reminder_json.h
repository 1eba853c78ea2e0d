// Reminders as the API shows them, and what it takes.
#pragma once

#include "api/routes.h"
#include "reminders/audit.h"
#include "reminders/customer.h"
#include "reminders/draft.h"
#include "reminders/drafts.h"
#include "reminders/import.h"
#include "reminders/invoice.h"
#include "reminders/payments.h"
#include "reminders/refusal.h"
#include "reminders/sent.h"
#include "reminders/templates.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace mailroom::api {

// The fitting status, with the refusal's own code, and in the details what a program can use:
// field, decision, overdue_amount and overdue_invoices, status and version, missing_variables.
Response refusal_response(const reminders::Refusal& refusal);
// The same as {"code","message","details"}: for one of many.
void write_refusal(json::Writer& writer, const reminders::Refusal& refusal);

// Amounts as decimal numbers, times as RFC 3339 has them, the rest under the stored names.
void write_decision(json::Writer& writer, const reminders::Decision& decision);
void write_customer(json::Writer& writer, const reminders::Customer& customer, Time now);
void write_invoice(json::Writer& writer, const reminders::Invoice& invoice, Time now);
void write_payment(json::Writer& writer, const reminders::Payment& payment,
                   std::string_view currency);
void write_draft(json::Writer& writer, const reminders::Draft& draft);
void write_sent(json::Writer& writer, const reminders::SentRecord& record);
void write_template(json::Writer& writer, const reminders::TemplateVersion& version);
void write_letter(json::Writer& writer, const reminders::Letter& letter);
void write_audit(json::Writer& writer, const reminders::AuditEntry& entry);
void write_import(json::Writer& writer, const reminders::ImportResult& result);
void write_amount(json::Writer& writer, std::string_view key, std::int64_t cents,
                  std::string_view currency);
void write_time(json::Writer& writer, std::string_view key, const std::optional<Time>& time);

// Members of a request; none if they are missing or null, 400 if they are something else.
Result<std::optional<std::int64_t>, Response> integer_member(const json::View& object,
                                                             std::string_view name);
Result<std::optional<bool>, Response> boolean_member(const json::View& object,
                                                     std::string_view name);
Result<std::optional<std::int64_t>, Response> cents_member(const json::View& object,
                                                           std::string_view name,
                                                           std::string_view currency);
Result<std::optional<Time>, Response> time_member(const json::View& object, std::string_view name);
// 400 with the code invalid_reminder_type.
Result<std::optional<reminders::ReminderType>, Response> reminder_type_of(
    const std::optional<std::string>& text);
// {"override":{"reason":…}}
Result<std::optional<std::string>, Response> override_member(const json::View& object);
Result<bool, Response> boolean_query(const Call& call, std::string_view name);
Result<std::optional<Time>, Response> time_query(const Call& call, std::string_view name);

reminders::Person person_of(const Call& call);

}  // namespace mailroom::api
