#include "table/engine/entry.h"

#include "table/engine/rows.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace mailroom::table {

namespace {

constexpr std::size_t slot_bytes = 2;
constexpr std::size_t end_mark_bytes = 2;  // Of a key part.
// Of an attribute's name in an encoded item; names have at most 64 KB.
constexpr std::size_t name_length_bytes_max = 3;

bool fits_key(const Key& key, const ValueView& value) {
    if (value.encoded().empty() || value.kind() != key.kind) return false;
    return !value.payload().empty() || key.kind == Kind::number;
}

}  // namespace

Entry::Entry(const IndexDefinition& index, const ItemView& item)
    : index_(&index), item_(item), values_(index.entry.names.size()) {
    const auto& names = index.entry.names;
    std::size_t next = 0;
    for (auto rest = item.bytes(); !rest.empty() && next < names.size();) {
        const auto field = read_field(rest);
        int order = names[next].compare(field.name);
        while (order < 0 && ++next < names.size()) order = names[next].compare(field.name);
        if (order == 0) values_[next++] = field.value;
    }
}

std::optional<Entry> Entry::of(const IndexDefinition& index, const ItemView& item) {
    Entry entry(index, item);
    if (!entry.fits()) return std::nullopt;
    return entry;
}

bool Entry::fits() const {
    const auto& keys = index_->keys.attributes;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto& value = values_[index_->entry.parts[i]];
        if (!fits_key(keys[i], value)) return false;
        const auto bytes_max = i < index_->keys.hash_count ? hash_bytes_max : range_bytes_max;
        if (index_->bounded && value.payload().size() > bytes_max) return false;
    }
    return true;
}

std::string Entry::row() const {
    const auto& shape = index_->entry;
    auto row = space_prefix(Space::entry, index_->id);
    std::size_t bytes = row.size() + slot_bytes;
    for (const auto part : shape.parts) bytes += values_[part].payload().size() + end_mark_bytes;
    row.reserve(bytes);
    const auto hash_count = index_->keys.hash_count;
    std::array<ValueView, key_attributes_max> hashes;
    for (std::size_t i = 0; i < hash_count; ++i) hashes[i] = values_[shape.parts[i]];
    append_partition(row, std::span(hashes.data(), hash_count), shape.spread);
    for (std::size_t i = hash_count; i < shape.parts.size(); ++i) {
        append_key_part(row, values_[shape.parts[i]]);
    }
    return row;
}

std::string Entry::value() const {
    if (projects_all()) return std::string(item_.bytes());
    const auto& names = index_->entry.names;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        bytes += name_length_bytes_max + names[i].size() + values_[i].encoded().size();
    }
    std::string value;
    value.reserve(bytes);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (values_[i].encoded().empty()) continue;
        append_length(value, names[i].size());
        value.append(names[i]).append(values_[i].encoded());
    }
    return value;
}

std::size_t Entry::size(std::size_t item_bytes) const {
    if (projects_all()) return item_bytes;
    const auto& names = index_->entry.names;
    std::size_t size = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (values_[i].encoded().empty()) continue;
        size += names[i].size() + values_[i].size_in_item();
    }
    return size;
}

bool Entry::has_row_of(const Entry& other) const {
    return std::ranges::all_of(index_->entry.parts, [&](std::size_t part) {
        return values_[part] == other.values_[part];
    });
}

bool Entry::has_value_of(const Entry& other) const {
    if (projects_all()) return item_.bytes() == other.item_.bytes();
    return std::equal(values_.begin(), values_.end(), other.values_.begin());
}

std::optional<std::string> entry_row(const IndexDefinition& index, const ItemView& item) {
    const auto entry = Entry::of(index, item);
    if (!entry) return std::nullopt;
    return entry->row();
}

}  // namespace mailroom::table
