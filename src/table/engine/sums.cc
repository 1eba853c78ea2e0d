#include "table/engine/sums.h"

#include "kv/key.h"
#include "table/engine/keys.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace mailroom::table {

namespace {

Outcome<> check(const Definition& table, const Addition& addition) {
    if (!table.indexes.empty() || table.records_changes()) {
        return invalid("Nothing is added to items of the table " + table.name +
                       ": it has indexes, a stream or a history");
    }
    const auto refuse = [&](std::string_view name) {
        return invalid("Nothing is added to the attribute " + std::string(name) + " of the table " +
                       table.name + ": it is part of the key, or the time to live");
    };
    for (const auto& [name, by] : addition.numbers) {
        if (addition.key.has(name) || name == table.ttl_attribute) return refuse(name);
    }
    return Ok{};
}

// What is deferred := key:element (name:element by:u64)*
std::string encode(const Addition& addition) {
    std::string what;
    append_length(what, addition.key.bytes().size());
    what += addition.key.bytes();
    for (const auto& [name, by] : addition.numbers) {
        append_length(what, name.size());
        what += name;
        kv::append_u64(what, static_cast<std::uint64_t>(by));
    }
    return what;
}

// All that a commit adds to one item. Borrows from the batch.
struct Sums {
    std::string_view row, key;
    std::vector<std::pair<std::string_view, std::int64_t>> numbers = {};

    void add(std::string_view more) {
        while (!more.empty()) {
            const auto name = read_element(more);
            const auto by = static_cast<std::int64_t>(kv::read_u64(more).value_or(0));
            const auto there =
                std::ranges::find(numbers, name, &std::pair<std::string_view, std::int64_t>::first);
            if (there == numbers.end()) {
                numbers.emplace_back(name, by);
            } else {
                there->second += by;
            }
        }
    }
};

std::vector<Sums> gather(const kv::Batch& batch) {
    std::vector<Sums> all;
    for (std::size_t i = 0; i < batch.deferred_size(); ++i) {
        const auto [kind, row, what] = batch.deferred(i);
        if (counted_id(row)) continue;
        auto numbers = what;
        const auto key = read_element(numbers);
        auto sums = std::ranges::find(all, row, &Sums::row);
        if (sums == all.end()) sums = all.insert(sums, {row, key});
        sums->add(numbers);
    }
    return all;
}

// What is there and is no number counts as none.
Result<> add_numbers(Item& item, const Sums& sums) {
    for (const auto& [name, by] : sums.numbers) {
        const auto there = item.find(name);
        auto sum = Number(by);
        if (there && there->kind() == Kind::number) sum = TRY(add(there->number(), sum));
        item.set(name, Value(sum));
    }
    return Ok{};
}

}  // namespace

Outcome<std::vector<PreparedAddition>> prepare(const Catalog& catalog,
                                               const std::vector<Addition>& additions) {
    std::vector<PreparedAddition> prepared;
    prepared.reserve(additions.size());
    for (const auto& addition : additions) {
        const auto table = TRY(catalog.get(addition.table));
        auto row = TRY(row_of_key(*table, addition.key));
        TRY(check(*table, addition));
        prepared.push_back({std::move(row), encode(addition)});
    }
    return prepared;
}

Result<> add_sums(const kv::Store& kv, kv::Batch& batch, Tally& tally) {
    if (batch.deferred_size() == 0) return Ok{};
    kv::Batch rows;
    for (const auto& sums : gather(batch)) {
        auto stored = TRY(kv.get(sums.row));
        auto item = Item::from_encoded(stored ? *std::move(stored) : std::string(sums.key));
        const auto bytes_before = stored ? item.view().size_in_item() : 0;
        TRY(add_numbers(item, sums));
        rows.put(sums.row, item.bytes());
        tally.add({table_id_of(sums.row), stored ? 0 : 1,
                   static_cast<std::int64_t>(item.view().size_in_item()) -
                       static_cast<std::int64_t>(bytes_before)});
    }
    batch.append(rows);
    return Ok{};
}

}  // namespace mailroom::table
