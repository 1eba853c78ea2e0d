#include "outbox/transports/captured.h"

#include "base/base64.h"
#include "base/text.h"
#include "base/time_format.h"
#include "mime/header_text.h"
#include "mime/read/headers.h"
#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"
#include "table/write_builder.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

constexpr auto keep_for = std::chrono::days(7);
// Rows that have expired may be there a little longer; days of other nodes' clocks a little sooner.
constexpr int days_ahead = 1;
constexpr int days_back = 8;
constexpr std::size_t subject_bytes_max = 998;

std::string day_of(Time time) { return format_rfc3339(time).substr(0, 10); }

std::string subject_of(std::string_view message) {
    mime::Defects defects;
    const auto header = mime::read_headers(message, 0, {}, defects);
    const auto subject = header.headers.find("Subject").value_or("");
    return storable(mime::decode_header_text(mime::unfold(subject)).text, subject_bytes_max);
}

std::string entry_of(Time at, const std::string& id) { return format_rfc3339(at) + " " + id; }

// What says that a mail was captured already, whenever that was.
table::Item mark_of(const std::string& id) { return {{"Day", "mail " + id}, {"Entry", "mark"}}; }

table::Item row_of(const Outgoing& mail, Time now) {
    std::vector<table::Value> recipients(mail.recipients.begin(), mail.recipients.end());
    return {{"At", to_unix_ms(now)},
            {"Day", day_of(now)},
            {"Entry", entry_of(now, mail.id)},
            {"Id", mail.id},
            {"Recipients", table::Value::list(recipients)},
            {"Sender", mail.sender},
            {"Subject", subject_of(mail.message)},
            {"TTL", to_unix_seconds(now + keep_for)}};
}

Result<CapturedMail> read_row(const table::Item& row) {
    const auto id = row.text("Id"), sender = row.text("Sender");
    const auto at = row.integer("At");
    const auto recipients = row.find("Recipients");
    const bool complete =
        id && sender && at && recipients && recipients->kind() == table::Kind::list;
    if (!complete) {
        return Error{Errc::corrupt, "the captured mail " + std::string(id.value_or("?")) +
                                        " is not a row of ours"};
    }
    CapturedMail mail{.id = std::string(*id),
                      .sender = std::string(*sender),
                      .recipients = {},
                      .subject = std::string(row.text("Subject").value_or("")),
                      .at = from_unix_ms(*at)};
    for (const auto& recipient : recipients->list()) {
        if (recipient.kind() == table::Kind::string) mail.recipients.emplace_back(recipient.text());
    }
    return mail;
}

smtp::Delivery delivery_of(const Outgoing& mail, const table::Outcome<>& kept) {
    smtp::Verdict verdict{.outcome = smtp::Outcome::accepted,
                          .stage = smtp::Stage::message,
                          .code = 0,
                          .status = std::nullopt,
                          .text = "captured"};
    if (!kept) {
        verdict.outcome = smtp::Outcome::refused_for_now;
        verdict.text = "the mail could not be captured: " + kept.error().message;
    }
    smtp::Delivery delivery;
    for (const auto& recipient : mail.recipients) {
        delivery.recipients.push_back({recipient, verdict});
    }
    return delivery;
}

// The cursor is base64url( Entry ): its first ten characters are the day.
Result<std::string> parse_cursor(const std::string& cursor) {
    const auto entry = base64url_decode(cursor);
    const auto space = entry ? entry->find(' ') : std::string::npos;
    if (space == std::string::npos || !parse_rfc3339(entry->substr(0, space)) ||
        entry->size() > 1024) {
        return Error{Errc::invalid, "`after` is not what a page of this list said"};
    }
    return *entry;
}

// Takes rows, newest first, until a page is full.
class Walk {
public:
    Walk(std::size_t limit, std::string_view words) : limit_(limit), words_(ascii_lower(words)) {}

    // How many to read next. One more than the page takes tells whether there are more.
    std::int64_t rows_wanted() const {
        return static_cast<std::int64_t>(words_.empty() ? limit_ - page_.mails.size() + 1
                                                        : rows_at_once);
    }

    // False when the page is full, and this row is for the next.
    Result<bool> take(const table::Item& row) {
        auto mail = TRY(read_row(row));
        if (page_.mails.size() == limit_ || rows_ == rows_max) {
            page_.next = base64url_encode(last_entry_);
            return false;
        }
        ++rows_;
        last_entry_ = entry_of(mail.at, mail.id);
        if (has_words(mail)) page_.mails.push_back(std::move(mail));
        return true;
    }

    CapturedPage page() && { return std::move(page_); }

private:
    static constexpr std::size_t rows_at_once = 1000;
    static constexpr std::size_t rows_max = 20'000;  // Some tenths of a second.

    bool has_words(const CapturedMail& mail) const {
        const auto has = [this](const std::string& text) {
            return ascii_lower(text).find(words_) != std::string::npos;
        };
        return has(mail.subject) || has(mail.sender) || std::ranges::any_of(mail.recipients, has);
    }

    const std::size_t limit_;
    const std::string words_;
    CapturedPage page_;
    std::size_t rows_ = 0;
    std::string last_entry_;  // Of the last row that was looked at.
};

}  // namespace

Captured::Captured(table::Store& store, const Clock& clock, std::string table)
    : store_(store), clock_(clock), table_(std::move(table)) {}

table::OwnTable Captured::declared(std::string table) {
    return table::own_table(std::move(table),
                            {{"Day", table::Kind::string}, {"Entry", table::Kind::string}}, "TTL");
}

Result<std::unique_ptr<Captured>> Captured::open(table::Store& store, const Clock& clock,
                                                 std::string table) {
    TRY(table::ensure_table(store, declared(table)));
    return std::unique_ptr<Captured>(new Captured(store, clock, std::move(table)));
}

void Captured::send(Outgoing mail, Done done) { done(delivery_of(mail, keep(mail))); }

table::Outcome<> Captured::keep(const Outgoing& mail) {
    if (is_stopped_) return table::Failure{table::Fault::throttling, "the server is stopping"};
    auto row = row_of(mail, clock_.now());
    auto mark = mark_of(mail.id);
    mark.set("TTL", *row.find("TTL"));
    table::write::Transaction together;
    together.put(table_, std::move(row));
    together.put(table_, std::move(mark)).if_absent("Day");
    const auto written = store_.transact(together);
    if (written) return Ok{};
    const auto& reasons = written.error().reasons;
    const bool is_there = std::ranges::any_of(
        reasons, [](const auto& reason) { return reason.code == "ConditionalCheckFailed"; });
    if (is_there) return Ok{};
    return written.error();
}

void Captured::stop(std::chrono::milliseconds) { is_stopped_ = true; }

Result<CapturedPage> Captured::list(std::size_t limit, const std::optional<std::string>& after,
                                    std::string_view words) {
    const auto first_day = clock_.now() + std::chrono::days(days_ahead);
    std::optional<std::string> entry;
    if (after) entry = TRY(parse_cursor(*after));
    Walk walk(std::max<std::size_t>(limit, 1), words);
    for (int back = 0; back <= days_ahead + days_back; ++back) {
        const auto day = day_of(first_day - std::chrono::days(back));
        const auto entry_day = entry ? entry->substr(0, day.size()) : day;
        if (day > entry_day) continue;
        std::optional<table::Item> last_key;
        if (entry && day == entry_day) last_key = table::Item{{"Day", day}, {"Entry", *entry}};
        do {
            const auto rows = TRY(store_.query(table::from(table_)
                                                   .partition("Day", day)
                                                   .newest_first()
                                                   .limit(walk.rows_wanted())
                                                   .after(std::move(last_key))
                                                   .consistent()));
            for (const auto& row : rows.items) {
                if (!TRY(walk.take(row))) return std::move(walk).page();
            }
            last_key = rows.last_key;
        } while (last_key);
    }
    return std::move(walk).page();
}

}  // namespace mailroom::outbox
