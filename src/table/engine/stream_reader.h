// Reads streams, and drops what has been in them for a day.
#pragma once

#include "table/engine/core.h"
#include "table/streams.h"

namespace mailroom::table {

// Sees what is durable. Thread-safe.
class StreamReader final : public Streams {
public:
    // `core` must outlive this object.
    explicit StreamReader(Core& core) : core_(core) {}

    Outcome<StreamList> list(const std::optional<std::string>& table, const std::string& after,
                             std::size_t limit) const override;
    Outcome<StreamDescription> describe(const std::string& arn) const override;
    Outcome<std::string> iterator(const GetShardIterator& request) const override;
    Outcome<StreamPage> records(const std::string& iterator, std::size_t limit) const override;

private:
    struct Position;
    Outcome<StreamRow> find(const std::string& arn) const;
    Outcome<Position> resume(const std::string& iterator) const;
    std::string iterator_at(const StreamRow& stream, std::uint64_t sequence) const;
    Outcome<std::uint64_t> last_stored(std::uint32_t stream) const;

    Core& core_;
};

// Drops records that were kept long enough, so many of a stream in one commit, and streams that
// were turned off as long ago. Reads only what it drops.
Outcome<> sweep_streams(Core& core, std::size_t piece_records);

}  // namespace mailroom::table
