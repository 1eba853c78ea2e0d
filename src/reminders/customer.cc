#include "reminders/customer.h"

#include "base/money.h"
#include "base/text.h"
#include "mime/address.h"
#include "people/locale.h"
#include "reminders/figures.h"
#include "writing/plain_text.h"

#include <algorithm>

namespace mailroom::reminders {

bool Customer::is_under_way() const {
    return std::ranges::any_of(past.reminders, [](const PastReminder& reminder) {
        return reminder.fate == Fate::in_flight;
    });
}

std::optional<Time> Customer::last_email_sent() const {
    std::optional<Time> last;
    for (const auto& at : last_sent_at) {
        if (at && (!last || *at > *last)) last = at;
    }
    return last;
}

std::optional<std::string> Customer::open_draft_id(ReminderType type, Time now) const {
    const auto draft = open_drafts.find(type);
    if (draft == open_drafts.end() || now >= draft->second.until) return std::nullopt;
    return draft->second.id;
}

void Customer::close_draft(ReminderType type, std::string_view draft_id) {
    const auto draft = open_drafts.find(type);
    if (draft != open_drafts.end() && draft->second.id == draft_id) open_drafts.erase(draft);
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

namespace {

using namespace std::chrono_literals;

// From then on; none if a person has to end its hold.
std::optional<Time> free_from(const OpenInvoice& invoice, Time now, const Policy& policy) {
    // Overdue is what was due before now.
    const auto grace = invoice.due + std::chrono::days(policy.grace_days) + 1ms;
    if (!invoice.is_held(now)) return grace;
    return invoice.held_until ? std::optional(std::max(grace, *invoice.held_until)) : std::nullopt;
}

}  // namespace

Customer Customer::reminded(Time now, const Policy& policy) const {
    auto copy = *this;
    std::erase_if(copy.open_invoices, [&](const OpenInvoice& invoice) {
        const auto from = free_from(invoice, now, policy);
        return !from || *from > now;
    });
    return copy;
}

std::optional<Time> Customer::reminded_from(Time now, const Policy& policy) const {
    std::optional<Time> first;
    for (const auto& invoice : overdue(now)) {
        const auto from = free_from(invoice, now, policy);
        if (from && (!first || *from < *first)) first = from;
    }
    return first;
}

double Customer::late_rate() const {
    if (invoices_total == 0) return 0;
    return static_cast<double>(late_payments) / static_cast<double>(invoices_total);
}

void Customer::derive(const Customer& customer, table::Item& row) {
    if (!customer.open_invoices.empty()) {
        row.set("overdue_group", table::Value("open"));
        row.set("earliest_due", table::Value(to_unix_ms(customer.open_invoices.front().due)));
    }
    if (customer.is_frequent_late_payer()) {
        row.set("late_group", table::Value("late"));
        row.set("late_rate", table::Value(static_cast<std::int64_t>(customer.late_rate() * 1000)));
    }
    set_scale(row, customer.currency);
}

Result<> Customer::settle(Customer& customer, const table::ItemView& row) {
    for (auto& invoice : customer.open_invoices) {
        invoice.cents = scaled(row, invoice.cents, customer.currency);
    }
    // A reminder that cannot be read would not keep others back.
    const auto past = row.find("past");
    const bool is_whole = !past || past->kind() != table::Kind::list ||
                          past->list().count() == customer.past.reminders.size();
    if (is_whole && customer.version > 0 && !customer.email.empty()) return Ok{};
    return Error{Errc::corrupt, "the row of customer " + customer.customer_id + " is none of ours"};
}

table::Item customer_key(std::string_view customer_id) { return {{"customer_id", customer_id}}; }

bool is_customer_id(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-.:@").find(c) != std::string_view::npos;
    };
    return !text.empty() && text.size() <= customer_id_chars_max &&
           std::ranges::all_of(text, allowed);
}

std::optional<std::string> language_tag(std::string_view text) {
    if (!text.empty() && !people::is_language(text)) return std::nullopt;
    auto tag = ascii_lower(text);
    const auto capital = [&tag](std::size_t at) {
        if (tag[at] >= 'a' && tag[at] <= 'z') tag[at] = static_cast<char>(tag[at] - 'a' + 'A');
    };
    for (auto dash = tag.find('-'); dash != tag.npos;) {
        const auto next = tag.find('-', dash + 1);
        const auto length = std::min(next, tag.size()) - dash - 1;
        if (length == 2 || length == 4) capital(dash + 1);  // A region; a script.
        if (length == 2) capital(dash + 2);
        dash = next;
    }
    return tag;
}

Answer<CustomerDetails> check_customer(CustomerDetails details, std::string_view currency_before) {
    std::vector<BadField> wrong;
    if (!is_customer_id(details.customer_id)) {
        wrong.push_back({"customer_id", "must be 1 to 100 letters, digits or any of _ - . : @"});
    }
    details.name = trim(details.name);
    const auto& name = details.name;
    if (name.empty() || name.size() > name_bytes_max || writing::has_control(name) ||
        !is_utf8(name)) {
        wrong.push_back({"name", "must be 1 to 200 bytes of text on one line"});
    }
    const auto mailbox = mime::parse_address(trim(details.email));
    // As the outbox takes recipients: what has no dot is no domain of the Internet.
    if (!mailbox || !mailbox->display_name.empty() ||
        mailbox->domain.find('.') == std::string::npos) {
        wrong.push_back({"email", "must be an e-mail address such as ann@example.com"});
    } else {
        details.email = mailbox->address();
    }
    if (details.currency != currency_before && !is_currency(details.currency)) {
        wrong.push_back({"currency", "must be a code of ISO 4217 such as USD"});
    }
    if (auto tag = language_tag(trim(details.language))) {
        details.language = *std::move(tag);
    } else {
        wrong.push_back({"language", "must be a language such as de or pt-BR"});
    }
    details.time_zone = trim(details.time_zone);
    if (!details.time_zone.empty() && !people::is_time_zone(details.time_zone)) {
        wrong.push_back({"time_zone", "must be a time zone such as Europe/Berlin"});
    }
    if (!wrong.empty()) return Refusal(std::move(wrong));
    return details;
}

}  // namespace mailroom::reminders
