#include "table/engine/stream_writer.h"

#include "base/log.h"
#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

namespace {

// So far behind the newest change, a clock is worth a line in the log.
constexpr std::chrono::milliseconds behind_told = std::chrono::minutes(5);

std::int64_t seconds(std::chrono::milliseconds span) {
    return std::chrono::floor<std::chrono::seconds>(span).count();
}

}  // namespace

Result<> StreamWriter::load(const kv::Store& kv) {
    const auto set_backs = TRY(SetBacks::read(kv));
    for (const auto& set_back : set_backs.all()) {
        next_ = std::max(next_, set_back.before);
        last_at_ = std::max(last_at_, set_back.at);
    }
    const auto streams = TRY(read_stream_rows(kv));
    for (const auto& stream : streams) {
        const auto trimmed = TRY(read_trimmed(kv, stream.id));
        next_ =
            std::max({next_, trimmed.sequence + 1, stream.ended_sequence() + 1, stream.first + 1});
        last_at_ = std::max(last_at_, set_backs.real_moment(stream.first, stream.started));
        if (stream.ended) {
            const auto at = set_backs.real_moment(stream.ended_sequence(), *stream.ended);
            last_at_ = std::max(last_at_, at);
        }
        const auto prefix = space_prefix(Space::record, stream.id);
        const auto end = kv::after_prefix(prefix);
        const auto cursor = kv.scan(prefix, end);
        cursor->seek_before(end);
        if (cursor->valid()) {
            const auto sequence = sequence_of(cursor->key());
            next_ = std::max(next_, sequence + 1);
            const auto at = set_backs.real_moment(sequence, time_of_record(cursor->value()));
            last_at_ = std::max(last_at_, at);
        }
        TRY(cursor->status());
    }
    return Ok{};
}

void StreamWriter::tell_if_behind(std::chrono::milliseconds behind) {
    if (behind > behind_told && !told_behind_) {
        log::error(
            "the clock is behind the newest changes of the tables: until it has caught up, "
            "changes count as of their time",
            {{"behind_s", seconds(behind)}});
    }
    told_behind_ = behind > behind_told;
}

// Under the lock. A moment that was told before must not come again, hence the millisecond.
void StreamWriter::follow(Time now) {
    const auto newest = std::max(last_at_, first_at_);
    if (newest <= now + clock_wait_max) return tell_if_behind(newest - now);
    unsettled_.push_back({next_, now + std::chrono::milliseconds(1)});
    last_at_ = first_at_ = unsettled_.back().at;
    log::error(
        "the clock was far ahead and is back: changes of the tables since then count as of "
        "now",
        {{"ahead_s", seconds(newest - now)}});
}

Time StreamWriter::moment(Time now) {
    follow(now);
    return std::max({now, last_at_, first_at_});
}

std::optional<std::uint64_t> StreamWriter::add_set_backs(Time now, kv::Batch& batch) {
    const std::lock_guard lock(mutex_);
    follow(now);
    if (unsettled_.empty()) return std::nullopt;
    for (const auto& set_back : unsettled_) set_back.add_to(batch);
    return unsettled_.back().before;
}

void StreamWriter::settle_set_backs(std::uint64_t last) {
    const std::lock_guard lock(mutex_);
    std::erase_if(unsettled_, [&](const SetBack& set_back) { return set_back.before <= last; });
}

Time StreamWriter::latest(Time now) {
    const std::lock_guard lock(mutex_);
    follow(now);
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
    for (const auto& set_back : unsettled_) set_back.add_to(batch);
    if (table.has_stream()) {
        batch.put(record_key(table.stream->id, next_++),
                  encode_record(table, table.stream->view, change, at));
    }
    if (table.history) {
        batch.put(record_key(table.history->id, next_++),
                  encode_record(table, StreamView::old_image, change, at));
    }
}

void StreamWriter::begin(const Definition& table, const TableStream& stream, kv::Batch& batch) {
    auto row = StreamRow::of(table, stream);
    const std::lock_guard lock(mutex_);
    row.first = next_++;
    last_at_ = std::max(last_at_, stream.started);
    batch.put(stream_key(stream.id), encode_stream_row(row));
}

void StreamWriter::end(const Definition& table, const TableStream& stream, Time at,
                       kv::Batch& batch) {
    auto row = StreamRow::of(table, stream);
    row.ended = at;
    const std::lock_guard lock(mutex_);
    row.last_sequence = next_ - 1;
    ++next_;
    last_at_ = std::max(last_at_, at);
    batch.put(stream_key(row.id), encode_stream_row(row));
}

}  // namespace mailroom::table
