// What is done about all mails at once: counting them anew, keeping them longer, marks.
#include "base/log.h"
#include "outbox/mail/ledger_counts.h"
#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"

#include <map>
#include <utility>
#include <vector>

namespace mailroom::outbox {

namespace {

// Of the rows: 1 had a TTL on mails that wait, and counted all there ever were.
constexpr std::string_view format_mark = "Format";
constexpr std::string_view format_now = "2";
constexpr std::size_t additions_in_transaction_max = 50;
constexpr std::size_t rows_in_transaction_max = 50;  // DynamoDB takes 100.

// Numbers by the row and the attribute that hold them; an empty day is a row of the first table.
struct NumberName {
    std::string shard, day, attribute;
    auto operator<=>(const NumberName&) const = default;
};
using Numbers = std::map<NumberName, std::int64_t>;

bool is_of_state(std::string_view name) {
    name = name.substr(0, name.find('@'));
    return name == held_name || state_named(name);
}

void read_numbers(const table::Item& row, Numbers& numbers) {
    const std::string shard(row.text(attribute::shard).value_or(""));
    const std::string day(row.text(attribute::day).value_or(""));
    for (const auto& field : row.view()) {
        if (field.value.kind() != table::Kind::number || !is_of_state(field.name)) continue;
        numbers[{shard, day, std::string(field.name)}] =
            field.value.number().to_int64().value_or(0);
    }
}

// As Transaction::add() would be told.
void tally(const TableNames& names, const Mail& mail, Numbers& numbers) {
    schedule::Transaction one;
    count(one, names, mail.id, {}, {mail.counted, mail.counted_expiry_seconds});
    const table::TransactWrite written = one;
    for (const auto& addition : written.additions) {
        for (const auto& [attribute, by] : addition.numbers) {
            if (!is_of_state(attribute)) continue;
            numbers[{std::string(addition.key.text(attribute::shard).value_or("")),
                     std::string(addition.key.text(attribute::day).value_or("")), attribute}] += by;
        }
    }
}

table::Item key_of(const NumberName& name) {
    if (name.day.empty()) return {{attribute::shard, name.shard}};
    return {{attribute::shard, name.shard}, {attribute::day, name.day}};
}

std::string mark_row(std::string_view name) { return "#" + std::string(name); }

Result<Numbers> numbers_now(table::Store& store, const TableNames& names) {
    Numbers numbers;
    for (std::size_t shard = 0; shard < count_shards; ++shard) {
        for (const auto& table : {names.counts, names.expiring}) {
            std::optional<table::Item> after;
            do {
                const auto page =
                    TRY(store.query(table::from(table)
                                        .partition(attribute::shard, shard_name(shard))
                                        .after(std::move(after))
                                        .consistent()));
                for (const auto& row : page.items) read_numbers(row, numbers);
                after = page.last_key;
            } while (after);
        }
    }
    return numbers;
}

// What must be added to `now` so that it becomes `wanted`.
Result<> correct(table::Store& store, const TableNames& names, const Numbers& now,
                 const Numbers& wanted) {
    auto difference = wanted;
    for (const auto& [name, number] : now) difference[name] -= number;
    std::erase_if(difference, [](const auto& entry) { return entry.second == 0; });
    for (auto it = difference.begin(); it != difference.end();) {
        table::write::Transaction together;
        for (std::size_t i = 0; i < additions_in_transaction_max && it != difference.end();
             ++i, ++it) {
            together.add(it->first.day.empty() ? names.counts : names.expiring, key_of(it->first),
                         it->first.attribute, it->second);
        }
        TRY(store.transact(together));
    }
    return Ok{};
}

table::Scan scan_of_mails(const std::string& table) {
    table::Scan scan;
    scan.table = table;
    scan.consistent = true;
    scan.filter = "#status = :meta";
    scan.bind.names = {{"#status", attribute::status}};
    scan.bind.values = {{":meta", meta_status}};
    return scan;
}

}  // namespace

Result<std::optional<std::string>> Ledger::mark(std::string_view name) {
    table::GetItem get;
    get.table = names_.counts;
    get.key = {{attribute::shard, mark_row(name)}};
    get.consistent = true;
    const auto found = TRY(store_->get(get)).item;
    const auto value = found ? found->text("Value") : std::nullopt;
    return value ? std::optional<std::string>(*value) : std::nullopt;
}

void Ledger::set_mark(table::write::Transaction& transaction, std::string_view name,
                      std::string_view value) {
    transaction.put(names_.counts, {{attribute::shard, mark_row(name)}, {"Value", value}});
}

Result<bool> Ledger::recount() {
    const auto before = TRY(counts());
    Numbers wanted;
    auto scan = scan_of_mails(names_.outbox);
    do {
        const auto page = TRY(store_->scan(scan));
        for (const auto& row : page.items) tally(names_, read_mail(row), wanted);
        scan.start_key = page.last_key;
    } while (scan.start_key);
    const auto now = TRY(numbers_now(*store_, names_));
    // What moved while it was read may have been read twice, or not at all.
    if (TRY(counts()).steps_total != before.steps_total) return false;
    TRY(correct(*store_, names_, now, wanted));
    return true;
}

Result<> Ledger::upgrade_row(const table::Item& row) {
    const auto mail = read_mail(row);
    const auto ttl = row.integer(attribute::ttl);
    // Those of other programs get theirs when they are followed.
    if (!ttl || may_expire(mail.state) || !mail.is_followed) return Ok{};
    const auto updated =
        store_->update(table::write::Update(names_.outbox, row_key(mail.id, meta_status))
                           .set(attribute::keep_until, *ttl)
                           .remove(attribute::ttl)
                           .when(attribute::ttl, *ttl));
    if (updated || updated.error().fault == table::Fault::conditional_check_failed) return Ok{};
    return updated.error();
}

Result<> Ledger::upgrade() {
    if (TRY(mark(format_mark)) == format_now) return Ok{};
    const auto old = TRY(counts());
    auto scan = scan_of_mails(names_.outbox);
    do {
        const auto page = TRY(store_->scan(scan));
        for (const auto& row : page.items) TRY(upgrade_row(row));
        scan.start_key = page.last_key;
    } while (scan.start_key);
    if (!TRY(recount())) {
        return Error{Errc::unavailable,
                     "mails moved while the rows of an earlier version were "
                     "counted anew: start again, one server at first"};
    }
    // All there ever were, as it was counted until now.
    const auto of = [&](State state) { return old.by_state[static_cast<std::size_t>(state)]; };
    const table::Item row{{attribute::shard, shard_name(0)}};
    table::write::Transaction together;
    std::int64_t accepted = -old.held;  // Those were counted as PROCESSING, too.
    for (const auto state : all_states) accepted += of(state);
    const std::pair<std::string_view, std::int64_t> totals[] = {
        {"AcceptedTotal", accepted - old.accepted_total},
        {"SentTotal", of(State::sent) + of(State::calling_sent_callback) +
                          of(State::sent_acknowledged) - old.sent_total},
        {"FailedTotal", of(State::failed) + of(State::calling_failed_callback) +
                            of(State::failed_acknowledged) + of(State::invalid) -
                            old.failed_total}};
    for (const auto& [name, number] : totals) {
        if (number > 0) together.add(names_.counts, row, name, number);
    }
    set_mark(together, format_mark, format_now);
    TRY(store_->transact(together));
    return Ok{};
}

Result<std::vector<Ledger::RowName>> Ledger::rows_beside(const std::string& id) {
    std::vector<RowName> names;
    const std::pair<std::string, const char*> tables[] = {{names_.outbox, attribute::status},
                                                          {names_.log, attribute::entry}};
    for (const auto& [table, sort_key] : tables) {
        std::optional<table::Item> after;
        do {
            const auto page = TRY(store_->query(table::from(table)
                                                    .partition(attribute::id, id)
                                                    .only({attribute::id, sort_key})
                                                    .after(std::move(after))
                                                    .consistent()));
            for (const auto& row : page.items) {
                const auto name = row.text(sort_key).value_or("");
                if (name == meta_status) continue;
                names.push_back({table, {{attribute::id, id}, {sort_key, name}}});
            }
            after = page.last_key;
        } while (after);
    }
    return names;
}

Result<> Ledger::extend(const std::string& id, std::int64_t seconds) {
    const auto rows = TRY(rows_beside(id));
    for (std::size_t at = 0; at < rows.size();) {
        table::write::Transaction together;
        for (std::size_t i = 0; i < rows_in_transaction_max && at < rows.size(); ++i, ++at) {
            together.update(rows[at].table, rows[at].key)
                .set(attribute::ttl, seconds)
                .if_present(attribute::id);
        }
        TRY(store_->transact(together));
    }
    return Ok{};
}

Result<> Ledger::keep_until(schedule::Transaction& transaction, Mail& mail, std::int64_t seconds) {
    TRY(extend(mail.id, seconds));
    transaction.update(names_.outbox, row_key(mail.id, meta_status))
        .set(attribute::keep_until, seconds)
        .remove(attribute::ttl)
        .when(attribute::latest, mail.counted);
    mail.expires_seconds = seconds;
    return Ok{};
}

}  // namespace mailroom::outbox
