#include "reminders/customer.h"

#include "base/text.h"
#include "mime/address.h"
#include "reminders/money.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

bool has_control(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

}  // namespace

std::optional<Time> Customer::last_email_sent() const {
    std::optional<Time> last;
    for (const auto& at : last_sent_at) {
        if (at && (!last || *at > *last)) last = at;
    }
    return last;
}

std::optional<std::string> Customer::open_draft_id(ReminderType type, Time now) const {
    const auto& draft = open_drafts[index_of(type)];
    if (!draft || now >= draft->until) return std::nullopt;
    return draft->id;
}

std::vector<OpenInvoice> Customer::overdue(Time now) const {
    const auto end = std::ranges::lower_bound(open_invoices, now, {}, &OpenInvoice::due);
    return {open_invoices.begin(), end};
}

Figures Customer::figures(Time now) const {
    Figures figures{0, currency, {}};
    for (const auto& invoice : open_invoices) {
        if (invoice.due >= now) break;
        figures.cents += invoice.cents;
        figures.invoice_ids.push_back(invoice.invoice_id);
    }
    return figures;
}

double Customer::late_rate() const {
    if (invoices_total == 0) return 0;
    return static_cast<double>(late_payments) / static_cast<double>(invoices_total);
}

bool is_customer_id(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-.:@").find(c) != std::string_view::npos;
    };
    return !text.empty() && text.size() <= customer_id_chars_max &&
           std::ranges::all_of(text, allowed);
}

Answer<CustomerDetails> check_customer(CustomerDetails details, std::string_view currency_before) {
    if (!is_customer_id(details.customer_id)) {
        return Refusal::bad_field("customer_id",
                                  "must be 1 to 100 letters, digits or any of _ - . : @");
    }
    details.name = trim(details.name);
    const auto& name = details.name;
    if (name.empty() || name.size() > name_bytes_max || has_control(name) || !is_utf8(name)) {
        return Refusal::bad_field("name", "must be 1 to 200 bytes of text on one line");
    }
    const auto mailbox = mime::parse_address(trim(details.email));
    // As the outbox takes recipients: what has no dot is no domain of the Internet.
    if (!mailbox || !mailbox->display_name.empty() ||
        mailbox->domain.find('.') == std::string::npos) {
        return Refusal::bad_field("email", "must be an e-mail address such as ann@example.com");
    }
    details.email = mailbox->address();
    if (details.currency != currency_before && !is_currency(details.currency)) {
        return Refusal::bad_field("currency", "must be a code of ISO 4217 such as USD");
    }
    return details;
}

}  // namespace mailroom::reminders
