#include "campaigns/sequences/sequence_rows.h"

#include "json/json.h"

#include <algorithm>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t version_digits = 10;

std::string version_key(std::int64_t version) {
    const auto digits = std::to_string(version);
    return std::string(version_digits - std::min(version_digits, digits.size()), '0') + digits;
}

void set_key(table::Item& row, const table::Item& key) {
    for (const auto field : key.view()) row.set(field.name, field.value);
}

}  // namespace

table::Value DefinitionText::store(const Definition& definition) {
    return table::Value(table::to_json(definition));
}

std::optional<Definition> DefinitionText::load(const table::ValueView& value) {
    if (value.kind() != table::Kind::string) return std::nullopt;
    json::Parser parser;
    const auto view = parser.parse(value.text());
    if (!view) return std::nullopt;
    auto read = table::read_json<Definition>(*view);
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::string SequenceVersion::partition(std::string_view id) {
    return "SEQUENCE#" + std::string(id);
}

table::Item SequenceVersion::key(std::string_view id, std::int64_t version) {
    return {{"PK", partition(id)}, {"SK", version_key(version)}};
}

void SequenceVersion::derive(const SequenceVersion& version, table::Item& row) {
    set_key(row, key(version.id, version.version));
}

table::Item Sequence::key(std::string_view id) {
    return {{"PK", table::Value(partition)}, {"SK", table::Value(id)}};
}

void Sequence::derive(const Sequence& sequence, table::Item& row) {
    set_key(row, key(sequence.id));
}

}  // namespace mailroom::campaigns
