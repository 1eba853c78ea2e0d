#include "table/engine/definition.h"

#include "base/time_format.h"
#include "table/backups.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

// The catalog row is an item, so that attributes can be added without a new format.

Value encode_strings(const std::vector<std::string>& strings) {
    std::vector<Value> values(strings.begin(), strings.end());
    return Value::list(values);
}

std::vector<std::string> decode_strings(const ItemView& item, std::string_view attribute) {
    std::vector<std::string> strings;
    const auto list = item.find(attribute);
    if (!list || list->kind() != Kind::list) return strings;
    for (const auto& element : list->list()) strings.emplace_back(element.text());
    return strings;
}

Value encode_keys(const KeySchema& keys) {
    Item item{{"hash", keys.hash}};
    if (!keys.range.empty()) item.set("range", Value(keys.range));
    if (!keys.more_hashes.empty()) item.set("more_hashes", encode_strings(keys.more_hashes));
    if (!keys.more_ranges.empty()) item.set("more_ranges", encode_strings(keys.more_ranges));
    return Value::map(item);
}

KeySchema decode_keys(const ItemView& item) {
    return {std::string(item.text("hash").value_or("")),
            std::string(item.text("range").value_or("")), decode_strings(item, "more_hashes"),
            decode_strings(item, "more_ranges")};
}

Value encode_throughput(const Throughput& throughput) {
    return Value::list({Value(throughput.read), Value(throughput.write)});
}

Throughput decode_throughput(const ItemView& item) {
    const auto value = item.find("throughput");
    if (!value || value->kind() != Kind::list) return {};
    const auto read = value->list().at(0), write = value->list().at(1);
    if (!read || !write) return {};
    return {read->number().to_int64().value_or(0), write->number().to_int64().value_or(0)};
}

Value encode_index(const IndexDefinition& index) {
    Item item{
        {"id", index.id},
        {"name", index.spec.name},
        {"keys", encode_keys(index.spec.keys)},
        {"projection", static_cast<int>(index.spec.projection.kind)},
        {"include", encode_strings(index.spec.projection.include)},
        {"throughput", encode_throughput(index.spec.throughput)},
        {"local", index.local},
        {"status", static_cast<int>(index.status)},
        {"backfilling", index.backfilling},
    };
    if (index.bounded) item.set("bounded", Value(true));
    return Value::map(item);
}

IndexDefinition decode_index(const ItemView& item,
                             const std::vector<AttributeDefinition>& attributes) {
    IndexDefinition index;
    index.id = static_cast<std::uint32_t>(item.integer("id").value_or(0));
    index.spec.name = item.text("name").value_or("");
    index.spec.keys = decode_keys(item.find("keys")->map());
    index.spec.projection.kind =
        static_cast<ProjectionKind>(item.integer("projection").value_or(0));
    index.spec.projection.include = decode_strings(item, "include");
    index.spec.throughput = decode_throughput(item);
    index.local = item.boolean("local").value_or(false);
    index.status = static_cast<IndexStatus>(item.integer("status").value_or(0));
    index.backfilling = item.boolean("backfilling").value_or(false);
    index.bounded = item.boolean("bounded").value_or(false);
    index.keys = resolve_keys(index.spec.keys, attributes);
    return index;
}

Item encode_tags(const Tags& tags) {
    Item item;
    for (const auto& [key, value] : tags) item.set(key, Value(value));
    return item;
}

Value encode_stream(const TableStream& stream) {
    return Value::map(Item{{"id", stream.id},
                           {"view", static_cast<int>(stream.view)},
                           {"started", to_unix_ms(stream.started)},
                           {"enabled", stream.enabled},
                           {"days", stream.days}});
}

TableStream decode_stream(const ItemView& item) {
    TableStream stream;
    stream.id = static_cast<std::uint32_t>(item.integer("id").value_or(0));
    stream.view = static_cast<StreamView>(item.integer("view").value_or(0));
    stream.started = from_unix_ms(item.integer("started").value_or(0));
    stream.enabled = item.boolean("enabled").value_or(false);
    stream.days = static_cast<int>(item.integer("days").value_or(ContinuousSetting::days_max));
    return stream;
}

Value encode_restored(const TableDescription::Restored& restored) {
    return Value::map(Item{{"backup", restored.backup_arn},
                           {"table", restored.table_arn},
                           {"at", to_unix_ms(restored.at)}});
}

TableDescription::Restored decode_restored(const ItemView& item) {
    return {std::string(item.text("backup").value_or("")),
            std::string(item.text("table").value_or("")),
            from_unix_ms(item.integer("at").value_or(0)), false};
}

void decode_settings(const ItemView& item, Definition& definition) {
    definition.billing = static_cast<BillingMode>(item.integer("billing").value_or(1));
    definition.throughput = decode_throughput(item);
    if (const auto since = item.integer("pay_per_request_since")) {
        definition.pay_per_request_since = from_unix_ms(*since);
    }
    definition.deletion_protection = item.boolean("deletion_protection").value_or(false);
    definition.table_class = item.text("table_class").value_or("STANDARD");
    for (const auto& tag : item.find("tags")->map()) {
        definition.tags.emplace_back(tag.name, tag.value.text());
    }
    definition.ttl_attribute = item.text("ttl_attribute").value_or("");
    definition.ttl_backfilling = item.boolean("ttl_backfilling").value_or(false);
}

Value encode_restoring(const RestoreSource& source) {
    return Value::map(Item{{"backup", source.backup},
                           {"table", source.table},
                           {"history", source.history},
                           {"until", to_unix_ms(source.until)}});
}

RestoreSource decode_restoring(const ItemView& item) {
    const auto id = [&](std::string_view name) {
        return static_cast<std::uint32_t>(item.integer(name).value_or(0));
    };
    return {id("backup"), id("table"), id("history"),
            from_unix_ms(item.integer("until").value_or(0))};
}

void decode_copies(const ItemView& item, Definition& definition) {
    if (const auto stream = item.find("stream")) definition.stream = decode_stream(stream->map());
    if (const auto history = item.find("history")) {
        definition.history = decode_stream(history->map());
    }
    if (const auto restored = item.find("restored")) {
        definition.restored = decode_restored(restored->map());
    }
    if (const auto restoring = item.find("restoring")) {
        definition.restoring = decode_restoring(restoring->map());
    }
}

IndexDescription describe_index(const IndexDefinition& index, const std::string& table_arn) {
    return {index.spec,
            index.status,
            index.backfilling,
            table_arn + "/index/" + index.spec.name,
            index.counter->items.load(),
            index.counter->bytes.load()};
}

}  // namespace

bool Keys::has(std::string_view name) const {
    return std::ranges::find(attributes, name, &Key::name) != attributes.end();
}

Keys resolve_keys(const KeySchema& schema, const std::vector<AttributeDefinition>& attributes) {
    const auto resolve = [&](const std::string& name) {
        const auto found = std::ranges::find(attributes, name, &AttributeDefinition::name);
        assert(found != attributes.end());
        return Key{name, found->kind};
    };
    Keys keys{{}, 1 + schema.more_hashes.size()};
    assert(keys.hash_count <= key_attributes_max);
    for (const auto& name : schema.names()) keys.attributes.push_back(resolve(name));
    return keys;
}

void shape_entries(Definition& definition) {
    const auto& table = definition.keys;
    for (auto& index : definition.indexes) {
        auto keys = index.keys.attributes;
        keys.insert(keys.end(), table.attributes.begin(), table.attributes.end());
        auto& names = index.entry.names;
        names.clear();
        for (const auto& key : keys) names.push_back(key.name);
        // With all attributes projected, the item itself is the entry.
        if (index.spec.projection.kind == ProjectionKind::include) {
            const auto& include = index.spec.projection.include;
            names.insert(names.end(), include.begin(), include.end());
        }
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
        index.entry.spread = definition.spread;
        index.entry.parts.clear();
        for (const auto& key : keys) {
            const auto at = std::ranges::lower_bound(names, key.name);
            index.entry.parts.push_back(static_cast<std::size_t>(at - names.begin()));
        }
    }
}

std::string TableStream::label() const {
    auto text = format_rfc3339(started);
    text.pop_back();  // DynamoDB leaves out the Z.
    return text;
}

std::string TableStream::arn(const std::string& table_arn) const {
    return table_arn + "/stream/" + label();
}

const IndexDefinition* Definition::index(std::string_view index_name) const {
    for (const auto& index : indexes) {
        if (index.spec.name == index_name) return &index;
    }
    return nullptr;
}

bool Definition::uses(const std::string& attribute) const {
    return keys.has(attribute) || std::ranges::any_of(indexes, [&](const IndexDefinition& index) {
               return index.keys.has(attribute);
           });
}

TableDescription Definition::describe() const {
    TableDescription description;
    description.name = name;
    description.id = uuid;
    description.arn = arn;
    description.status = TableStatus::active;
    description.created = created;
    description.attributes = attributes;
    description.keys = key_schema;
    for (const auto& index : indexes) {
        auto& list = index.local ? description.local_indexes : description.global_indexes;
        list.push_back(describe_index(index, arn));
        if (index.status != IndexStatus::active) description.status = TableStatus::updating;
    }
    description.billing = billing;
    description.throughput = throughput;
    description.pay_per_request_since = pay_per_request_since;
    description.deletion_protection = deletion_protection;
    description.table_class = table_class;
    description.item_count = counter->items.load();
    description.size_bytes = counter->bytes.load();
    if (stream) {
        description.stream = {stream->enabled, stream->view};
        description.stream_label = stream->label();
        description.stream_arn = stream->arn(arn);
    }
    description.restored = restored;
    if (description.restored) description.restored->in_progress = restoring.has_value();
    if (restoring) description.status = TableStatus::creating;
    return description;
}

std::string encode_definition(const Definition& definition) {
    Item attributes;
    for (const auto& attribute : definition.attributes) {
        attributes.set(attribute.name, Value(type_name(attribute.kind)));
    }
    std::vector<Value> indexes;
    for (const auto& index : definition.indexes) indexes.push_back(encode_index(index));
    Item item{
        {"id", definition.id},
        {"name", definition.name},
        {"uuid", definition.uuid},
        {"arn", definition.arn},
        {"created", to_unix_ms(definition.created)},
        {"attributes", Value::map(attributes)},
        {"keys", encode_keys(definition.key_schema)},
        {"indexes", Value::list(indexes)},
        {"billing", static_cast<int>(definition.billing)},
        {"throughput", encode_throughput(definition.throughput)},
        {"deletion_protection", definition.deletion_protection},
        {"table_class", definition.table_class},
        {"tags", Value::map(encode_tags(definition.tags))},
        {"ttl_attribute", definition.ttl_attribute},
        {"ttl_backfilling", definition.ttl_backfilling},
        {"spread", static_cast<int>(definition.spread)},
    };
    if (definition.pay_per_request_since) {
        item.set("pay_per_request_since", Value(to_unix_ms(*definition.pay_per_request_since)));
    }
    if (definition.stream) item.set("stream", encode_stream(*definition.stream));
    if (definition.history) item.set("history", encode_stream(*definition.history));
    if (definition.restored) item.set("restored", encode_restored(*definition.restored));
    if (definition.restoring) item.set("restoring", encode_restoring(*definition.restoring));
    return item.bytes();
}

Result<Definition> decode_definition(std::string_view bytes) {
    const ItemView item(bytes);
    Definition definition;
    if (!item.has("id") || !item.has("attributes") || !item.has("keys") || !item.has("indexes")) {
        return Error{Errc::corrupt, "a table's catalog row cannot be read"};
    }
    definition.id = static_cast<std::uint32_t>(*item.integer("id"));
    definition.name = item.text("name").value_or("");
    definition.uuid = item.text("uuid").value_or("");
    definition.arn = item.text("arn").value_or("");
    definition.created = from_unix_ms(item.integer("created").value_or(0));
    for (const auto& attribute : item.find("attributes")->map()) {
        definition.attributes.push_back(
            {std::string(attribute.name), static_cast<Kind>(attribute.value.text()[0])});
    }
    definition.key_schema = decode_keys(item.find("keys")->map());
    definition.keys = resolve_keys(definition.key_schema, definition.attributes);
    definition.spread = static_cast<Spread>(item.integer("spread").value_or(0));
    for (const auto& index : item.find("indexes")->list()) {
        definition.indexes.push_back(decode_index(index.map(), definition.attributes));
    }
    decode_settings(item, definition);
    decode_copies(item, definition);
    return definition;
}

}  // namespace mailroom::table
