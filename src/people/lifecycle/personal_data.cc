#include "people/lifecycle/personal_data.h"

#include "base/time_format.h"
#include "net/sigv4.h"
#include "people/json_value.h"
#include "table/query_builder.h"
#include "table/records/many.h"
#include "table/write_builder.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

Result<> PersonalParts::show(const std::string& person, json::Writer& writer) const {
    for (auto* part : all_) {
        writer.name(part->name());
        TRY(part->show(person, writer));
    }
    return Ok{};
}

Result<> PersonalParts::move(const std::string& person, const std::string& to) const {
    for (auto part = all_.rbegin(); part != all_.rend(); ++part) TRY((*part)->move(person, to));
    return Ok{};
}

Result<> PersonalParts::erase_until(const std::string& person, Time until) const {
    for (auto part = all_.rbegin(); part != all_.rend(); ++part) {
        TRY((*part)->erase_until(person, until));
    }
    return Ok{};
}

bool is_until(std::string_view sort, Time until) {
    const bool has_prefix = sort.empty() || sort.front() < '0' || sort.front() > '9';
    const auto begin = has_prefix ? sort.find('#') + 1 : 0;
    const auto time = parse_rfc3339(sort.substr(begin, sort.find('#', begin) - begin));
    return !time || *time <= until;
}

PersonalRows::PersonalRows(table::Store& store, std::string name, std::string table,
                           std::string prefix, IsMeant is_meant)
    : store_(store),
      name_(std::move(name)),
      table_(std::move(table)),
      prefix_(std::move(prefix)),
      is_meant_(std::move(is_meant)) {}

Result<std::vector<table::Item>> PersonalRows::rows_of(const std::string& person) const {
    auto rows = TRY(table::query_all(
        store_, table::from(table_).partition("PK", table::Value(prefix_ + person)).consistent()));
    if (!is_meant_) return rows;
    std::erase_if(rows, [&](const auto& row) { return !is_meant_(row.text("SK").value_or("")); });
    return rows;
}

Result<> PersonalRows::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    for (const auto& row : TRY(rows_of(person))) {
        writer.open_object();
        write_values(writer, row);
        writer.close_object();
    }
    writer.close_list();
    return Ok{};
}

Result<> PersonalRows::move(const std::string& person, const std::string& to) {
    for (const auto& row : TRY(rows_of(person))) TRY(move_one(row, person, to));
    return Ok{};
}

// One after the other: what has moved is not there any more when somebody goes on.
Result<> PersonalRows::move_one(const table::Item& row, const std::string& person,
                                const std::string& to) {
    constexpr std::size_t tail_chars = 8;
    const auto sort = std::string(row.text("SK").value_or(""));
    const auto other_sort = sort + "#" + net::sha256_hex(person).substr(0, tail_chars);
    Error refused{Errc::conflict, ""};
    for (const auto& name : {sort, other_sort}) {
        auto moved = row;
        moved.set("PK", table::Value(prefix_ + to)).set("SK", table::Value(name));
        if (moved.text("email") == person) moved.set("email", table::Value(to));
        table::write::Transaction together;
        together.put(table_, std::move(moved)).if_absent("PK");
        together.erase(table_, {{"PK", prefix_ + person}, {"SK", sort}});
        const auto done = store_.transact(together);
        if (done) return Ok{};
        refused = done.error();
        if (refused.code != Errc::conflict) return refused;
    }
    return refused;
}

Result<> PersonalRows::erase(const std::string& person) { return erase_until(person, Time::max()); }

Result<> PersonalRows::erase_until(const std::string& person, Time until) {
    std::vector<table::Item> keys;
    for (const auto& row : TRY(rows_of(person))) {
        const auto sort = row.text("SK").value_or("");
        if (is_until(sort, until)) keys.push_back({{"PK", prefix_ + person}, {"SK", sort}});
    }
    return table::erase_all(store_, table_, std::move(keys));
}

}  // namespace mailroom::people
