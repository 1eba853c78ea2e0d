#include "outbox/blobs/table_blobs.h"

#include "net/sigv4.h"
#include "outbox/mail/item_writer.h"
#include "table/records/ensure_table.h"
#include "table/records/many.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mailroom::outbox {

namespace {

// Of one batch: DynamoDB takes 25 writes and 16 MB.
constexpr std::size_t batch_parts_max = 8;
// Of one read, which brings 16 MB at most.
constexpr std::int64_t read_parts_max = 40;
// Against a row that lies: 140 MB are more than any message.
constexpr std::int64_t parts_max = 400;

std::int64_t parts_of(std::size_t bytes) {
    const auto part = TableBlobs::part_bytes_max;
    return static_cast<std::int64_t>((bytes + part - 1) / part);
}

table::Item part_key(std::string_view path, std::int64_t part) {
    return ItemWriter(path.size() + 32).number("Part", part).text("Path", path).take();
}

table::Item part_row(std::string_view path, std::int64_t part, std::string_view data,
                     std::int64_t parts, std::int64_t expires) {
    ItemWriter fields(data.size() + path.size() + 96);
    fields.binary("Data", data);
    fields.number("Part", part);
    fields.number("Parts", parts);
    fields.text("Path", path);
    fields.number("TTL", expires);
    return fields.take();
}

std::string parts_name(const std::string& path, std::string_view content) {
    return path + "#" + std::string(content);
}

Error incomplete(const std::string& path) {
    return {Errc::corrupt, "a part of " + path + " is missing"};
}

}  // namespace

table::OwnTable TableBlobs::declared(std::string table) {
    return table::own_table(std::move(table),
                            {{"Path", table::Kind::string}, {"Part", table::Kind::number}}, "TTL");
}

Result<TableBlobs> TableBlobs::open(table::Store& store, std::string table) {
    TRY(table::ensure_table(store, declared(table)));
    return TableBlobs(store, std::move(table));
}

Result<> TableBlobs::add(table::write::Transaction& transaction, const std::string& path,
                         std::string_view bytes, Time expires) {
    const auto expires_seconds = to_unix_seconds(expires);
    table::PutItem head;
    head.table = table_;
    if (bytes.size() <= small_bytes_max) {
        head.item = part_row(path, 0, bytes, 1, expires_seconds);
    } else {
        const auto content = net::sha256_hex(bytes);
        TRY(write_parts(parts_name(path, content), bytes, expires_seconds));
        head.item = {{"Content", content},
                     {"Part", 0},
                     {"Parts", parts_of(bytes.size())},
                     {"Path", path},
                     {"TTL", expires_seconds}};
    }
    transaction.also(std::move(head));
    return Ok{};
}

Result<> TableBlobs::write_parts(const std::string& name, std::string_view bytes,
                                 std::int64_t expires) {
    const auto parts = parts_of(bytes.size());
    for (std::int64_t next = 1; next <= parts;) {
        std::vector<table::BatchWrite::Action> actions;
        for (; next <= parts && actions.size() < batch_parts_max; ++next) {
            const auto data = bytes.substr(0, part_bytes_max);
            bytes.remove_prefix(data.size());
            actions.emplace_back(
                table::BatchWrite::Put{part_row(name, next, data, parts, expires)});
        }
        TRY(table::write_all(*store_, table_, std::move(actions)));
    }
    return Ok{};
}

Result<std::optional<std::string>> TableBlobs::read(const std::string& path) {
    table::GetItem request;
    request.table = table_;
    request.key = part_key(path, 0);
    request.consistent = true;
    const auto head = TRY(store_->get(request));
    if (!head.item) return std::optional<std::string>();
    if (const auto content = head.item->text("Content")) {
        const auto parts = head.item->integer("Parts").value_or(0);
        return std::optional(TRY(read_parts(parts_name(path, *content), parts)));
    }
    const auto data = head.item->find("Data");
    if (!data || data->kind() != table::Kind::binary) return incomplete(path);
    return std::optional(std::string(data->bytes()));
}

Result<std::string> TableBlobs::read_parts(const std::string& name, std::int64_t parts) {
    if (parts < 1 || parts > parts_max) return incomplete(name);
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(parts) * part_bytes_max);
    for (std::int64_t first = 1; first <= parts; first += read_parts_max) {
        std::vector<table::Item> keys;
        const auto end = std::min(first + read_parts_max, parts + 1);
        for (auto part = first; part < end; ++part) keys.push_back(part_key(name, part));
        auto rows = TRY(table::get_all(*store_, table_, std::move(keys)));
        std::ranges::sort(rows, {}, [](const auto& row) { return row.integer("Part"); });
        if (std::cmp_not_equal(rows.size(), end - first)) return incomplete(name);
        for (const auto& row : rows) {
            const auto data = row.find("Data");
            if (!data || data->kind() != table::Kind::binary) return incomplete(name);
            bytes += data->bytes();
        }
    }
    return bytes;
}

}  // namespace mailroom::outbox
