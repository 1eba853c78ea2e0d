// Answers of the item operations.
#include "table/wire/answer_decoding.h"
#include "table/wire/decoding.h"

namespace mailroom::table::wire {

namespace {

// Which way the units of an operation go; most answers do not say.
enum class Units { read, write };

double read_units(Reader& reader, const Place& place, std::string_view type) {
    const Structure in(reader.problems, place, type);
    return reader.decimal(in["CapacityUnits"]).value_or(0);
}

void read_indexes(Reader& reader, const Place& place, bool local, Units units, Consumed& consumed) {
    reader.entries(place, "com.amazonaws.dynamodb.v20120810.Capacity", [&](const Place& entry) {
        Consumed::Index index{std::string(entry.name), local};
        (units == Units::read ? index.read : index.write) = read_units(reader, entry, "Capacity");
        consumed.indexes.push_back(std::move(index));
    });
}

Consumed read_consumed(Reader& reader, const Place& place, Units units) {
    Consumed consumed;
    const Structure in(reader.problems, place, "ConsumedCapacity");
    consumed.table = reader.text(in["TableName"]).value_or("");
    const auto table = in["Table"];
    (units == Units::read ? consumed.table_read : consumed.table_write) =
        table ? read_units(reader, table, "Capacity")
              : reader.decimal(in["CapacityUnits"]).value_or(0);
    read_indexes(reader, in["LocalSecondaryIndexes"], true, units, consumed);
    read_indexes(reader, in["GlobalSecondaryIndexes"], false, units, consumed);
    return consumed;
}

std::vector<Consumed> read_all_consumed(Reader& reader, const Place& place, Units units) {
    std::vector<Consumed> all;
    reader.elements(
        place, [&](const Place& element) { all.push_back(read_consumed(reader, element, units)); });
    return all;
}

// An item that a value in it makes unreadable is noted as malformed.
Item read_item(Reader& reader, const Place& place) {
    auto fields = reader.fields(place);
    if (fields.complaint) reader.problems.malformed(*fields.complaint);
    return std::move(fields.item);
}

std::optional<Item> read_optional_item(Reader& reader, const Place& place) {
    if (!place) return std::nullopt;
    return read_item(reader, place);
}

std::vector<Item> read_items(Reader& reader, const Place& place) {
    std::vector<Item> items;
    reader.elements(place,
                    [&](const Place& element) { items.push_back(read_item(reader, element)); });
    return items;
}

std::size_t read_count(Reader& reader, const Place& place) {
    const auto count = reader.integer(place).value_or(0);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace

Outcome<GetResult> AnswerDecoder::get_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "GetItemOutput");
    GetResult answer;
    answer.item = read_optional_item(reader, in["Item"]);
    answer.consumed = read_consumed(reader, in["ConsumedCapacity"], Units::read);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<WriteResult> AnswerDecoder::write_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "PutItemOutput");
    WriteResult answer;
    answer.attributes = read_optional_item(reader, in["Attributes"]);
    answer.consumed = read_consumed(reader, in["ConsumedCapacity"], Units::write);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<Page> AnswerDecoder::page(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "QueryOutput");
    Page answer;
    answer.items = read_items(reader, in["Items"]);
    answer.count = read_count(reader, in["Count"]);
    answer.scanned_count = read_count(reader, in["ScannedCount"]);
    answer.last_key = read_optional_item(reader, in["LastEvaluatedKey"]);
    answer.consumed = read_consumed(reader, in["ConsumedCapacity"], Units::read);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<BatchGetResult> AnswerDecoder::batch_get_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BatchGetItemOutput");
    BatchGetResult answer;
    reader.entries(in["Responses"], "java.util.List", [&](const Place& entry) {
        answer.tables.push_back({std::string(entry.name), read_items(reader, entry)});
    });
    std::optional<Failure> refusal;
    answer.unprocessed = read_table_gets(reader, in["UnprocessedKeys"], refusal);
    answer.consumed = read_all_consumed(reader, in["ConsumedCapacity"], Units::read);
    REFUSE(check_readable(reader));
    if (refusal) return unreadable(refusal->message);
    return answer;
}

Outcome<BatchWriteResult> AnswerDecoder::batch_write_item(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "BatchWriteItemOutput");
    BatchWriteResult answer;
    Complaint complaint;
    answer.unprocessed = read_table_writes(reader, in["UnprocessedItems"], complaint);
    answer.consumed = read_all_consumed(reader, in["ConsumedCapacity"], Units::write);
    REFUSE(check_readable(reader));
    if (complaint) return unreadable(*complaint);
    return answer;
}

Outcome<TransactWriteResult> AnswerDecoder::transact_write_items(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TransactWriteItemsOutput");
    TransactWriteResult answer;
    answer.consumed = read_all_consumed(reader, in["ConsumedCapacity"], Units::write);
    REFUSE(check_readable(reader));
    return answer;
}

Outcome<TransactGetResult> AnswerDecoder::transact_get_items(std::string_view body) {
    const Place root = TRY(impl_->begin(body));
    auto& reader = impl_->reader();
    const Structure in(reader.problems, root, "TransactGetItemsOutput");
    TransactGetResult answer;
    reader.elements(in["Responses"], [&](const Place& element) {
        const Structure response(reader.problems, element, "ItemResponse", Holder::collection);
        answer.items.push_back(read_optional_item(reader, response["Item"]));
    });
    answer.consumed = read_all_consumed(reader, in["ConsumedCapacity"], Units::read);
    REFUSE(check_readable(reader));
    return answer;
}

}  // namespace mailroom::table::wire
