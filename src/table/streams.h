// Streams of tables: every change of an item, in order, for a day.
#pragma once

#include "base/clock.h"
#include "table/failure.h"
#include "table/schema.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::table {

struct StreamSummary {
    std::string arn, label, table;
};

struct StreamList {
    std::vector<StreamSummary> streams;
    std::optional<std::string> last;  // The ARN to go on behind; none at the end.
};

struct StreamDescription {
    StreamSummary summary;
    StreamView view = StreamView::keys_only;
    bool enabled = false;
    Time started;
    KeySchema keys;
    // All records of a stream are in one shard.
    std::string shard;
    std::string first_sequence;
    std::optional<std::string> last_sequence;  // Of a stream that was turned off.
};

struct StreamRecord {
    enum class Event { insert, modify, remove };
    Event event = Event::insert;
    std::string id, sequence;
    Time at;
    Item keys;
    std::optional<Item> old_image, new_image;  // As the stream's view says.
    bool by_service = false;                   // Removed because its time to live was over.
    std::size_t size_bytes = 0;
};

struct StreamPage {
    std::string region;
    StreamView view = StreamView::keys_only;
    std::vector<StreamRecord> records;
    // Where to go on; none behind the last record of a stream that was turned off.
    std::optional<std::string> next;
};

// Where an iterator begins.
enum class StreamStart { trim_horizon, latest, at_sequence, after_sequence };

struct GetShardIterator {
    std::string arn, shard;
    StreamStart start = StreamStart::latest;
    std::string sequence;  // With at_sequence and after_sequence.
};

class Streams {
public:
    // DynamoDB's limits on one answer of GetRecords and of the lists.
    static constexpr std::size_t records_max = 1000;
    static constexpr std::size_t list_max = 100;

    virtual ~Streams() = default;
    // Those behind the ARN `after`, of one table if `table` names one.
    virtual Outcome<StreamList> list(const std::optional<std::string>& table,
                                     const std::string& after, std::size_t limit) const = 0;
    // `resource_not_found` when there is none (any more), here and below.
    virtual Outcome<StreamDescription> describe(const std::string& arn) const = 0;
    // `trimmed_data` when the sequence number was dropped already.
    virtual Outcome<std::string> iterator(const GetShardIterator& request) const = 0;
    // Iterators are good for 15 minutes: `expired_iterator` after that. `trimmed_data` when records
    // were dropped that the reader has not seen.
    virtual Outcome<StreamPage> records(const std::string& iterator, std::size_t limit) const = 0;
};

// The name of the table in the ARN of a stream, or in an iterator; none if it is neither.
std::optional<std::string> table_of_stream(const std::string& arn_or_iterator);

}  // namespace mailroom::table
