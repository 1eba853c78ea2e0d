#include "table/engine/stream_writer.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

Result<> StreamWriter::load(const kv::Store& kv) {
    const auto streams = TRY(read_stream_rows(kv));
    for (const auto& stream : streams) {
        const auto trimmed = TRY(read_trimmed(kv, stream.id));
        next_ = std::max({next_, trimmed + 1, stream.last_sequence + 1});
        const auto prefix = space_prefix(Space::record, stream.id);
        const auto end = kv::after_prefix(prefix);
        const auto cursor = kv.scan(prefix, end);
        cursor->seek_before(end);
        if (cursor->valid()) {
            next_ = std::max(next_, sequence_of(cursor->key()) + 1);
            last_at_ = std::max(last_at_, time_of_record(cursor->value()));
        }
        TRY(cursor->status());
    }
    return Ok{};
}

Time StreamWriter::moment(Time now) { return std::max({now, last_at_, first_at_}); }

Time StreamWriter::latest(Time now) {
    const std::lock_guard lock(mutex_);
    const auto latest = std::max(now, last_at_);
    // What follows within this millisecond must not turn up in what is restored to it.
    first_at_ = std::max(first_at_, latest + std::chrono::milliseconds(1));
    return latest;
}

void StreamWriter::add(const Definition& table, const ItemChange& change, Time at,
                       kv::Batch& batch) {
    if (!change.before && !change.after) return;
    if (change.before && change.after && change.before->bytes() == change.after->bytes()) return;
    last_at_ = at;
    if (table.has_stream()) {
        batch.put(record_key(table.stream->id, next_++),
                  encode_record(table, table.stream->view, change, at));
    }
    if (table.history) {
        batch.put(record_key(table.history->id, next_++),
                  encode_record(table, StreamView::old_image, change, at));
    }
}

void StreamWriter::begin(const Definition& table, const TableStream& stream,
                         kv::Batch& batch) const {
    batch.put(stream_key(stream.id), encode_stream_row(StreamRow::of(table, stream)));
}

void StreamWriter::end(const Definition& table, const TableStream& stream, Time at,
                       kv::Batch& batch) {
    auto row = StreamRow::of(table, stream);
    row.ended = at;
    const std::lock_guard lock(mutex_);
    row.last_sequence = next_ - 1;
    batch.put(stream_key(row.id), encode_stream_row(row));
}

}  // namespace mailroom::table
