#include "campaigns/templates/template_rows.h"

#include <algorithm>
#include <string>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t piece_bytes_max = 350 * 1024;  // An item holds 400 KB.
constexpr std::string_view data_attribute = "Data";
constexpr std::string_view parts_attribute = "Parts", bytes_attribute = "Bytes";

// Numbers whose order as text is their order.
std::string digits(std::int64_t number, std::size_t width) {
    auto text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
}

std::string number_text(std::int64_t number) { return digits(number, 10); }

table::Item key_of(std::string partition, std::string sort) {
    return {{"PK", std::move(partition)}, {"SK", std::move(sort)}};
}

table::Item version_part_key(const std::string& key, std::int64_t number, std::int64_t part) {
    return key_of("PARTS#" + key, number_text(number) + "#" + digits(part, 3));
}

table::Item file_part_key(const std::string& sha256, std::int64_t part) {
    return key_of("FILE#" + sha256, digits(part, 5));
}

// `key(part)` is the key of each.
template <class Key>
rows::Pieces cut(std::string_view bytes, const Key& key) {
    rows::Pieces pieces;
    do {
        auto row = key(pieces.count());
        row.set(data_attribute, table::Value::binary(bytes.substr(0, piece_bytes_max)));
        pieces.rows.push_back(std::move(row));
        bytes.remove_prefix(std::min(bytes.size(), piece_bytes_max));
    } while (!bytes.empty());
    return pieces;
}

template <class Key>
std::vector<table::Item> keys(std::int64_t parts, const Key& key) {
    std::vector<table::Item> all;
    for (std::int64_t part = 0; part < parts; ++part) all.push_back(key(part));
    return all;
}

}  // namespace

void TemplateHead::derive(const TemplateHead& head, table::Item& row) {
    const auto key = rows::template_head(head.key);
    for (const auto& field : key.view()) row.set(field.name, field.value);
}

void VersionEntry::derive(const VersionEntry& version, table::Item& row) {
    const auto key = rows::template_version(version.key, version.number);
    for (const auto& field : key.view()) row.set(field.name, field.value);
}

namespace rows {

table::Item template_head(const std::string& key) {
    return key_of(std::string(templates_partition), key);
}

std::string versions_partition(const std::string& key) { return "TEMPLATE#" + key; }

table::Item template_version(const std::string& key, std::int64_t number) {
    return key_of(versions_partition(key), number_text(number));
}

Pieces pieces_of_version(const std::string& key, std::int64_t number, std::string_view bytes) {
    return cut(bytes, [&](std::int64_t part) { return version_part_key(key, number, part); });
}

Pieces pieces_of_file(const std::string& sha256, std::string_view bytes) {
    auto pieces = cut(bytes, [&](std::int64_t part) { return file_part_key(sha256, part); });
    pieces.rows.front().set(parts_attribute, table::Value(pieces.count()));
    pieces.rows.front().set(bytes_attribute, table::Value(bytes.size()));
    return pieces;
}

std::vector<table::Item> keys_of_version(const VersionEntry& version) {
    return keys(version.parts, [&](std::int64_t part) {
        return version_part_key(version.key, version.number, part);
    });
}

table::Item first_of_file(const std::string& sha256) { return file_part_key(sha256, 0); }

std::vector<table::Item> keys_of_file(const std::string& sha256, std::int64_t parts) {
    return keys(parts, [&](std::int64_t part) { return file_part_key(sha256, part); });
}

std::int64_t parts_of_file(const table::ItemView& first) {
    return first.integer(parts_attribute).value_or(1);
}

std::int64_t bytes_of_file(const table::ItemView& first) {
    return first.integer(bytes_attribute).value_or(0);
}

Result<std::string> joined(std::vector<table::Item> rows, std::int64_t parts) {
    const auto sort_key = [](const table::Item& row) { return row.text("SK").value_or(""); };
    std::ranges::sort(rows, {}, sort_key);
    std::string bytes;
    std::int64_t count = 0;
    for (const auto& row : rows) {
        const auto data = row.find(data_attribute);
        if (!data || data->kind() != table::Kind::binary) continue;
        bytes += data->bytes();
        ++count;
    }
    if (count == parts) return bytes;
    return Error{Errc::corrupt, "parts of a template are missing"};
}

}  // namespace rows
}  // namespace mailroom::campaigns
