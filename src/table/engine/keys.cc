#include "table/engine/keys.h"

#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

Outcome<> check_key_value(const Key& key, const ValueView& value, bool is_hash) {
    if (value.payload().empty() && value.kind() != Kind::number) {
        const std::string what = value.kind() == Kind::string ? "string" : "binary";
        return invalid(
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty " +
            what + " value. Key: " + key.name);
    }
    if (is_hash && value.payload().size() > hash_bytes_max) {
        return invalid(
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum "
            "size limit of2048 bytes");
    }
    if (!is_hash && value.payload().size() > range_bytes_max) {
        return invalid(
            "One or more parameter values were invalid: Aggregated size of all range keys has "
            "exceeded the size limit of 1024 bytes");
    }
    return Ok{};
}

// The value of a key attribute in a whole item, or DynamoDB's refusal.
Outcome<ValueView> key_value(const Key& key, const ItemView& item) {
    const auto value = item.find(key.name);
    if (!value) {
        return invalid("One or more parameter values were invalid: Missing the key " + key.name +
                       " in the item");
    }
    if (value->kind() != key.kind) {
        return invalid("One or more parameter values were invalid: Type mismatch for key " +
                       key.name + " expected: " + std::string(type_name(key.kind)) +
                       " actual: " + std::string(type_name(value->kind())));
    }
    return *value;
}

Outcome<std::string> make_row(const Definition& table, const ItemView& item) {
    auto row = space_prefix(Space::item, table.id);
    const auto& hash_key = table.keys.attributes.front();
    const auto hash = TRY(key_value(hash_key, item));
    TRY(check_key_value(hash_key, hash, true));
    append_partition(row, hash, table.spread);
    for (const auto& range_key : table.keys.ranges()) {
        const auto range = TRY(key_value(range_key, item));
        TRY(check_key_value(range_key, range, false));
        append_key_part(row, range);
    }
    return row;
}

Outcome<> check_index_key_size(const IndexDefinition& index, const Key& key, const ValueView& value,
                               std::size_t bytes_max) {
    const auto bytes = value.payload().size();
    if (bytes <= bytes_max) return Ok{};
    return invalid("One or more parameter values were invalid: Size limit exceeded for Index Key " +
                   key.name + " Actual Size: " + std::to_string(bytes) + " bytes Max Size: " +
                   std::to_string(bytes_max) + " bytes IndexName: " + index.spec.name);
}

Outcome<> check_index_key(const IndexDefinition& index, const Key& key, const ItemView& item,
                          std::size_t bytes_max) {
    const auto value = item.find(key.name);
    if (!value) return Ok{};
    if (value->kind() != key.kind) {
        return invalid("One or more parameter values were invalid: Type mismatch for Index Key " +
                       key.name + " Expected: " + std::string(type_name(key.kind)) + " Actual: " +
                       std::string(type_name(value->kind())) + " IndexName: " + index.spec.name);
    }
    if (value->payload().empty()) {
        const std::string what = value->kind() == Kind::string ? "string" : "binary";
        return invalid(
            "One or more parameter values are not valid. A value specified for a secondary index "
            "key is not supported. The AttributeValue for a key attribute cannot contain an "
            "empty " +
            what + " value. IndexName: " + index.spec.name + ", IndexKey: " + key.name);
    }
    return check_index_key_size(index, key, *value, bytes_max);
}

// Fields borrow `name`, which belongs to the definition.
void append_field(std::vector<Field>& fields, const std::string& name, const ItemView& item) {
    const auto value = item.find(name);
    if (!value || std::ranges::find(fields, name, &Field::name) != fields.end()) return;
    fields.push_back({name, *value});
}

void append_fields(std::vector<Field>& fields, const Keys& keys, const ItemView& item) {
    for (const auto& key : keys.attributes) append_field(fields, key.name, item);
}

}  // namespace

Outcome<std::string> row_of_key(const Definition& table, const ItemView& key) {
    const auto matches = [&](const Key& part) {
        const auto value = key.find(part.name);
        return value && value->kind() == part.kind;
    };
    const auto& wanted = table.keys.attributes;
    if (key.count() != wanted.size() || !std::ranges::all_of(wanted, matches)) {
        return invalid("The provided key element does not match the schema");
    }
    return make_row(table, key);
}

Outcome<std::string> row_of_item(const Definition& table, const ItemView& item) {
    return make_row(table, item);
}

Outcome<> check_index_keys(const Definition& table, const ItemView& item) {
    for (const auto& index : table.indexes) {
        for (const auto& key : index.keys.hashes()) {
            TRY(check_index_key(index, key, item, hash_bytes_max));
        }
        for (const auto& key : index.keys.ranges()) {
            TRY(check_index_key(index, key, item, range_bytes_max));
        }
    }
    return Ok{};
}

Item key_of(const Definition& table, const IndexDefinition* index, const ItemView& item) {
    std::vector<Field> fields;
    append_fields(fields, table.keys, item);
    if (index) append_fields(fields, index->keys, item);
    return Item::from_fields(std::move(fields));
}

}  // namespace mailroom::table
