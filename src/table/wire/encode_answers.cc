// Answers of the item operations.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"

namespace mailroom::table::wire {

namespace {

// Which way the capacity of an operation goes; transactions also say it by name.
enum class Naming { plain, reads, writes };

double units(double read, double write) { return read + write; }

double total(const Consumed& consumed) {
    double sum = units(consumed.table_read, consumed.table_write);
    for (const auto& index : consumed.indexes) sum += units(index.read, index.write);
    return sum;
}

void write_units(json::Writer& json, double value, Naming naming) {
    json.key("CapacityUnits").decimal(value);
    if (naming == Naming::reads) json.key("ReadCapacityUnits").decimal(value);
    if (naming == Naming::writes) json.key("WriteCapacityUnits").decimal(value);
}

void write_indexes(json::Writer& json, const Consumed& consumed, bool local, Naming naming) {
    bool any = false;
    for (const auto& index : consumed.indexes) {
        if (index.local != local) continue;
        if (!any)
            json.key(local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes").open_object();
        any = true;
        json.name(index.name).open_object();
        write_units(json, units(index.read, index.write), naming);
        json.close_object();
    }
    if (any) json.close_object();
}

void write_consumed(json::Writer& json, const Consumed& consumed, ShowConsumed show,
                    Naming naming) {
    json.open_object();
    json.key("TableName").text(consumed.table);
    write_units(json, total(consumed), naming);
    if (show == ShowConsumed::indexes) {
        json.key("Table").open_object();
        write_units(json, units(consumed.table_read, consumed.table_write), naming);
        json.close_object();
        write_indexes(json, consumed, true, naming);
        write_indexes(json, consumed, false, naming);
    }
    json.close_object();
}

void write_consumed(json::Writer& json, const std::vector<Consumed>& all, ShowConsumed show,
                    Naming naming) {
    if (show == ShowConsumed::none) return;
    json.key("ConsumedCapacity").open_list();
    for (const auto& consumed : all) write_consumed(json, consumed, show, naming);
    json.close_list();
}

void write_consumed_member(json::Writer& json, const Consumed& consumed, ShowConsumed show) {
    if (show == ShowConsumed::none) return;
    json.key("ConsumedCapacity");
    write_consumed(json, consumed, show, Naming::plain);
}

void write_items(json::Writer& json, const std::vector<Item>& items) {
    json.open_list();
    for (const auto& item : items) append_item(json.value(), item);
    json.close_list();
}

void write_collection(json::Writer& json, const ItemCollection& collection) {
    json.open_object();
    append_item(json.key("ItemCollectionKey").value(), collection.key);
    json.key("SizeEstimateRangeGB").open_list();
    json.decimal(collection.lower_gb).decimal(collection.upper_gb).close_list();
    json.close_object();
}

// Those of one table stand next to each other.
void write_collections(json::Writer& json, const ItemCollections& collections) {
    if (collections.empty()) return;
    json.key("ItemCollectionMetrics").open_object();
    for (std::size_t i = 0; i < collections.size(); ++i) {
        const auto& table = collections[i].table;
        if (i == 0 || collections[i - 1].table != table) json.name(table).open_list();
        write_collection(json, collections[i]);
        if (i + 1 == collections.size() || collections[i + 1].table != table) json.close_list();
    }
    json.close_object();
}

}  // namespace

void append_answer(std::string& out, const GetResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object();
    write_consumed_member(json, answer.consumed, show);
    if (answer.item) append_item(json.key("Item").value(), *answer.item);
    json.close_object();
}

void append_answer(std::string& out, const WriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections) {
    json::Writer json(out);
    json.open_object();
    if (answer.attributes) append_item(json.key("Attributes").value(), *answer.attributes);
    write_consumed_member(json, answer.consumed, show);
    if (!collections.empty()) {
        write_collection(json.key("ItemCollectionMetrics"), collections.front());
    }
    json.close_object();
}

void append_answer(std::string& out, const Page& answer, Select select, ShowConsumed show) {
    json::Writer json(out);
    json.open_object();
    write_consumed_member(json, answer.consumed, show);
    json.key("Count").integer(static_cast<std::int64_t>(answer.count));
    if (select != Select::count) write_items(json.key("Items"), answer.items);
    if (answer.last_key) append_item(json.key("LastEvaluatedKey").value(), *answer.last_key);
    json.key("ScannedCount").integer(static_cast<std::int64_t>(answer.scanned_count));
    json.close_object();
}

void append_answer(std::string& out, const BatchGetResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object();
    write_consumed(json, answer.consumed, show, Naming::plain);
    json.key("Responses").open_object();
    for (const auto& table : answer.tables) write_items(json.name(table.table), table.items);
    json.close_object();
    write_tables(json.key("UnprocessedKeys"), answer.unprocessed);
    json.close_object();
}

void append_answer(std::string& out, const BatchWriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections) {
    json::Writer json(out);
    json.open_object();
    write_consumed(json, answer.consumed, show, Naming::plain);
    write_collections(json, collections);
    write_tables(json.key("UnprocessedItems"), answer.unprocessed);
    json.close_object();
}

void append_answer(std::string& out, const TransactWriteResult& answer, ShowConsumed show,
                   const ItemCollections& collections) {
    json::Writer json(out);
    json.open_object();
    write_consumed(json, answer.consumed, show, Naming::writes);
    write_collections(json, collections);
    json.close_object();
}

void append_answer(std::string& out, const TransactGetResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object();
    write_consumed(json, answer.consumed, show, Naming::reads);
    json.key("Responses").open_list();
    for (const auto& item : answer.items) {
        json.open_object();
        if (item) append_item(json.key("Item").value(), *item);
        json.close_object();
    }
    json.close_list();
    json.close_object();
}

void append_consumed(std::string& out, const Consumed& consumed, ShowConsumed show) {
    json::Writer json(out);
    write_consumed(json, consumed, show, Naming::plain);
}

}  // namespace mailroom::table::wire
