// BatchGetItem and BatchWriteItem.
#include "table/wire/decoding.h"

#include <algorithm>

namespace mailroom::table::wire {

namespace {

constexpr std::size_t keys_max = 100;   // Of one BatchGetItem.
constexpr std::size_t writes_max = 25;  // Of one BatchWriteItem.

constexpr std::string_view map_key_rule =
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member "
    "must have length greater than or equal to 3, Member must satisfy regular expression pattern: "
    "[a-zA-Z0-9_.-]+]";
constexpr std::string_view writes_rule =
    "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member "
    "must have length greater than or equal to 1]";

bool is_table_name(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    };
    return name.size() >= 3 && name.size() <= 255 && std::ranges::all_of(name, fits);
}

template <class PerTable>
bool names_a_table_twice(const std::vector<PerTable>& tables) {
    std::vector<std::string_view> names;
    for (const auto& table : tables) names.push_back(table.table);
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) != names.end();
}

bool has_duplicates(const std::vector<Item>& keys) {
    std::vector<std::string_view> bytes;
    for (const auto& key : keys) bytes.push_back(key.bytes());
    std::ranges::sort(bytes);
    return std::ranges::adjacent_find(bytes) != bytes.end();
}

// What one table of a BatchGetItem asks for, read by the constructor; check() is the third round.
class TableGet {
public:
    TableGet(Reader& reader, const Place& entry, BatchGet::PerTable& request)
        : request_(request), in_(reader.problems, entry, "KeysAndAttributes", Holder::collection) {
        request.table = reader.named_table(entry.name);
        const auto keys = in_["Keys"];
        reader.require(keys);
        const auto count = reader.elements(keys, [&](const Place& key) {
            auto fields = reader.fields(key);
            if (fields.complaint && !complaint_) complaint_ = std::move(fields.complaint);
            request.keys.push_back(std::move(fields.item));
        });
        if (count > keys_max) {
            reader.problems.unshown("RequestItems." + std::string(entry.name) + ".member.Keys",
                                    "Member must have length less than or equal to 100");
        } else {
            reader.check_count(keys, count, {1, keys_max});
        }
        request.consistent = reader.flag(in_["ConsistentRead"]).value_or(false);
        const ExpressionMember members[] = {
            {"ProjectionExpression", &request.projection, Takes::names}};
        const LegacyMember legacy[] = {
            {"AttributesToGet", Legacy::attributes_to_get, &request.projection}};
        ExpressionMembers expressions(reader, in_, members, legacy);
        refusal_ = expressions.check_presence();
        if (!refusal_) refusal_ = expressions.check_content();
        request.bind = expressions.take_bindings();
    }

    std::optional<Failure> check() const {
        if (refusal_) return refusal_;
        if (complaint_) return invalid(*complaint_);
        if (has_duplicates(request_.keys)) {
            return invalid("Provided list of item keys contains duplicates");
        }
        return std::nullopt;
    }

private:
    const BatchGet::PerTable& request_;
    Structure in_;
    Complaint complaint_;
    std::optional<Failure> refusal_;
};

// One write of a BatchWriteItem; none unless it is exactly one of the two.
std::optional<BatchWrite::Action> read_write(Reader& reader, const Place& element,
                                             Complaint& complaint) {
    const Structure in(reader.problems, element, "WriteRequest", Holder::collection);
    const auto put = in["PutRequest"], erase = in["DeleteRequest"];
    const Structure put_in(reader.problems, put, "PutRequest");
    const Structure erase_in(reader.problems, erase, "DeleteRequest");
    const auto item = put ? put_in["Item"] : erase_in["Key"];
    if (put || erase) reader.require(item);
    auto fields = reader.fields(item);
    if (fields.complaint && !complaint) complaint = std::move(fields.complaint);
    if (put.present == erase.present) return std::nullopt;
    if (put) return BatchWrite::Put{std::move(fields.item)};
    return BatchWrite::Delete{std::move(fields.item)};
}

Complaint read_writes(Reader& reader, const Place& entry, BatchWrite::PerTable& request) {
    Complaint complaint;
    request.table = reader.named_table(entry.name);
    const auto count = reader.elements(entry, [&](const Place& element) {
        auto write = read_write(reader, element, complaint);
        if (!write) {
            if (!complaint) {
                complaint =
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly "
                    "one of the supported datatypes";
            }
            return;
        }
        request.actions.push_back(std::move(*write));
    });
    if (count < 1 || count > writes_max) {
        std::string shown("{");
        shown.append(entry.name).append("=[").append(std::to_string(count)).append(" writes]}");
        reader.problems.constraint(*entry.parent, shown, writes_rule);
    }
    return complaint;
}

// The map of tables of either call.
void require_tables(Reader& reader, const Place& items) {
    reader.require(items);
    if (items && items.json.type() == json::View::Type::object) {
        json::Members members(items.json);
        std::string_view name;
        for (json::View json; members.next(name, json);) {
            if (is_table_name(name) || table_of_arn(name)) continue;
            std::string shown("{");
            reader.problems.constraint(items, shown.append(name).append("=...}"), map_key_rule);
        }
    }
}

}  // namespace

BatchGet read_table_gets(Reader& reader, const Place& place, std::optional<Failure>& refusal) {
    BatchGet batch;
    reader.entries(place, "com.amazonaws.dynamodb.v20120810.KeysAndAttributes",
                   [&](const Place& entry) {
                       BatchGet::PerTable table;
                       const TableGet get(reader, entry, table);
                       if (!refusal) refusal = get.check();
                       batch.tables.push_back(std::move(table));
                   });
    if (names_a_table_twice(batch.tables))
        reader.problems.malformed("Duplicate key in a map of tables");
    return batch;
}

BatchWrite read_table_writes(Reader& reader, const Place& place, Complaint& complaint) {
    BatchWrite batch;
    reader.entries(place, "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>",
                   [&](const Place& entry) {
                       BatchWrite::PerTable table;
                       auto found = read_writes(reader, entry, table);
                       if (!complaint) complaint = std::move(found);
                       batch.tables.push_back(std::move(table));
                   });
    if (names_a_table_twice(batch.tables))
        reader.problems.malformed("Duplicate key in a map of tables");
    return batch;
}

Outcome<Call<BatchGet>> Decoder::batch_get_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BatchGetItemInput");

    Call<BatchGet> call;
    call.options.consumed = read_show_consumed(reader, in);
    const auto items = in["RequestItems"];
    require_tables(reader, items);
    std::optional<Failure> refusal;
    call.request = read_table_gets(reader, items, refusal);

    REFUSE(reader.problems.failure());
    REFUSE(refusal);
    if (call.request.tables.empty()) {
        return invalid("The requestItems parameter is required for BatchGetItem");
    }
    std::size_t keys = 0;
    for (const auto& table : call.request.tables) keys += table.keys.size();
    if (keys > keys_max) return invalid("Too many items requested for the BatchGetItem call");
    call.arns = std::move(reader.arns);
    return call;
}

Outcome<Call<BatchWrite>> Decoder::batch_write_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BatchWriteItemInput");

    Call<BatchWrite> call;
    call.options.consumed = read_show_consumed(reader, in);
    call.options.metrics = read_show_metrics(reader, in);
    const auto items = in["RequestItems"];
    require_tables(reader, items);
    Complaint complaint;
    call.request = read_table_writes(reader, items, complaint);

    REFUSE(reader.problems.failure());
    REFUSE(check(complaint));
    if (call.request.tables.empty()) {
        return invalid("The requestItems parameter is required for BatchWriteItem");
    }
    std::size_t writes = 0;
    for (const auto& table : call.request.tables) writes += table.actions.size();
    if (writes > writes_max) return invalid("Too many items requested for the BatchWriteItem call");
    call.arns = std::move(reader.arns);
    return call;
}

}  // namespace mailroom::table::wire
