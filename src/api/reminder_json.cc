#include "api/reminder_json.h"

#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/money.h"

namespace mailroom::api {

namespace {

using namespace reminders;

void write_texts(json::Writer& writer, std::string_view key,
                 const std::vector<std::string>& texts) {
    writer.key(key).open_list();
    for (const auto& text : texts) append_json_string(writer.value(), text);
    writer.close_list();
}

void write_text_or_null(json::Writer& writer, std::string_view key, std::string_view text) {
    if (!text.empty()) return write_text(writer, key, text);
    writer.key(key).null();
}

void write_figures(json::Writer& writer, const Figures& figures) {
    write_amount(writer, "overdue_amount", figures.cents, figures.currency);
    writer.key("currency").text(figures.currency);
    write_texts(writer, "overdue_invoices", figures.invoice_ids);
}

void write_draft_decisions(json::Writer& writer, const Draft& draft) {
    write_text_or_null(writer, "template_id", draft.template_id);
    writer.key("template_version");
    if (draft.template_version != 0) writer.integer(draft.template_version);
    if (draft.template_version == 0) writer.null();
    write_text_or_null(writer, "requested_by", draft.requested_by);
    if (!draft.override_rule.empty()) {
        writer.key("override").open_object();
        write_text(writer, "rule", draft.override_rule);
        write_text(writer, "reason", draft.override_reason);
        write_text(writer, "by", draft.override_by);
        writer.close_object();
    }
    write_text_or_null(writer, "approved_by", draft.approved_by);
    write_time(writer, "approved_at", draft.approved_at);
    write_text_or_null(writer, "rejected_by", draft.rejected_by);
    write_text_or_null(writer, "reason", draft.reason);
    write_text_or_null(writer, "mail_id", draft.mail_id);
    write_time(writer, "sent_at", draft.sent_at);
}

void write_past(json::Writer& writer, const Past& past) {
    writer.key("recent_reminders").open_list();
    for (const auto& reminder : past.reminders) {
        writer.open_object().key("reminder_type").text(name_of(reminder.type));
        write_time(writer, "at", reminder.at);
        writer.key("fate").text(name_of(reminder.fate));
        write_text(writer, "draft_id", reminder.draft_id);
        writer.key("cycle").integer(reminder.cycle).close_object();
    }
    writer.close_list();
}

}  // namespace

void write_amount(json::Writer& writer, std::string_view key, std::int64_t cents,
                  std::string_view currency) {
    writer.key(key).value() += decimal_text(cents, currency);
}

void write_time(json::Writer& writer, std::string_view key, const std::optional<Time>& time) {
    writer.key(key);
    if (time) writer.text(format_rfc3339(*time));
    if (!time) writer.null();
}

void write_decision(json::Writer& writer, const Decision& decision) {
    writer.open_object().key("allowed").boolean(decision.allowed());
    writer.key("code").text(name_of(decision.verdict));
    writer.key("reminder_type").text(name_of(decision.type));
    write_time(writer, "last_same_type_at", decision.last_same_type_at);
    write_time(writer, "next_allowed_at", decision.next_allowed_at);
    writer.key("predecessor");
    if (decision.predecessor) {
        writer.open_object().key("type").text(name_of(decision.predecessor->type));
        write_time(writer, "sent_at", decision.predecessor->sent_at);
        writer.key("required_days").integer(decision.predecessor->required_days).close_object();
    } else {
        writer.null();
    }
    write_text_or_null(writer, "open_draft_id", decision.open_draft_id.value_or(""));
    write_text(writer, "reason", explain(decision));
    if (decision.overridden) writer.key("overridden").boolean(true);
    writer.close_object();
}

void write_customer(json::Writer& writer, const Customer& customer, Time now) {
    writer.open_object();
    write_text(writer, "customer_id", customer.customer_id);
    write_text(writer, "name", customer.name);
    write_text(writer, "email", customer.email);
    writer.key("opt_out").boolean(customer.opt_out);
    write_text_or_null(writer, "opt_out_reason", customer.opt_out_reason);
    write_figures(writer, customer.figures(now));
    writer.key("open_invoices").integer(static_cast<std::int64_t>(customer.open_invoices.size()));
    writer.key("total_invoices").integer(customer.invoices_total);
    writer.key("late_payments").integer(customer.late_payments);
    for (const auto type : all_types) {
        write_time(writer, sent_attribute(type), customer.last_sent_at[index_of(type)]);
    }
    write_time(writer, "last_email_sent", customer.last_email_sent());
    writer.key("total_emails_sent").integer(customer.total_emails_sent);
    writer.key("bounce_count").integer(customer.bounce_count);
    writer.key("complaint_count").integer(customer.complaint_count);
    writer.key("cycle").integer(customer.past.cycle);
    write_past(writer, customer.past);
    writer.key("version").integer(customer.version);
    write_time(writer, "created_at", customer.created);
    write_time(writer, "updated_at", customer.updated);
    writer.close_object();
}

void write_invoice(json::Writer& writer, const Invoice& invoice, Time now) {
    writer.open_object();
    write_text(writer, "invoice_id", invoice.invoice_id);
    write_text(writer, "customer_id", invoice.customer_id);
    writer.key("status").text(name_of(invoice.status));
    writer.key("overdue").boolean(invoice.is_overdue(now));
    write_amount(writer, "amount", invoice.total_cents, invoice.currency);
    write_amount(writer, "paid_amount", invoice.paid_cents, invoice.currency);
    write_amount(writer, "remaining_balance", invoice.remaining_cents(), invoice.currency);
    writer.key("currency").text(invoice.currency);
    writer.key("due_date").text(format_day_or_time(invoice.due));
    writer.key("paid_date");
    if (invoice.paid) writer.text(format_day_or_time(*invoice.paid));
    if (!invoice.paid) writer.null();
    writer.key("version").integer(invoice.version);
    write_time(writer, "created_at", invoice.created);
    write_time(writer, "updated_at", invoice.updated);
    writer.close_object();
}

void write_payment(json::Writer& writer, const Payment& payment, std::string_view currency) {
    writer.open_object();
    write_text(writer, "payment_id", payment.id);
    write_amount(writer, "amount", payment.cents, currency);
    writer.key("currency").text(currency);
    writer.key("paid_date");
    if (payment.paid) writer.text(format_day_or_time(*payment.paid));
    if (!payment.paid) writer.null();
    write_time(writer, "recorded_at", payment.recorded);
    write_text(writer, "source", payment.source);
    write_text_or_null(writer, "by", payment.by);
    write_time(writer, "undone_at", payment.undone);
    write_text_or_null(writer, "undone_by", payment.undone_by);
    write_text_or_null(writer, "undo_reason", payment.undo_reason);
    writer.close_object();
}

void write_draft(json::Writer& writer, const Draft& draft) {
    writer.open_object();
    write_text(writer, "draft_id", draft.id);
    write_text(writer, "customer_id", draft.customer_id);
    write_text(writer, "customer_name", draft.customer_name);
    write_text(writer, "customer_email", draft.customer_email);
    writer.key("reminder_type").text(name_of(draft.type));
    write_text(writer, "email_subject", draft.letter.subject);
    write_text(writer, "email_content", draft.letter.text);
    write_text(writer, "email_html", draft.letter.html);
    writer.key("status").text(name_of(draft.status));
    writer.key("version").integer(draft.version);
    writer.key("created_date").text(format_rfc3339_seconds(draft.created));
    write_text(writer, "created_by", draft.created_by);
    write_figures(writer, draft.figures);
    writer.key("expires_at").text(format_rfc3339_seconds(draft.expires()));
    writer.key("content_hash").text(content_hash_of(draft));
    writer.key("warnings").open_list();
    for (const auto& warning : draft.warnings) {
        writer.open_object().key("code").text(warning.code);
        write_text(writer, "message", warning.message);
        writer.close_object();
    }
    writer.close_list();
    write_draft_decisions(writer, draft);
    if (draft.rule_check) {
        writer.key("rule_check");
        write_decision(writer, *draft.rule_check);
    }
    writer.close_object();
}

void write_sent(json::Writer& writer, const SentRecord& record) {
    writer.open_object();
    write_text(writer, "customer_id", record.customer_id);
    writer.key("reminder_type").text(name_of(record.type));
    write_text(writer, "email_subject", record.subject);
    write_text(writer, "email_content", record.text);
    writer.key("status").text("sent");
    writer.key("sent_date").text(format_rfc3339_seconds(record.sent));
    write_text(writer, "approved_by", record.approved_by);
    write_text(writer, "ses_message_id", record.message_id);
    writer.key("delivery_status").text(name_of(record.delivery));
    write_text(writer, "draft_id", record.draft_id);
    write_text(writer, "to_address", record.to_address);
    write_text(writer, "mail_id", record.mail_id);
    write_amount(writer, "amount", record.figures.cents, record.figures.currency);
    write_text(writer, "currency", record.figures.currency);
    write_texts(writer, "invoice_ids", record.figures.invoice_ids);
    writer.close_object();
}

void write_letter(json::Writer& writer, const Letter& letter) {
    writer.open_object();
    write_text(writer, "email_subject", letter.subject);
    write_text(writer, "email_content", letter.text);
    write_text(writer, "email_html", letter.html);
    writer.close_object();
}

void write_template(json::Writer& writer, const TemplateVersion& version) {
    writer.open_object();
    write_text(writer, "template_id", version.template_id);
    writer.key("version").integer(version.version);
    writer.key("status").text(version.is_active ? "active" : "inactive");
    write_text(writer, "template_name", version.text.name);
    writer.key("template_type").text(template_type_of(version.text.type));
    write_text(writer, "subject_template", version.text.subject);
    write_text(writer, "body_template", version.text.body);
    writer.key("html_template");
    if (version.text.html) append_json_string(writer.value(), *version.text.html);
    if (!version.text.html) writer.null();
    write_text(writer, "branding", version.text.branding);
    writer.key("created_date").text(format_rfc3339_seconds(version.created));
    writer.close_object();
}

void write_audit(json::Writer& writer, const AuditEntry& entry) {
    writer.open_object();
    write_time(writer, "at", entry.at);
    write_text(writer, "what", entry.what);
    write_text(writer, "by", entry.by);
    write_text_or_null(writer, "by_key", entry.by_id);
    write_text(writer, "customer_id", entry.customer_id);
    write_text_or_null(writer, "draft_id", entry.draft_id);
    write_text_or_null(writer, "detail", entry.detail);
    if (entry.before) {
        writer.key("before");
        write_letter(writer, *entry.before);
    }
    writer.close_object();
}

void write_import(json::Writer& writer, const ImportResult& result) {
    const auto number = [&](const char* key, std::size_t value) {
        writer.key(key).integer(static_cast<std::int64_t>(value));
    };
    writer.open_object();
    number("rows", result.rows);
    number("created", result.created);
    number("updated", result.updated);
    number("unchanged", result.unchanged);
    write_texts(writer, "ignored_columns", result.ignored_columns);
    number("errors_total", result.errors_total);
    writer.key("errors").open_list();
    for (const auto& error : result.errors) {
        writer.open_object();
        number("line", error.line);
        write_text(writer, "field", error.field);
        write_text(writer, "message", error.message);
        writer.close_object();
    }
    writer.close_list().close_object();
}

}  // namespace mailroom::api
