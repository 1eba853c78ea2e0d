// The rows of streams: what each of them holds.
#pragma once

#include "base/result.h"
#include "kv/batch.h"
#include "kv/store.h"
#include "table/engine/definition.h"
#include "table/streams.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

constexpr std::chrono::milliseconds stream_retention = std::chrono::hours(24);

constexpr std::chrono::milliseconds days_of(int days) { return std::chrono::hours(24) * days; }

struct StreamRow {
    std::uint32_t id = 0;
    StreamView view = StreamView::keys_only;
    Time started;
    std::uint64_t first = 0;  // Its beginning has a sequence number, too; 0 in older rows.
    std::string table, arn, label;
    KeySchema keys;
    // Not a stream for others, but the history of a table, kept for so many days.
    bool history = false;
    int days = 0;
    // When it was turned off, and the last sequence number given out by then.
    std::optional<Time> ended;
    std::uint64_t last_sequence = 0;

    // That of its end.
    std::uint64_t ended_sequence() const { return last_sequence + 1; }

    static StreamRow of(const Definition& table, const TableStream& stream);
    std::chrono::milliseconds retention() const {
        return history ? days_of(days) : stream_retention;
    }
};

std::string stream_key(std::uint32_t stream);
std::string trimmed_key(std::uint32_t stream);
std::string record_key(std::uint32_t stream, std::uint64_t sequence);
// Of a record's row.
std::uint64_t sequence_of(std::string_view row_key);

std::string encode_stream_row(const StreamRow& row);
StreamRow decode_stream_row(std::string_view bytes);
Result<std::vector<StreamRow>> read_stream_rows(const kv::Store& kv);
// The last record that was dropped; number 0 when none was.
struct Trimmed {
    std::uint64_t sequence = 0;
    Time at;
};
std::string encode_trimmed(const Trimmed& trimmed);
Result<Trimmed> read_trimmed(const kv::Store& kv, std::uint32_t stream);

// A change of one item. Views borrow.
struct ItemChange {
    std::optional<ItemView> before, after;
    bool by_service = false;
};
std::string encode_record(const Definition& table, StreamView view, const ItemChange& change,
                          Time at);
StreamRecord decode_record(std::uint32_t stream, std::uint64_t sequence, std::string_view bytes);
Time time_of_record(std::string_view bytes);

// Erases the stream with all its records.
void erase_stream(std::uint32_t stream, kv::Batch& batch);

// Sequence numbers as clients see them: all of one length, so that their texts are in order too.
std::string sequence_text(std::uint64_t sequence);
std::optional<std::uint64_t> parse_sequence(std::string_view text);

}  // namespace mailroom::table
