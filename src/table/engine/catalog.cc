#include "table/engine/catalog.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

std::string encode_counter(const Counter& counter) {
    std::string bytes;
    kv::append_u64(bytes, static_cast<std::uint64_t>(counter.items.load()));
    kv::append_u64(bytes, static_cast<std::uint64_t>(counter.bytes.load()));
    return bytes;
}

Result<> load_counter(const kv::Store& kv, std::uint32_t id, Counter& counter) {
    const auto row = TRY(kv.get(count_key(id)));
    if (!row) return Ok{};
    std::string_view in = *row;
    counter.items = static_cast<std::int64_t>(kv::read_u64(in).value_or(0));
    counter.bytes = static_cast<std::int64_t>(kv::read_u64(in).value_or(0));
    return Ok{};
}

}  // namespace

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
        tables_.emplace(definition->name, definition);
    }
    TRY(cursor->status());
    if (const auto next = TRY(kv.get(next_id_key()))) {
        std::string_view in = *next;
        next_id_ = kv::read_u32(in).value_or(1);
    }
    rebuild_counters();
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
    auto name = definition.name;
    tables_[std::move(name)] = std::make_shared<const Definition>(std::move(definition));
    rebuild_counters();
}

void Catalog::remove(const Definition& definition, kv::Batch& batch) {
    batch.erase(catalog_key(definition.name));
    batch.erase(count_key(definition.id));
    for (const auto& index : definition.indexes) batch.erase(count_key(index.id));
    tables_.erase(definition.name);
    rebuild_counters();
}

void Catalog::count(std::uint32_t table_id, std::int64_t items, std::int64_t bytes) {
    if (items == 0 && bytes == 0) return;
    const auto key = count_key(table_id);
    const std::lock_guard lock(counters_mutex_);
    const auto found = std::ranges::find(counters_, key, &Counted::key);
    if (found != counters_.end()) found->counter->add(items, bytes);
}

void Catalog::add_changed_counters(kv::Batch& batch) {
    const std::lock_guard lock(counters_mutex_);
    for (const auto& [key, counter] : counters_) {
        if (counter->changed.exchange(false)) batch.put(key, encode_counter(*counter));
    }
}

void Catalog::rebuild_counters() {
    const std::lock_guard lock(counters_mutex_);
    counters_.clear();
    for (const auto& [name, definition] : tables_) {
        counters_.push_back({count_key(definition->id), definition->counter});
        for (const auto& index : definition->indexes) {
            counters_.push_back({count_key(index.id), index.counter});
        }
    }
}

}  // namespace mailroom::table
