#include "sim/office.h"

#include "base/time_format.h"

#include <algorithm>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t customers_max = 5;
constexpr int tries_max = 8;
const std::string root = "/v1/reminders/";

bool is_ok(const std::optional<http::Response>& answer) {
    return answer && answer->status >= 200 && answer->status < 300;
}

std::string json_of(std::initializer_list<std::pair<const char*, std::string>> texts,
                    std::initializer_list<std::pair<const char*, std::int64_t>> numbers = {}) {
    std::string json;
    for (const auto& [name, text] : texts) {
        json += (json.empty() ? "\"" : ",\"") + std::string(name) + "\":\"" + text + "\"";
    }
    for (const auto& [name, number] : numbers) {
        json += (json.empty() ? "\"" : ",\"") + std::string(name) + "\":" + std::to_string(number);
    }
    return "{" + json + "}";
}

}  // namespace

void Office::act() {
    switch (events_.chance.below(10)) {
        case 0:
        case 1:
        case 2:
            return add_invoice();
        case 3:
        case 4:
        case 5:
            return make_draft();
        case 6:
            return approve_some();
        case 7:
            return retry_failed();
        case 8:
            return pay();
        default:
            return events_.chance.one_in(6) ? opt_out(some_customer()) : pay();
    }
}

std::string Office::some_customer() {
    return "debtor-" + std::to_string(events_.chance.below(customers_max));
}

void Office::ask_until_answered(http::Request request, std::function<void(const Answer&)> told,
                                int tries_left) {
    auto again = request;
    front_.ask(std::move(request), [this, again = std::move(again), told = std::move(told),
                                    tries_left](const Answer& answer) {
        const bool is_answered = answer && answer->status < 500 && answer->status != 429 &&
                                 answer->body.find("in_progress") == std::string::npos;
        if (is_answered || tries_left <= 1) return told(is_answered ? answer : std::nullopt);
        events_.after(events_.chance.between(100ms, 20s), [this, again, told, tries_left] {
            ask_until_answered(again, told, tries_left - 1);
        });
    });
}

void Office::add_invoice() {
    const auto customer = some_customer();
    const auto id = "INV-" + std::to_string(++numbers_);
    const auto amount = 10 + static_cast<std::int64_t>(events_.chance.below(500));
    // Overdue already, or in some days.
    const auto due = events_.now() + events_.chance.between(-20 * 24h, 5 * 24h);
    invoices_[id] = {customer, amount};
    judge_.owes(customer);
    auto add = [this, customer, id, amount, due] {
        auto request = request_of(
            "POST", root + "invoices",
            json_of(
                {{"invoice_id", id}, {"customer_id", customer}, {"due_date", format_rfc3339(due)}},
                {{"amount", amount}}));
        ask_until_answered(
            std::move(request),
            [this, id](const Answer& answer) {
                if (answer && (is_ok(answer) || answer->status == 409)) {
                    invoices_[id].is_there = true;
                }
            },
            tries_max);
    };
    if (customers_[customer]) return add();
    auto request = request_of("POST", root + "customers",
                              json_of({{"customer_id", customer},
                                       {"name", "Debtor"},
                                       {"email", customer + "@debtor.example"}}));
    ask_until_answered(
        std::move(request),
        [this, customer, add](const Answer& answer) {
            if (!answer) return;
            customers_[customer] = true;
            add();
        },
        tries_max);
}

void Office::make_draft() {
    front_.ask(request_of("POST", root + "drafts", json_of({{"customer_id", some_customer()}})),
               [this](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   const auto draft = fields_of(answer->body).text("draft_id");
                   if (draft.empty()) return;
                   events_.note("drafted " + draft);
                   // Somebody looks at it soon, or late.
                   const auto pause = events_.chance.one_in(3) ? events_.chance.between(1h, 40h)
                                                               : events_.chance.between(1s, 90s);
                   events_.after(pause, [this, draft] { look_at_draft(draft); });
               });
}

void Office::look_at_draft(const std::string& draft) {
    front_.ask(request_of("GET", root + "drafts/" + draft), [this, draft](const Answer& answer) {
        if (!is_ok(answer)) return;
        const auto fields = fields_of(answer->body);
        if (fields.text("status") == "draft") decide(draft, fields.number("version"));
    });
}

void Office::decide(const std::string& draft, std::int64_t version) {
    const auto path = root + "drafts/" + draft;
    switch (events_.chance.below(8)) {
        case 0:
            front_.ask(request_of("POST", path + "/reject", json_of({{"reason", "not now"}})),
                       [](const Answer&) {});
            return;
        case 1:
            return edit(draft, version);
        default:
            break;
    }
    front_.ask(request_of("POST", path + "/approve", json_of({}, {{"version", version}})),
               [this, draft](const Answer& answer) {
                   if (answer && !is_ok(answer)) return;
                   events_.note((answer ? "approved " : "approved, perhaps: ") + draft);
                   change_the_matter(draft);
               });
}

// What is approved may be on its way when all is changed.
void Office::change_the_matter(const std::string& draft) {
    auto& chance = events_.chance;
    // "20250901_100500_debtor-1"
    const auto customer = draft.substr(draft.find("debtor"));
    switch (chance.below(8)) {
        case 0:
            front_.ask(request_of("POST", root + "drafts/" + draft + "/cancel",
                                  json_of({{"reason", "a mistake"}})),
                       [](const Answer&) {});
            return;
        case 1:
            if (chance.one_in(2)) opt_out(customer);
            return;
        case 2:
        case 3:
        case 4:
            events_.after(chance.between(0s, 20min), [this, customer] { pay_all(customer); });
            return;
        default:
            return;
    }
}

void Office::edit(const std::string& draft, std::int64_t version) {
    front_.ask(request_of("PATCH", root + "drafts/" + draft,
                          R"({"version":)" + std::to_string(version) + R"(,"rebuild":true})"),
               [this, draft](const Answer&) { look_at_draft(draft); });
}

void Office::approve_some() {
    front_.ask(request_of("GET", root + "drafts?limit=5"), [this](const Answer& answer) {
        if (!is_ok(answer)) return;
        for (const auto& draft : items_of(answer->body)) {
            decide(draft.text("draft_id"), draft.number("version"));
        }
    });
}

// Of failed ones, and of those of which nobody knows whether they arrived.
void Office::retry_failed() {
    const auto* status = events_.chance.one_in(2) ? "failed" : "approved";
    front_.ask(
        request_of("GET", root + "drafts?limit=5&status=" + status), [this](const Answer& answer) {
            if (!is_ok(answer)) return;
            for (const auto& draft : items_of(answer->body)) {
                judge_.decided_to_send_again(draft.text("mail_id"));
                front_.ask(
                    request_of("POST", root + "drafts/" + draft.text("draft_id") + "/retry", "{}"),
                    [](const Answer&) {});
            }
        });
}

void Office::pay() {
    std::vector<std::string> open;
    for (const auto& [id, invoice] : invoices_) {
        if (invoice.is_there && !invoice.is_paid) open.push_back(id);
    }
    if (open.empty()) return;
    const auto& first = events_.chance.pick(open);
    if (!events_.chance.one_in(2)) return pay(first);
    pay_all(invoices_[first].customer);
}

void Office::pay_all(const std::string& customer) {
    for (const auto& [id, invoice] : invoices_) {
        if (invoice.customer == customer && invoice.is_there && !invoice.is_paid) pay(id);
    }
}

void Office::pay(const std::string& id) {
    auto request = request_of("POST", root + "invoices/" + id + "/payments",
                              json_of({}, {{"amount", invoices_[id].amount}}),
                              {{"Idempotency-Key", "pay-" + id}});
    ask_until_answered(
        std::move(request),
        [this, id](const Answer& answer) {
            if (!is_ok(answer)) return;
            auto& paid = invoices_[id];
            paid.is_paid = true;
            events_.note("paid " + id);
            const bool owes_more = std::ranges::any_of(invoices_, [&](const auto& other) {
                return other.second.customer == paid.customer && !other.second.is_paid;
            });
            if (owes_more) return;
            events_.note("owes nothing: " + paid.customer);
            judge_.owes_nothing(paid.customer);
        },
        tries_max);
}

void Office::opt_out(const std::string& customer) {
    front_.ask(request_of("PATCH", root + "customers/" + customer, R"({"opt_out":true})"),
               [this, customer](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   events_.note("opted out: " + customer);
                   judge_.opted_out(customer);
               });
}

}  // namespace mailroom::sim
