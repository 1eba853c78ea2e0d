#include "table/records/many.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace mailroom::table {

namespace {

// DynamoDB's limits of one batch.
constexpr std::size_t gets_max = 100;
constexpr std::size_t writes_max = 25;
// An answer ends at 16 MB. One of this size was cut there, and the rest can be had at once; a
// smaller one that lacks rows is a store's that is busy.
constexpr std::size_t cut_bytes = 8 << 20;

Error too_busy(const std::string& what) {
    return {Errc::throttled, "the store is too busy to " + what + " so many rows: try again later"};
}

// Moves the rows of an answer, and tells how large they are.
std::size_t take(std::vector<BatchGetResult::PerTable> tables, std::vector<Item>& rows) {
    std::size_t bytes = 0;
    for (auto& part : tables) {
        for (auto& row : part.items) {
            bytes += row.bytes().size();
            rows.push_back(std::move(row));
        }
    }
    return bytes;
}

Result<> get_batch(Store& store, BatchGet request, std::vector<Item>& rows) {
    auto pauses = store.pauses();
    while (!request.tables.empty()) {
        auto answer = store.batch_get(request);
        if (!answer && !is_temporary(answer.error())) return answer.error();
        std::size_t bytes = 0;
        if (answer) {
            bytes = take(std::move(answer->tables), rows);
            request = std::move(answer->unprocessed);
        }
        if (request.tables.empty() || bytes >= cut_bytes) continue;
        if (!pauses.again()) return too_busy("read");
    }
    return Ok{};
}

Result<> write_batch(Store& store, BatchWrite request) {
    auto pauses = store.pauses();
    for (;;) {
        auto answer = store.batch_write(request);
        if (!answer && !is_temporary(answer.error())) return answer.error();
        if (answer) request = std::move(answer->unprocessed);
        if (request.tables.empty()) return Ok{};
        if (!pauses.again()) return too_busy("write");
    }
}

}  // namespace

Result<std::vector<Item>> get_all(Store& store, const BatchGet& request) {
    std::vector<Item> rows;
    BatchGet batch;
    std::size_t size = 0;
    const auto send = [&]() -> Result<> {
        size = 0;
        return get_batch(store, std::exchange(batch, {}), rows);
    };
    for (const auto& part : request.tables) {
        std::span<const Item> keys = part.keys;
        while (!keys.empty()) {
            const auto now = keys.first(std::min(keys.size(), gets_max - size));
            keys = keys.subspan(now.size());
            batch.tables.push_back({part.table,
                                    {now.begin(), now.end()},
                                    part.projection,
                                    part.bind,
                                    part.consistent});
            size += now.size();
            if (size == gets_max) TRY(send());
        }
    }
    if (size > 0) TRY(send());
    return rows;
}

Result<std::vector<Item>> get_all(Store& store, const std::string& table, std::vector<Item> keys) {
    BatchGet request;
    auto& part = request.tables.emplace_back();
    part.table = table;
    part.keys = std::move(keys);
    part.consistent = true;
    return get_all(store, request);
}

Result<std::vector<Item>> query_all(Store& store, Query query) {
    std::vector<Item> rows;
    do {
        auto page = TRY(store.query(query));
        std::ranges::move(page.items, std::back_inserter(rows));
        query.start_key = std::move(page.last_key);
    } while (query.start_key);
    return rows;
}

Result<> write_all(Store& store, const std::string& table,
                   std::vector<BatchWrite::Action> actions) {
    for (auto at = actions.begin(); at != actions.end();) {
        const auto left = static_cast<std::size_t>(actions.end() - at);
        const auto end = at + static_cast<std::ptrdiff_t>(std::min(left, writes_max));
        BatchWrite batch;
        batch.tables.push_back(
            {table, {std::make_move_iterator(at), std::make_move_iterator(end)}});
        TRY(write_batch(store, std::move(batch)));
        at = end;
    }
    return Ok{};
}

Result<> erase_all(Store& store, const std::string& table, std::vector<Item> keys) {
    std::vector<BatchWrite::Action> actions;
    actions.reserve(keys.size());
    for (auto& key : keys) actions.emplace_back(BatchWrite::Delete{std::move(key)});
    return write_all(store, table, std::move(actions));
}

}  // namespace mailroom::table
