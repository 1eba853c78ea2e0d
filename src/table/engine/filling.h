// Brings the rows of a table in line with its definition: fills indexes and expiry rows that were
// added when the table had items already, and erases those of indexes that were dropped.
#pragma once

#include "table/engine/core.h"
#include "table/engine/jobs.h"
#include "table/engine/writer.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace mailroom::table {

// One pass over a table, for all that it lacked when the pass was made. What is added later has a
// pass of its own.
class Filling {
public:
    // All must outlive this object.
    Filling(Core& core, Writer& writer, const Jobs& jobs, DefinitionPtr listed);

    // Returns when done, or early when `jobs` is stopping or the table is gone. After a failure of
    // storage, another call goes on where this one stopped.
    Outcome<> run();

private:
    bool is_needed() const { return !indexes_.empty() || expiry_; }
    Outcome<> fill_piece();
    Outcome<> recount_indexes();
    Outcome<> finish();

    Core& core_;
    Writer& writer_;
    const Jobs& jobs_;
    const DefinitionPtr listed_;
    std::set<std::uint32_t> indexes_;      // Ids of those to be filled.
    std::optional<std::uint64_t> expiry_;  // The setting of time-to-live whose rows are to be made.
    std::string from_;                     // The first row that is left; empty: none.
};

// As run() above. `listed` is the table as it was when an index was dropped.
Outcome<> erase_dropped_indexes(Core& core, const DefinitionPtr& listed);

}  // namespace mailroom::table
