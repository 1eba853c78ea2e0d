// Requests of the item operations.
#include "table/wire/encoder.h"
#include "table/wire/encoding.h"
#include "table/wire/request_encoder.h"

#include <cassert>

namespace mailroom::table::wire {

namespace {

std::string_view name_of(ReturnValues returns) {
    switch (returns) {
        case ReturnValues::none:
            return "NONE";
        case ReturnValues::all_old:
            return "ALL_OLD";
        case ReturnValues::updated_old:
            return "UPDATED_OLD";
        case ReturnValues::all_new:
            return "ALL_NEW";
        case ReturnValues::updated_new:
            return "UPDATED_NEW";
    }
    assert(false);
    return "";
}

// Empty for what is not sent.
std::string_view name_of(Select select) {
    switch (select) {
        case Select::unset:
            return "";
        case Select::all_attributes:
            return "ALL_ATTRIBUTES";
        case Select::all_projected_attributes:
            return "ALL_PROJECTED_ATTRIBUTES";
        case Select::specific_attributes:
            return "SPECIFIC_ATTRIBUTES";
        case Select::count:
            return "COUNT";
    }
    assert(false);
    return "";
}

void write_options(json::Writer& json, const Options& options) {
    if (options.consumed != ShowConsumed::none) {
        json.key("ReturnConsumedCapacity")
            .text(options.consumed == ShowConsumed::total ? "TOTAL" : "INDEXES");
    }
    if (options.metrics == ShowMetrics::size) json.key("ReturnItemCollectionMetrics").text("SIZE");
}

void write_on_failure(json::Writer& json, OnConditionFailure on_failure) {
    if (on_failure == OnConditionFailure::none) return;
    json.key("ReturnValuesOnConditionCheckFailure").text("ALL_OLD");
}

void write_returns(json::Writer& json, ReturnValues returns) {
    if (returns != ReturnValues::none) json.key("ReturnValues").text(name_of(returns));
}

void write_key(json::Writer& json, const Item& key) { append_item(json.key("Key").value(), key); }

// The members that an action of a transaction shares with the operation of its own.
void write_members(json::Writer& json, const PutItem& put) {
    write_text(json, "ConditionExpression", put.condition);
    write_bindings(json, put.bind);
    append_item(json.key("Item").value(), put.item);
    write_on_failure(json, put.on_failure);
    json.key("TableName").text(put.table);
}

void write_members(json::Writer& json, const UpdateItem& update) {
    write_text(json, "ConditionExpression", update.condition);
    write_bindings(json, update.bind);
    write_key(json, update.key);
    write_on_failure(json, update.on_failure);
    json.key("TableName").text(update.table);
    write_text(json, "UpdateExpression", update.update);
}

// DeleteItem and ConditionCheck.
template <class Action>
void write_members(json::Writer& json, const Action& action) {
    write_text(json, "ConditionExpression", action.condition);
    write_bindings(json, action.bind);
    write_key(json, action.key);
    write_on_failure(json, action.on_failure);
    json.key("TableName").text(action.table);
}

void write_get(json::Writer& json, const GetItem& get) {
    write_bindings(json, get.bind);
    write_key(json, get.key);
    write_text(json, "ProjectionExpression", get.projection);
    json.key("TableName").text(get.table);
}

// What Query and Scan have in common.
template <class Request>
void write_search(json::Writer& json, const Request& request) {
    if (request.consistent) json.key("ConsistentRead").boolean(true);
    if (request.start_key) append_item(json.key("ExclusiveStartKey").value(), *request.start_key);
    write_bindings(json, request.bind);
    write_text(json, "FilterExpression", request.filter);
    write_text(json, "IndexName", request.index);
    if (request.limit) json.key("Limit").integer(*request.limit);
    write_text(json, "ProjectionExpression", request.projection);
    write_text(json, "Select", name_of(request.select));
    json.key("TableName").text(request.table);
}

template <class Request>
void append_write(std::string& out, const Request& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    write_members(json, request);
    write_returns(json, request.returns);
    write_options(json, options);
    json.close_object();
}

std::string_view name_of(const WriteAction& action) {
    constexpr std::string_view names[] = {"Put", "Update", "Delete", "ConditionCheck"};
    return names[action.index()];
}

}  // namespace

void append_request(std::string& out, const GetItem& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    if (request.consistent) json.key("ConsistentRead").boolean(true);
    write_get(json, request);
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const PutItem& request, const Options& options) {
    append_write(out, request, options);
}

void append_request(std::string& out, const UpdateItem& request, const Options& options) {
    append_write(out, request, options);
}

void append_request(std::string& out, const DeleteItem& request, const Options& options) {
    append_write(out, request, options);
}

void append_request(std::string& out, const Query& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    write_search(json, request);
    write_text(json, "KeyConditionExpression", request.key_condition);
    if (!request.forward) json.key("ScanIndexForward").boolean(false);
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const Scan& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    write_search(json, request);
    if (request.segment) json.key("Segment").integer(*request.segment);
    if (request.total_segments) json.key("TotalSegments").integer(*request.total_segments);
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const BatchGet& request, const Options& options) {
    json::Writer json(out);
    write_tables(json.open_object().key("RequestItems"), request);
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const BatchWrite& request, const Options& options) {
    json::Writer json(out);
    write_tables(json.open_object().key("RequestItems"), request);
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const TransactWrite& request, const Options& options) {
    json::Writer json(out);
    json.open_object();
    write_text(json, "ClientRequestToken", request.token);
    json.key("TransactItems").open_list();
    for (const auto& action : request.actions) {
        json.open_object().key(name_of(action)).open_object();
        std::visit([&](const auto& one) { write_members(json, one); }, action);
        json.close_object().close_object();
    }
    json.close_list();
    write_options(json, options);
    json.close_object();
}

void append_request(std::string& out, const TransactGet& request, const Options& options) {
    json::Writer json(out);
    json.open_object().key("TransactItems").open_list();
    for (const auto& get : request.gets) {
        json.open_object().key("Get").open_object();
        write_get(json, get);
        json.close_object().close_object();
    }
    json.close_list();
    write_options(json, options);
    json.close_object();
}

}  // namespace mailroom::table::wire
