// Parts that requests share with answers.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"

namespace mailroom::table::wire {

void write_text(json::Writer& json, std::string_view key, std::string_view text) {
    if (!text.empty()) json.key(key).text(text);
}

void write_bindings(json::Writer& json, const Bindings& bind) {
    if (!bind.names.empty()) {
        json.key("ExpressionAttributeNames").open_object();
        for (const auto& [key, name] : bind.names) json.name(key).text(name);
        json.close_object();
    }
    if (!bind.values.empty()) {
        json.key("ExpressionAttributeValues").open_object();
        for (const auto& [key, value] : bind.values) append_value(json.name(key).value(), value);
        json.close_object();
    }
}

void write_tables(json::Writer& json, const BatchGet& batch) {
    json.open_object();
    for (const auto& table : batch.tables) {
        json.name(table.table).open_object();
        if (table.consistent) json.key("ConsistentRead").boolean(true);
        write_bindings(json, table.bind);
        json.key("Keys").open_list();
        for (const auto& key : table.keys) append_item(json.value(), key);
        json.close_list();
        write_text(json, "ProjectionExpression", table.projection);
        json.close_object();
    }
    json.close_object();
}

void write_tables(json::Writer& json, const BatchWrite& batch) {
    json.open_object();
    for (const auto& table : batch.tables) {
        json.name(table.table).open_list();
        for (const auto& action : table.actions) {
            json.open_object();
            if (const auto* put = std::get_if<BatchWrite::Put>(&action)) {
                json.key("PutRequest").open_object();
                append_item(json.key("Item").value(), put->item);
            } else {
                json.key("DeleteRequest").open_object();
                append_item(json.key("Key").value(), std::get<BatchWrite::Delete>(action).key);
            }
            json.close_object().close_object();
        }
        json.close_list();
    }
    json.close_object();
}

}  // namespace mailroom::table::wire
