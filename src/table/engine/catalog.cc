#include "table/engine/catalog.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <utility>

namespace mailroom::table {

Result<> Catalog::load(const kv::Store& kv) {
    const std::string from(1, static_cast<char>(Space::catalog));
    const auto cursor = kv.scan(from, kv::after_prefix(from));
    for (cursor->seek(from); cursor->valid(); cursor->next()) {
        auto definition = std::make_shared<Definition>(TRY(decode_definition(cursor->value())));
        shape_entries(*definition);
        TRY(load_counter(kv, definition->id, *definition->counter));
        for (const auto& index : definition->indexes) {
            TRY(load_counter(kv, index.id, *index.counter));
        }
        know_counters(*definition);
        tables_.emplace(definition->name, definition);
    }
    TRY(cursor->status());
    if (const auto next = TRY(kv.get(next_id_key()))) {
        std::string_view in = *next;
        next_id_ = kv::read_u32(in).value_or(1);
    }
    return Ok{};
}

DefinitionPtr Catalog::find(std::string_view name) const {
    const auto found = tables_.find(name);
    return found == tables_.end() ? nullptr : found->second;
}

Outcome<DefinitionPtr> Catalog::get(std::string_view name) const {
    auto definition = find(name);
    if (!definition || definition->restoring)
        return Failure{Fault::resource_not_found, "Requested resource not found"};
    return definition;
}

std::vector<DefinitionPtr> Catalog::all() const {
    std::vector<DefinitionPtr> all;
    for (const auto& [name, definition] : tables_) all.push_back(definition);
    return all;
}

TableNames Catalog::names_after(const std::string& after, std::size_t limit) const {
    TableNames names;
    for (auto it = tables_.upper_bound(after); it != tables_.end(); ++it) {
        if (names.names.size() == limit) {
            names.last = names.names.back();
            break;
        }
        names.names.push_back(it->first);
    }
    return names;
}

std::uint32_t Catalog::take_id(kv::Batch& batch) {
    const auto id = next_id_++;
    std::string bytes;
    kv::append_u32(bytes, next_id_);
    batch.put(next_id_key(), bytes);
    return id;
}

void Catalog::put(Definition definition, kv::Batch& batch) {
    shape_entries(definition);
    batch.put(catalog_key(definition.name), encode_definition(definition));
    know_counters(definition);
    auto name = definition.name;
    tables_[std::move(name)] = std::make_shared<const Definition>(std::move(definition));
}

void Catalog::remove(const Definition& definition, kv::Batch& batch) {
    batch.erase(catalog_key(definition.name));
    Tally counts;
    counts.drop(definition.id);
    for (const auto& index : definition.indexes) counts.drop(index.id);
    counts.defer_to(batch);
    tables_.erase(definition.name);
}

void Catalog::know_counters(const Definition& definition) {
    counts_.know(definition.id, definition.counter);
    for (const auto& index : definition.indexes) counts_.know(index.id, index.counter);
}

}  // namespace mailroom::table
