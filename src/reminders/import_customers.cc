#include "base/text.h"
#include "reminders/import.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace mailroom::reminders {

namespace {

// A transaction has a hundred rows at most: the customer's, those of its audit, and those that say
// that a person opted out.
constexpr std::size_t writes_max = 100, writes_for_each_max = 10;

struct Row {
    CustomerDetails details;
    std::optional<bool> opt_out;
};

std::vector<Row> rows_of(const Csv& csv, ImportResult& result) {
    std::vector<Row> rows;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < csv.rows(); ++i) {
        program::ImportRow row(csv, i);
        auto currency = row.text("currency");
        if (currency.empty()) currency = "USD";
        auto checked =
            check_customer({row.text("customer_id"), row.text("name"), row.text("email"),
                            std::move(currency), row.text("language"), row.text("time_zone")});
        if (!checked) row.wrong(checked.error());
        const auto opt_out = row.flag("opt_out");
        if (!ids.insert(row.text("customer_id")).second) row.wrong("customer_id", "is there twice");
        if (row.end(result)) rows.push_back({*std::move(checked), opt_out});
    }
    return rows;
}

// False if one is there already.
bool add_all(std::set<std::string>& addresses, const std::set<std::string>& more) {
    std::set<std::string> canonical;
    for (const auto& address : more) canonical.insert(ascii_lower(address));
    bool are_new = true;
    for (const auto& address : canonical)
        are_new &= address.empty() || addresses.insert(address).second;
    return are_new;
}

// What the row says about a customer, with what belongs to it. False if nothing changes.
Answer<bool> apply(schedule::Transaction& transaction, Accounts& accounts, const Row& row,
                   Customer& customer, std::set<std::string>& addresses,
                   const program::Actor& person) {
    const auto before = customer;
    customer.customer_id = row.details.customer_id;
    customer.name = row.details.name;
    customer.email = row.details.email;
    if (!row.details.language.empty()) customer.language = row.details.language;
    if (!row.details.time_zone.empty()) customer.time_zone = row.details.time_zone;
    if (customer.version == 0) customer.currency = row.details.currency;
    if (before.version != 0) accounts.audit_change(transaction, before, customer, person);
    // A file never takes an opt-out back, and one that is there is no news.
    const bool opts_out =
        row.opt_out.value_or(false) && !TRY(accounts.opt_outs().of(customer.email));
    const bool moves = before.version != 0 && before.email != customer.email;
    // Two of one address go in two transactions: the rows of that person are written by both.
    if ((opts_out || moves) && !add_all(addresses, {before.email, customer.email})) {
        return Refusal(Refusal::Kind::lost_race, "again", "in the next transaction");
    }
    if (opts_out) {
        TRY(accounts.set_opt_out(transaction, customer, true, "import", person));
    } else {
        TRY(accounts.carry_opt_out(transaction, before, customer, person));
    }
    return opts_out || customer != before;
}

// As many rows as one transaction takes; how many those were.
Answer<std::size_t> import_some(Accounts& accounts, std::span<const Row> rows, ImportMode mode,
                                const program::Actor& person, ImportResult& result) {
    auto& books = accounts.books();
    std::set<std::string> ids, addresses;
    rows = rows.first(std::min(rows.size(), writes_max));
    for (const auto& row : rows) ids.insert(row.details.customer_id);
    auto found = TRY(accounts.customer_rows().find_by_id(ids));
    schedule::Transaction transaction;
    ImportResult counted;
    std::size_t done = 0;
    for (const auto& row : rows) {
        if (transaction.size() + writes_for_each_max > writes_max) break;
        auto& customer = found[row.details.customer_id];
        const bool is_new = customer.version == 0;
        const auto changed = apply(transaction, accounts, row, customer, addresses, person);
        if (!changed && changed.error().code == "again") break;
        if (!changed) return changed.error();
        ++(is_new ? counted.created : *changed ? counted.updated : counted.unchanged);
        if (*changed) accounts.save(transaction, customer);
        ++done;
    }
    if (mode == ImportMode::for_real && !transaction.empty()) TRY(books.commit(transaction));
    result.add(counted);
    return done;
}

}  // namespace

Answer<ImportResult> import_customers(Accounts& accounts, std::string_view text, ImportMode mode,
                                      const program::Actor& person) {
    ImportResult result;
    const auto csv =
        TRY(program::read_import(text, {"customer_id", "name", "email"},
                                 {"currency", "opt_out", "language", "time_zone"}, result));
    const auto rows = rows_of(csv, result);
    result.order_errors();
    if (!result.is_good()) return result;
    const std::span all(rows);
    for (std::size_t at = 0; at < all.size();) {
        at += TRY(settled(accounts.books().store.pauses(race_pauses), [&] {
            return import_some(accounts, all.subspan(at), mode, person, result);
        }));
    }
    return result;
}

}  // namespace mailroom::reminders
