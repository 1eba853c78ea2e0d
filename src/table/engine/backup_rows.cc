#include "table/engine/backup_rows.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

std::string padded(const std::string& digits, std::size_t length) {
    return std::string(length - std::min(length, digits.size()), '0') + digits;
}

}  // namespace

// …:table/Orders/backup/01763186844000-00000007
std::string BackupRow::arn(const Definition& table) const {
    constexpr std::size_t time_digits = 14, id_digits = 8;
    return table.arn + "/backup/" + padded(std::to_string(to_unix_ms(created)), time_digits) + "-" +
           padded(std::to_string(id), id_digits);
}

std::string backup_key(std::uint32_t backup) { return space_prefix(Space::backup, backup); }

std::string encode_backup_row(const BackupRow& row) {
    return Item{{"id", row.id},
                {"name", row.name},
                {"created", to_unix_ms(row.created)},
                {"available", row.available},
                {"items", row.items},
                {"bytes", row.bytes},
                {"definition", Value::binary(row.definition)}}
        .bytes();
}

Result<BackupRow> decode_backup_row(std::string_view bytes) {
    const ItemView item(bytes);
    const auto definition = item.find("definition");
    const auto id = item.integer("id");
    if (!definition || !id) {
        return Error{Errc::corrupt, "the row of a backup cannot be read"};
    }
    BackupRow row;
    row.id = static_cast<std::uint32_t>(*id);
    row.name = item.text("name").value_or("");
    row.created = from_unix_ms(item.integer("created").value_or(0));
    row.available = item.boolean("available").value_or(false);
    row.items = item.integer("items").value_or(0);
    row.bytes = item.integer("bytes").value_or(0);
    row.definition = definition->bytes();
    return row;
}

BackupDescription StoredBackup::describe() const {
    BackupDescription out;
    out.summary = {arn(),     row.name,    table.name, table.uuid,
                   table.arn, row.created, row.bytes,  row.available};
    out.source = table.describe();
    out.source.item_count = row.items;
    out.source.size_bytes = row.bytes;
    out.ttl_attribute = table.ttl_attribute;
    return out;
}

Result<std::vector<StoredBackup>> read_backups(const kv::Store& kv) {
    const std::string from(1, static_cast<char>(Space::backup));
    const auto cursor = kv.scan(from, kv::after_prefix(from));
    std::vector<StoredBackup> backups;
    for (cursor->seek(from); cursor->valid(); cursor->next()) {
        auto row = TRY(decode_backup_row(cursor->value()));
        auto table = TRY(decode_definition(row.definition));
        backups.push_back({std::move(row), std::move(table)});
    }
    TRY(cursor->status());
    return backups;
}

}  // namespace mailroom::table
