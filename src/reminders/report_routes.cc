// What is due, what was sent, and how many of what.
#include "base/days.h"
#include "program/action.h"
#include "reminders/counters.h"
#include "reminders/due.h"
#include "reminders/routes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mailroom::reminders {

namespace {

// What may be told of a mail that was sent.
enum class MailEvent { delivered, bounced, complained };
constexpr auto names_of(MailEvent) {
    return std::array{Name{MailEvent::delivered, "delivered"}, Name{MailEvent::bounced, "bounced"},
                      Name{MailEvent::complained, "complained"}};
}

using program::Actor;
using table::PageWish;
using table::Slice;

constexpr auto stats_days_usual = std::chrono::days(29);  // With today: thirty.

struct DueFilter {
    std::optional<bool> allowed;

    Which which() const {
        if (!allowed) return Which::all;
        return *allowed ? Which::allowed : Which::not_allowed;
    }
    static constexpr auto fields = std::tuple{
        asked("allowed", &DueFilter::allowed, "Those who may get their reminder now, or not.")};
};
struct StatsQuery {
    std::optional<Time> from, to;

    static constexpr auto fields =
        std::tuple{spelled<table::FromDayOrTime>(asked("from", &StatsQuery::from,
                                                       "The last thirty days, if it is not said.")),
                   spelled<table::DayOrTime>(asked("to", &StatsQuery::to))};
    static void check(const StatsQuery& query, table::Reading& reading) {
        if (query.from && query.to && *query.from > *query.to) {
            reading.wrong_member("from", "must not be later than to");
        }
    }
};
struct AuditQuery {
    std::string customer_id, date;

    static constexpr auto fields =
        std::tuple{asked("customer_id", &AuditQuery::customer_id, "Of one, or:"),
                   asked("date", &AuditQuery::date, "Of a day; today, if it is not said.")};
    static void check(const AuditQuery& query, table::Reading& reading) {
        if (!query.customer_id.empty() && !is_customer_id(query.customer_id)) {
            reading.wrong_member("customer_id", "is no id");
        }
        if (!query.date.empty() && !is_day(query.date)) {
            reading.wrong_member("date", "must be a day such as 2025-09-01");
        }
    }
};
struct ReportEvent {
    std::string draft_id;
    MailEvent event = MailEvent::delivered;

    static constexpr auto fields =
        std::tuple{required("draft_id", &ReportEvent::draft_id),
                   required("event", &ReportEvent::event, "What became of its mail.")};
};

struct LatePayer {
    std::string customer_id, name, email;
    std::int64_t late_payments = 0;
    double late_rate = 0, days_late = 0;  // In per cent; the mean.
    bool is_frequent = false;

    static constexpr std::string_view record_name = "LatePayer";
    static constexpr auto fields =
        std::tuple{shown("customer_id", &LatePayer::customer_id),
                   shown("name", &LatePayer::name),
                   shown("email", &LatePayer::email),
                   shown("late_payment_count", &LatePayer::late_payments),
                   shown("late_payment_rate", &LatePayer::late_rate, "In per cent."),
                   shown("avg_days_late", &LatePayer::days_late),
                   shown("is_frequent_late_payer", &LatePayer::is_frequent)};
};
struct Stats {
    std::vector<ReminderCounts> days;
    ReminderCounts total;
    std::optional<Time> oldest_pending_since;

    static constexpr std::string_view record_name = "ReminderStats";
    static constexpr auto fields =
        std::tuple{shown("days", &Stats::days), shown("total", &Stats::total),
                   shown("oldest_pending_since", &Stats::oldest_pending_since)};
};

Answer<Stats> stats(const StatsQuery& in, Desk desk) {
    const auto end = in.to.value_or(desk.now());
    const auto begin = in.from.value_or(end - stats_days_usual);
    if (begin > end) return BadField{"from", "must not be later than to"};
    Stats stats;
    stats.total.day = "total";
    for (auto& day : TRY(desk.books().counters.between(begin, end))) {
        stats.total.add(day);
        stats.days.push_back({std::move(day)});
    }
    const auto oldest = TRY(desk.drafts.list({}, PageWish{.limit = 1, .after = {}}));
    if (!oldest.items.empty()) stats.oldest_pending_since = oldest.items.front().created;
    return stats;
}

Result<Slice<AuditEntry>> audit(const AuditQuery& in, const PageWish& page, Desk desk) {
    if (!in.customer_id.empty()) return desk.books().audit.of(in.customer_id, page);
    const auto day = in.date.empty() ? format_day(desk.now()) : in.date;
    return desk.books().audit.of_day(day, page);
}

double rounded(double value) { return std::round(value * 10) / 10; }

LatePayer late_payer(const Customer& customer) {
    const auto payments = std::max<std::int64_t>(customer.late_payments, 1);
    const auto mean = static_cast<double>(customer.late_days) / static_cast<double>(payments);
    return {.customer_id = customer.customer_id,
            .name = customer.name,
            .email = customer.email,
            .late_payments = customer.late_payments,
            .late_rate = rounded(customer.late_rate() * 100),
            .days_late = rounded(mean),
            .is_frequent = customer.is_frequent_late_payer()};
}

Result<Slice<LatePayer>> late_payers(const PageWish& page, Desk desk) {
    const auto found = TRY(desk.accounts.late_payers(page));
    Slice<LatePayer> shown;
    std::ranges::transform(found.items, std::back_inserter(shown.items), late_payer);
    shown.next = found.next;
    return shown;
}

void add_list_routes(program::Api& api, Desk desk) {
    api.list("/v1/reminders/due",
             seen("list_due", "Who is overdue, and which reminder each may get now",
                  "A page may be short, though more follow."),
             [desk](const DueFilter& in, const PageWish& page, const Actor&) {
                 return list_due(desk.accounts, desk.assessor, in.which(), page);
             });
    api.list("/v1/reminders/sent", seen("list_sent_reminders", "What was sent, the oldest first"),
             [desk](const SentFilter& in, const PageWish& page, const Actor&) {
                 return list_sent(desk.books(), in, page);
             });
    api.list("/v1/reminders/late-payers",
             seen("list_late_payers", "Who often pays late, the highest rate first"),
             [desk](const program::Nothing&, const PageWish& page, const Actor&) {
                 return late_payers(page, desk);
             });
    api.list("/v1/reminders/audit",
             {.name = "list_reminder_audit",
              .scope = scope::read,
              .summary = "Who did what, of a customer or of a day"},
             [desk](const AuditQuery& in, const PageWish& page, const Actor&) {
                 return audit(in, page, desk);
             });
}

}  // namespace

void add_report_routes(program::Api& api, Desk desk) {
    add_list_routes(api, desk);
    api.get("/v1/reminders/check",
            seen("check_reminder",
                 "Whether a customer may get a reminder now, and if not, why and when"),
            program::act(desk.drafts, &Drafts::check));
    api.get("/v1/reminders/stats", seen("reminder_stats", "How many of what, by day"),
            [desk](const StatsQuery& in, const Actor&) { return stats(in, desk); });
    api.post("/v1/reminders/events",
             decided("report_reminder_event", "Tell what became of a reminder's mail"),
             [desk](const ReportEvent& in, const Actor& who) {
                 // Each event leads to the status of its name.
                 const auto status = *named<DeliveryStatus>(name_of(in.event));
                 return desk.deliveries.report(in.draft_id, status, who);
             });
}

void add_routes(program::Api& api, Desk desk) {
    api.group("Reminders");
    add_report_routes(api, desk);
    add_draft_routes(api, desk);
    add_customer_routes(api, desk);
    add_invoice_routes(api, desk);
    add_template_routes(api, desk);
}

}  // namespace mailroom::reminders
