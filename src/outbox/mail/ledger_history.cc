#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

// Of one mail's log: what a page can show.
constexpr std::size_t log_entries_max = 500;
// Of a mail that changes all the time; what is shown then may be a step apart.
constexpr int looks_max = 4;

}  // namespace

History Ledger::history_of(const Rows& rows) {
    History history;
    history.mail = read_mail(*rows.meta);
    auto before = history.mail.created;
    for (const auto& [state, row] : rows.states) {
        history.states.push_back(read_state(row, state, before));
        before = history.states.back().at;
    }
    return history;
}

// Its rows and its log are two questions to the store: if the mail changed between them, both are
// asked again.
Result<std::optional<History>> Ledger::history(const std::string& id) {
    if (!may_be_id(id)) return std::optional<History>();
    for (int look = 1;; ++look) {
        const auto rows = TRY(read_rows(id));
        if (!rows.meta) return std::optional<History>();
        auto history = history_of(rows);
        history.log = TRY(read_log(id));
        if (look == looks_max || TRY(read_meta(id)) == rows.meta) {
            return std::optional(std::move(history));
        }
    }
}

Result<Ledger::Rows> Ledger::read_rows(const std::string& id) {
    Rows rows;
    std::optional<table::Item> after;
    do {
        auto page = TRY(store_->query(table::from(names_.outbox)
                                          .partition(attribute::id, id)
                                          .after(std::move(after))
                                          .consistent()));
        for (auto& row : page.items) {
            const auto status = row.text(attribute::status).value_or("");
            if (status == meta_status) {
                rows.meta = std::move(row);
            } else if (const auto state = state_named(status)) {
                rows.states.emplace_back(*state, std::move(row));
            }
        }
        after = std::move(page.last_key);
    } while (after);
    // The order of the enumeration is the only one in which states can follow each other.
    std::ranges::sort(rows.states, {}, [](const auto& row) { return row.first; });
    return rows;
}

Result<std::vector<LogEntry>> Ledger::read_log(const std::string& id) {
    std::vector<LogEntry> log;
    std::optional<table::Item> after;
    do {
        // One more than are shown tells whether there are more.
        const auto page = TRY(
            store_->query(table::from(names_.log)
                              .partition(attribute::id, id)
                              .newest_first()
                              .limit(static_cast<std::int64_t>(log_entries_max + 1 - log.size()))
                              .after(std::move(after))
                              .consistent()));
        for (const auto& row : page.items) log.push_back(read_log_entry(row));
        after = page.last_key;
    } while (after && log.size() <= log_entries_max);
    if (log.size() > log_entries_max) {
        log.back() = {.at = log.back().at, .what = "cut", .text = "earlier entries are left out"};
    }
    std::ranges::reverse(log);
    return log;
}

}  // namespace mailroom::outbox
