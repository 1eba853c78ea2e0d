#include "table/engine/stream_reader.h"

#include "base/base64.h"
#include "kv/key.h"
#include "table/engine/definition_change.h"
#include "table/engine/rows.h"
#include "table/engine/stream_rows.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace mailroom::table {

namespace {

constexpr std::chrono::milliseconds iterator_life = std::chrono::minutes(15);
constexpr std::size_t page_bytes_max = 1024 * 1024;  // DynamoDB's limit on one answer.
// Between the ARN of an iterator and its position.
constexpr std::string_view iterator_mark = "|1|";

// shardId-00000001760000000000-00000007
std::string shard_id(const StreamRow& stream) {
    constexpr std::size_t time_digits = 20, id_digits = 8;
    auto time = std::to_string(to_unix_ms(stream.started));
    time.insert(0, time_digits - std::min(time_digits, time.size()), '0');
    auto id = std::to_string(stream.id);
    id.insert(0, id_digits - std::min(id_digits, id.size()), '0');
    return "shardId-" + time + "-" + id;
}

Failure no_stream(const std::string& arn) {
    return {Fault::resource_not_found,
            "Requested resource not found: Stream: " + arn + " not found"};
}

Failure too_old() {
    return {Fault::trimmed_data,
            "The operation attempted to read past the oldest stream record in a shard."};
}

template <class T>
Outcome<T> stored(Result<T> result) {
    if (!result) return from_storage(result.error());
    return *std::move(result);
}

}  // namespace

std::optional<std::string> table_of_stream(const std::string& arn_or_iterator) {
    constexpr std::string_view before = ":table/", behind = "/stream/";
    const auto begin = arn_or_iterator.find(before);
    if (begin == arn_or_iterator.npos) return std::nullopt;
    const auto end = arn_or_iterator.find(behind, begin);
    if (end == arn_or_iterator.npos) return std::nullopt;
    const auto at = begin + before.size();
    return arn_or_iterator.substr(at, end - at);
}

// Where an iterator goes on.
struct StreamReader::Position {
    StreamRow stream;
    std::uint64_t sequence = 0;
};

Outcome<StreamRow> StreamReader::find(const std::string& arn) const {
    auto rows = TRY(stored(read_stream_rows(core_.kv)));
    const auto found = std::ranges::find_if(
        rows, [&](const StreamRow& row) { return row.arn == arn && !row.history; });
    if (found == rows.end()) return no_stream(arn);
    return std::move(*found);
}

Outcome<StreamList> StreamReader::list(const std::optional<std::string>& table,
                                       const std::string& after, std::size_t limit) const {
    auto rows = TRY(stored(read_stream_rows(core_.kv)));
    std::ranges::sort(rows, {}, &StreamRow::arn);
    StreamList list;
    for (const auto& row : rows) {
        if (row.history || row.arn <= after || (table && row.table != *table)) continue;
        if (list.streams.size() == limit) {
            list.last = list.streams.back().arn;
            break;
        }
        list.streams.push_back({row.arn, row.label, row.table});
    }
    return list;
}

Outcome<StreamDescription> StreamReader::describe(const std::string& arn) const {
    const auto row = TRY(find(arn));
    const auto trimmed = TRY(stored(read_trimmed(core_.kv, row.id)));
    StreamDescription description;
    description.summary = {row.arn, row.label, row.table};
    description.view = row.view;
    description.enabled = !row.ended;
    description.started = row.started;
    description.keys = row.keys;
    description.shard = shard_id(row);
    description.first_sequence = sequence_text(trimmed.sequence + 1);
    if (row.ended) description.last_sequence = sequence_text(row.last_sequence);
    return description;
}

Outcome<std::uint64_t> StreamReader::last_stored(std::uint32_t stream) const {
    const auto prefix = space_prefix(Space::record, stream);
    const auto end = kv::after_prefix(prefix);
    const auto cursor = core_.kv.scan(prefix, end);
    cursor->seek_before(end);
    if (cursor->valid()) return sequence_of(cursor->key());
    if (auto status = cursor->status(); !status) return from_storage(status.error());
    return TRY(stored(read_trimmed(core_.kv, stream))).sequence;
}

std::string StreamReader::iterator_at(const StreamRow& stream, std::uint64_t sequence) const {
    std::string position;
    kv::append_u64(position, sequence);
    kv::append_u64(position, static_cast<std::uint64_t>(to_unix_ms(core_.clock.now())));
    return stream.arn + std::string(iterator_mark) + base64_encode(position);
}

Outcome<std::string> StreamReader::iterator(const GetShardIterator& request) const {
    const auto stream = TRY(find(request.arn));
    if (request.shard != shard_id(stream)) {
        return Failure{Fault::resource_not_found,
                       "Requested resource not found: Shard does not exist: " + request.shard};
    }
    const auto trimmed = TRY(stored(read_trimmed(core_.kv, stream.id)));
    if (request.start == StreamStart::trim_horizon)
        return iterator_at(stream, trimmed.sequence + 1);
    if (request.start == StreamStart::latest) {
        const auto last = TRY(last_stored(stream.id));
        return iterator_at(stream, last + 1);
    }
    const auto sequence = parse_sequence(request.sequence);
    if (!sequence) return invalid("Invalid SequenceNumber: " + request.sequence);
    if (*sequence <= trimmed.sequence) return too_old();
    return iterator_at(stream, *sequence + (request.start == StreamStart::after_sequence ? 1 : 0));
}

Outcome<StreamReader::Position> StreamReader::resume(const std::string& iterator) const {
    const auto mark = iterator.rfind(iterator_mark);
    const auto position =
        mark == iterator.npos
            ? std::nullopt
            : base64_decode(std::string_view(iterator).substr(mark + iterator_mark.size()));
    if (!position) return invalid("Invalid ShardIterator");
    std::string_view in = *position;
    const auto sequence = kv::read_u64(in), made = kv::read_u64(in);
    if (!sequence || !made || !in.empty()) return invalid("Invalid ShardIterator");
    const auto now = static_cast<std::uint64_t>(to_unix_ms(core_.clock.now()));
    if (*made > now || now - *made > static_cast<std::uint64_t>(iterator_life.count())) {
        return Failure{Fault::expired_iterator, "Iterator expired. The iterator was created at " +
                                                    std::to_string(*made / 1000)};
    }
    auto stream = TRY(find(iterator.substr(0, mark)));
    return Position{std::move(stream), *sequence};
}

Outcome<StreamPage> StreamReader::records(const std::string& iterator, std::size_t limit) const {
    const auto [stream, first] = TRY(resume(iterator));
    // A reader that was too slow must know that it missed something.
    if (first <= TRY(stored(read_trimmed(core_.kv, stream.id))).sequence) return too_old();
    const auto from = record_key(stream.id, first);
    const auto cursor =
        core_.kv.scan(from, kv::after_prefix(space_prefix(Space::record, stream.id)));
    StreamPage page{core_.options.region, stream.view, {}, std::nullopt};
    std::uint64_t next = first;
    std::size_t bytes = 0;
    for (cursor->seek(from); cursor->valid() && page.records.size() < limit; cursor->next()) {
        if (bytes > 0 && bytes + cursor->value().size() > page_bytes_max) break;
        const auto sequence = sequence_of(cursor->key());
        next = sequence + 1;
        bytes += cursor->value().size();
        page.records.push_back(decode_record(stream.id, sequence, cursor->value()));
    }
    const bool more = cursor->valid();
    if (!more) {
        if (auto status = cursor->status(); !status) return from_storage(status.error());
    }
    if (more || !stream.ended) page.next = iterator_at(stream, next);
    return page;
}

namespace {

// Records at the front of a stream that are older than `oldest`.
struct Due {
    std::optional<Trimmed> last;  // None: there are none.
    bool more = false;            // There may be more behind it.
};

// Looks at `limit` records at most.
Outcome<Due> find_due(const Core& core, const StreamRow& stream, std::uint64_t first,
                      const SetBacks& set_backs, Time oldest, std::size_t limit) {
    const auto from = record_key(stream.id, first);
    const auto cursor =
        core.kv.scan(from, kv::after_prefix(space_prefix(Space::record, stream.id)));
    Due due;
    for (cursor->seek(from); cursor->valid(); cursor->next(), --limit) {
        due.more = limit == 0;
        if (due.more) return due;
        const auto sequence = sequence_of(cursor->key());
        const auto at = set_backs.real_moment(sequence, time_of_record(cursor->value()));
        if (at >= oldest) return due;
        due.last = Trimmed{sequence, at};
    }
    if (auto status = cursor->status(); !status) return from_storage(status.error());
    return due;
}

// Histories from which tables are being restored: they are needed as they are, also after a crash.
std::set<std::uint32_t> histories_in_use(const Core& core) {
    std::set<std::uint32_t> in_use;
    const auto reading = core.catalog.read();
    for (const auto& table : core.catalog.all()) {
        if (table->restoring) in_use.insert(table->restoring->history);
    }
    return in_use;
}

// Whether there is more to do.
Outcome<bool> sweep_piece(Core& core, std::size_t limit) {
    kv::Batch batch;
    bool more = false;
    const auto in_use = histories_in_use(core);
    const auto set_backs = TRY(stored(SetBacks::read(core.kv)));
    for (const auto& stream : TRY(stored(read_stream_rows(core.kv)))) {
        if (in_use.contains(stream.id)) continue;
        const auto oldest = core.clock.now() - stream.retention();
        if (stream.ended &&
            set_backs.real_moment(stream.ended_sequence(), *stream.ended) < oldest) {
            erase_stream(stream.id, batch);
            continue;
        }
        const auto first = TRY(stored(read_trimmed(core.kv, stream.id))).sequence + 1;
        const auto due = TRY(find_due(core, stream, first, set_backs, oldest, limit));
        more |= due.more;
        if (!due.last) continue;
        batch.erase_range(record_key(stream.id, first),
                          record_key(stream.id, due.last->sequence + 1));
        batch.put(trimmed_key(stream.id), encode_trimmed(*due.last));
    }
    if (!batch.empty()) TRY(queue_commit(core, batch).get());
    return more;
}

}  // namespace

Outcome<> sweep_streams(Core& core, std::size_t piece_records) {
    TRY(follow_clock(core));
    while (TRY(sweep_piece(core, piece_records))) {
    }
    return Ok{};
}

}  // namespace mailroom::table
