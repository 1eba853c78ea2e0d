#include "table/engine/reader.h"

#include "kv/key.h"
#include "table/engine/keys.h"
#include "table/engine/page.h"
#include "table/engine/rows.h"
#include "table/engine/transaction_checks.h"

#include <set>

namespace mailroom::table {

namespace {

// DynamoDB's limit on one answer: of items of 300 KB each, 52 fit.
constexpr std::size_t batch_get_bytes_max = 16'000'000;
constexpr double transaction_factor = 2;  // DynamoDB reads twice: to prepare and to commit.

Outcome<DefinitionPtr> find_table(const Core& core, const std::string& name) {
    const auto reading = core.catalog.read();
    return core.catalog.get(name);
}

Outcome<std::optional<BoundProjection>> bind_projection(Core& core, const std::string& text,
                                                        const Bindings& bindings, BindingUse& use) {
    if (text.empty()) return std::optional<BoundProjection>();
    auto compiled = TRY(core.expressions.projection(text));
    return std::optional(TRY(bind(std::move(compiled), bindings, use)));
}

Outcome<std::optional<BoundCondition>> bind_filter(Core& core, const std::string& text,
                                                   const Bindings& bindings, BindingUse& use) {
    if (text.empty()) return std::optional<BoundCondition>();
    auto compiled = TRY(core.expressions.filter(text));
    return std::optional(TRY(bind(std::move(compiled), bindings, use)));
}

Outcome<> check_consistency(const IndexDefinition* index, bool consistent) {
    if (index && !index->local && consistent) {
        return invalid("Consistent reads are not supported on global secondary indexes");
    }
    return Ok{};
}

// Filters see what is left after the key condition: a key attribute there is a mistake.
Outcome<> check_filter(const Keys& keys, const std::optional<BoundCondition>& filter) {
    const auto refuse_key = [&](const Key& key) -> Outcome<> {
        if (!filter || !filter->reads(key.name)) return Ok{};
        return invalid(
            "Filter Expression can only contain non-primary key attributes: Primary key "
            "attribute: " +
            key.name);
    };
    for (const auto& key : keys.attributes) TRY(refuse_key(key));
    return Ok{};
}

std::string rows_of(const Definition& table, const IndexDefinition* index) {
    return index ? space_prefix(Space::entry, index->id) : space_prefix(Space::item, table.id);
}

RowRange range_of(const std::string& prefix, Spread spread, const KeyConditions& conditions,
                  bool forward) {
    RowRange range{prefix, {}, forward};
    append_partition(range.from, conditions.hash_values(), spread);
    for (const auto& value : conditions.leading) append_key_part(range.from, value);
    range.to = kv::after_prefix(range.from);
    if (!conditions.range) return range;

    const auto& condition = *conditions.range;
    const auto before = range.from;
    auto at = before;
    append_key_part(at, condition.value);
    switch (condition.op) {
        case KeyOp::equal:
            range.from = at;
            range.to = kv::after_prefix(at);
            break;
        case KeyOp::less:
            range.to = at;
            break;
        case KeyOp::less_equal:
            range.to = kv::after_prefix(at);
            break;
        case KeyOp::greater:
            range.from = kv::after_prefix(at);
            break;
        case KeyOp::greater_equal:
            range.from = at;
            break;
        case KeyOp::between: {
            range.from = at;
            auto upper = before;
            append_key_part(upper, *condition.upper);
            range.to = kv::after_prefix(upper);
            break;
        }
        case KeyOp::begins_with: {
            range.from = before;
            append_key_part_prefix(range.from, condition.value.payload());
            range.to = kv::after_prefix(range.from);
            break;
        }
    }
    return range;
}

// The rows of one segment of a parallel scan: an even share of the slots.
Outcome<RowRange> segment_of(const std::string& prefix, const Scan& scan) {
    RowRange range{prefix, kv::after_prefix(prefix), true};
    if (!scan.total_segments || *scan.total_segments == 1) return range;
    const auto total = static_cast<std::uint64_t>(*scan.total_segments);
    const auto segment = static_cast<std::uint64_t>(scan.segment.value_or(0));
    const auto bound = [&](std::uint64_t number) {
        auto key = prefix;
        const auto slot = (number * slot_count + total - 1) / total;
        if (slot >= slot_count) return kv::after_prefix(prefix);
        kv::append_u16(key, static_cast<std::uint16_t>(slot));
        return key;
    };
    range.from = bound(segment);
    range.to = bound(segment + 1);
    return range;
}

Outcome<std::optional<Item>> read_item(const kv::Store& kv, std::string_view row,
                                       const kv::Snapshot* snapshot, Consumed& consumed,
                                       bool consistent, double factor) {
    auto stored = kv.get(row, snapshot);
    if (!stored) return from_storage(stored.error());
    if (!*stored) {
        consumed.table_read += factor * read_units(0, consistent);
        return std::optional<Item>();
    }
    auto item = Item::from_encoded(**std::move(stored));
    consumed.table_read += factor * read_units(item.view().size_in_item(), consistent);
    return std::optional(std::move(item));
}

Consumed& consumed_of(std::vector<Consumed>& all, const std::string& table) {
    for (auto& consumed : all) {
        if (consumed.table == table) return consumed;
    }
    all.push_back({table, 0, 0, {}});
    return all.back();
}

// What one part of a request names.
struct Lookup {
    std::optional<BoundProjection> projection;
    DefinitionPtr table;
};

// Of every part: DynamoDB checks the expressions of all parts before it looks for the first table.
template <class Part>
Outcome<std::vector<Lookup>> look_up(Core& core, const std::vector<Part>& parts) {
    std::vector<Lookup> lookups;
    lookups.reserve(parts.size());
    for (const auto& part : parts) {
        BindingUse use(part.bind);
        auto projection = TRY(bind_projection(core, part.projection, part.bind, use));
        TRY(use.complete());
        lookups.push_back({std::move(projection), nullptr});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        lookups[i].table = TRY(find_table(core, parts[i].table));
    }
    return lookups;
}

// Adds the items of one table to the answer. `bytes` is the size of the answer so far.
Outcome<> read_rows(const kv::Store& kv, const BatchGet::PerTable& asked,
                    const std::optional<BoundProjection>& projection,
                    const std::vector<std::string>& rows, std::size_t& bytes,
                    BatchGetResult& result) {
    BatchGetResult::PerTable answer{asked.table, {}};
    BatchGet::PerTable left{asked.table, {}, asked.projection, asked.bind, asked.consistent};
    auto& consumed = consumed_of(result.consumed, asked.table);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (bytes >= batch_get_bytes_max) {
            left.keys.push_back(asked.keys[i]);
            continue;
        }
        const auto consumed_before = consumed.table_read;
        auto item = TRY(read_item(kv, rows[i], nullptr, consumed, asked.consistent, 1));
        if (!item) continue;
        bytes += item->view().size_in_item();
        if (bytes > batch_get_bytes_max) {
            // It does not fit, and nothing behind it is tried.
            consumed.table_read = consumed_before;
            left.keys.push_back(asked.keys[i]);
            continue;
        }
        answer.items.push_back(projection ? projection->project(*item) : *std::move(item));
    }
    if (!left.keys.empty()) result.unprocessed.tables.push_back(std::move(left));
    result.tables.push_back(std::move(answer));
    return Ok{};
}

}  // namespace

Outcome<GetResult> Reader::get(const GetItem& request) const {
    BindingUse use(request.bind);
    const auto projection = TRY(bind_projection(core_, request.projection, request.bind, use));
    TRY(use.complete());
    const auto table = TRY(find_table(core_, request.table));
    const auto row = TRY(row_of_key(*table, request.key));
    GetResult result;
    result.consumed.table = table->name;
    result.item = TRY(read_item(core_.kv, row, nullptr, result.consumed, request.consistent, 1));
    if (projection && result.item) result.item = projection->project(*result.item);
    return result;
}

Outcome<Page> Reader::query(const Query& request) const {
    auto page = TRY(query(request, 0));
    return *std::move(page);
}

Outcome<std::optional<Page>> Reader::query_if_small(const Query& request,
                                                    std::size_t bytes_max) const {
    return query(request, bytes_max);
}

// No limit on the bytes when `bytes_max` is 0.
Outcome<std::optional<Page>> Reader::query(const Query& request, std::size_t bytes_max) const {
    BindingUse use(request.bind);
    PageRequest page;
    const auto compiled = TRY(core_.expressions.key_condition(request.key_condition));
    const auto key_condition = TRY(bind(compiled, request.bind, use));
    if (request.index.empty()) TRY(key_condition.check_fits_table());
    page.filter = TRY(bind_filter(core_, request.filter, request.bind, use));
    page.projection = TRY(bind_projection(core_, request.projection, request.bind, use));
    TRY(use.complete());

    page.table = TRY(find_table(core_, request.table));
    page.index = TRY(find_index(*page.table, request.index));
    TRY(check_consistency(page.index, request.consistent));
    const auto& keys = page.index ? page.index->keys : page.table->keys;
    const auto conditions = TRY(key_condition.match(keys.hashes(), keys.ranges()));
    page.range =
        range_of(rows_of(*page.table, page.index), page.table->spread, conditions, request.forward);
    if (request.start_key) {
        const auto row = TRY(row_of_start_key(*page.table, page.index, *request.start_key));
        if (!start_behind(row, page.range)) {
            return invalid(
                "The provided starting key is outside query boundaries based on provided "
                "conditions");
        }
    }
    TRY(check_filter(keys, page.filter));
    TRY(apply_select(request.select, page.projection.has_value(), page));
    if (request.limit) page.limit = static_cast<std::size_t>(*request.limit);
    page.consistent = request.consistent;
    if (bytes_max > 0) page.bytes_max = bytes_max;
    return read_page(core_.kv, page);
}

Outcome<Page> Reader::scan(const Scan& request) const {
    BindingUse use(request.bind);
    PageRequest page;
    page.filter = TRY(bind_filter(core_, request.filter, request.bind, use));
    page.projection = TRY(bind_projection(core_, request.projection, request.bind, use));
    TRY(use.complete());

    page.table = TRY(find_table(core_, request.table));
    page.index = TRY(find_index(*page.table, request.index));
    TRY(check_consistency(page.index, request.consistent));
    page.range = TRY(segment_of(rows_of(*page.table, page.index), request));
    if (request.start_key) {
        const auto row = TRY(row_of_start_key(*page.table, page.index, *request.start_key));
        if (!start_behind(row, page.range)) {
            return invalid(
                "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                "ExclusiveStartKey with correct Segment. TotalSegments: " +
                std::to_string(request.total_segments.value_or(1)) +
                " Segment: " + std::to_string(request.segment.value_or(0)));
        }
    }
    TRY(apply_select(request.select, page.projection.has_value(), page));
    if (request.limit) page.limit = static_cast<std::size_t>(*request.limit);
    page.consistent = request.consistent;
    auto result = TRY(read_page(core_.kv, page));
    return *std::move(result);
}

Outcome<BatchGetResult> Reader::batch_get(const BatchGet& request) const {
    const auto lookups = TRY(look_up(core_, request.tables));
    std::vector<std::vector<std::string>> rows(lookups.size());
    for (std::size_t i = 0; i < lookups.size(); ++i) {
        for (const auto& key : request.tables[i].keys) {
            rows[i].push_back(TRY(row_of_key(*lookups[i].table, key)));
        }
        if (std::set(rows[i].begin(), rows[i].end()).size() != rows[i].size()) {
            return invalid("Provided list of item keys contains duplicates");
        }
    }
    BatchGetResult result;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < lookups.size(); ++i) {
        TRY(read_rows(core_.kv, request.tables[i], lookups[i].projection, rows[i], bytes, result));
    }
    return result;
}

Outcome<TransactGetResult> Reader::transact_get(const TransactGet& request) const {
    const auto lookups = TRY(look_up(core_, request.gets));
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < lookups.size(); ++i) {
        auto row = row_of_key(*lookups[i].table, request.gets[i].key);
        if (!row) return refusal_of_transaction(core_, request, std::move(row).error());
        rows.push_back(*std::move(row));
    }
    if (std::set(rows.begin(), rows.end()).size() != rows.size()) {
        return invalid("Transaction request cannot include multiple operations on one item");
    }
    const auto snapshot = core_.kv.snapshot();
    TransactGetResult result;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& consumed = consumed_of(result.consumed, lookups[i].table->name);
        auto item =
            TRY(read_item(core_.kv, rows[i], snapshot.get(), consumed, true, transaction_factor));
        if (item) bytes += item->view().size_in_item();
        if (bytes > transaction_bytes_max) return transaction_too_large();
        const auto& projection = lookups[i].projection;
        if (item && projection) item = projection->project(*item);
        result.items.push_back(std::move(item));
    }
    return result;
}

}  // namespace mailroom::table
