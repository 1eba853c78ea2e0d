#include "table/engine/stream_rows.h"

#include "base/hex.h"
#include "kv/key.h"
#include "table/backups.h"
#include "table/engine/keys.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <charconv>

namespace mailroom::table {

namespace {

constexpr std::size_t record_prefix_bytes = 5;
constexpr std::size_t sequence_digits = 20;  // Any u64.
constexpr char sequence_lead = '1';          // DynamoDB's have 21 digits at least.

bool shows_old(StreamView view) {
    return view == StreamView::old_image || view == StreamView::new_and_old_images;
}
bool shows_new(StreamView view) {
    return view == StreamView::new_image || view == StreamView::new_and_old_images;
}

std::optional<Item> image(const ItemView& record, std::string_view name) {
    const auto value = record.find(name);
    if (!value) return std::nullopt;
    return Item(value->map());
}

}  // namespace

StreamRow StreamRow::of(const Definition& table, const TableStream& stream) {
    StreamRow row;
    row.id = stream.id;
    row.view = stream.view;
    row.started = stream.started;
    row.table = table.name;
    row.arn = stream.arn(table.arn);
    row.label = stream.label();
    row.history = table.history && table.history->id == stream.id;
    row.days = stream.days;
    row.keys = table.key_schema;
    return row;
}

std::string stream_key(std::uint32_t stream) { return space_prefix(Space::stream, stream); }
std::string trimmed_key(std::uint32_t stream) { return space_prefix(Space::trimmed, stream); }

std::string record_key(std::uint32_t stream, std::uint64_t sequence) {
    auto key = space_prefix(Space::record, stream);
    kv::append_u64(key, sequence);
    return key;
}

std::uint64_t sequence_of(std::string_view row_key) {
    auto rest = row_key.substr(record_prefix_bytes);
    return kv::read_u64(rest).value_or(0);
}

std::string encode_stream_row(const StreamRow& row) {
    Item item{{"id", row.id},
              {"view", static_cast<int>(row.view)},
              {"started", to_unix_ms(row.started)},
              {"table", row.table},
              {"arn", row.arn},
              {"label", row.label},
              {"hash", row.keys.hash},
              {"range", row.keys.range},
              {"history", row.history},
              {"days", row.days},
              {"first", row.first}};
    if (row.ended) {
        item.set("ended", Value(to_unix_ms(*row.ended)));
        item.set("last", Value(row.last_sequence));
    }
    return item.bytes();
}

StreamRow decode_stream_row(std::string_view bytes) {
    const ItemView item(bytes);
    const auto text = [&](std::string_view name) {
        return std::string(item.text(name).value_or(""));
    };
    StreamRow row;
    row.id = static_cast<std::uint32_t>(item.integer("id").value_or(0));
    row.view = static_cast<StreamView>(item.integer("view").value_or(0));
    row.started = from_unix_ms(item.integer("started").value_or(0));
    row.first = static_cast<std::uint64_t>(item.integer("first").value_or(0));
    row.table = text("table");
    row.arn = text("arn");
    row.label = text("label");
    row.keys = {text("hash"), text("range")};
    row.history = item.boolean("history").value_or(false);
    row.days = static_cast<int>(item.integer("days").value_or(ContinuousSetting::days_max));
    if (const auto ended = item.integer("ended")) row.ended = from_unix_ms(*ended);
    row.last_sequence = static_cast<std::uint64_t>(item.integer("last").value_or(0));
    return row;
}

Result<std::vector<StreamRow>> read_stream_rows(const kv::Store& kv) {
    const std::string from(1, static_cast<char>(Space::stream));
    const auto cursor = kv.scan(from, kv::after_prefix(from));
    std::vector<StreamRow> rows;
    for (cursor->seek(from); cursor->valid(); cursor->next()) {
        rows.push_back(decode_stream_row(cursor->value()));
    }
    TRY(cursor->status());
    return rows;
}

std::string encode_trimmed(const Trimmed& trimmed) {
    std::string row;
    kv::append_u64(row, trimmed.sequence);
    kv::append_u64(row, static_cast<std::uint64_t>(to_unix_ms(trimmed.at)));
    return row;
}

Result<Trimmed> read_trimmed(const kv::Store& kv, std::uint32_t stream) {
    const auto row = TRY(kv.get(trimmed_key(stream)));
    if (!row) return Trimmed{};
    std::string_view in = *row;
    const auto sequence = kv::read_u64(in).value_or(0);
    const auto at = static_cast<std::int64_t>(kv::read_u64(in).value_or(0));
    return Trimmed{sequence, from_unix_ms(at)};
}

std::string encode_record(const Definition& table, StreamView view, const ItemChange& change,
                          Time at) {
    const auto event = !change.before  ? StreamRecord::Event::insert
                       : !change.after ? StreamRecord::Event::remove
                                       : StreamRecord::Event::modify;
    const auto keys = key_of(table, nullptr, change.after ? *change.after : *change.before);
    Item item{
        {"event", static_cast<int>(event)}, {"at", to_unix_ms(at)}, {"keys", Value::map(keys)}};
    if (change.before && shows_old(view)) item.set("old", Value::map(*change.before));
    if (change.after && shows_new(view)) item.set("new", Value::map(*change.after));
    if (change.by_service) item.set("service", Value(true));
    return item.bytes();
}

StreamRecord decode_record(std::uint32_t stream, std::uint64_t sequence, std::string_view bytes) {
    const ItemView item(bytes);
    StreamRecord record;
    record.event = static_cast<StreamRecord::Event>(item.integer("event").value_or(0));
    record.sequence = sequence_text(sequence);
    std::string id;
    kv::append_u64(id, stream);
    kv::append_u64(id, sequence);
    record.id = hex_encode(id);
    record.at = time_of_record(bytes);
    record.keys = image(item, "keys").value_or(Item());
    record.old_image = image(item, "old");
    record.new_image = image(item, "new");
    record.by_service = item.has("service");
    record.size_bytes = record.keys.view().size_in_item();
    if (record.old_image) record.size_bytes += record.old_image->view().size_in_item();
    if (record.new_image) record.size_bytes += record.new_image->view().size_in_item();
    return record;
}

Time time_of_record(std::string_view bytes) {
    return from_unix_ms(ItemView(bytes).integer("at").value_or(0));
}

void erase_stream(std::uint32_t stream, kv::Batch& batch) {
    const auto records = space_prefix(Space::record, stream);
    batch.erase_range(records, kv::after_prefix(records));
    batch.erase(stream_key(stream));
    batch.erase(trimmed_key(stream));
}

std::string sequence_text(std::uint64_t sequence) {
    auto digits = std::to_string(sequence);
    digits.insert(0, sequence_digits - digits.size(), '0');
    return sequence_lead + digits;
}

std::optional<std::uint64_t> parse_sequence(std::string_view text) {
    if (text.size() != sequence_digits + 1 || text.front() != sequence_lead) return std::nullopt;
    text.remove_prefix(1);
    std::uint64_t sequence = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sequence);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return sequence;
}

}  // namespace mailroom::table
