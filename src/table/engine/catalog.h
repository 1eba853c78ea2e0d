// The tables there are, by name, with the lock that keeps a table's definition still while it is
// used.
#pragma once

#include "kv/batch.h"
#include "kv/store.h"
#include "table/engine/counts.h"
#include "table/engine/definition.h"
#include "table/failure.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

class Catalog {
public:
    using Reading = std::shared_lock<std::shared_mutex>;
    using Changing = std::unique_lock<std::shared_mutex>;

    // Reads every definition and its counters.
    Result<> load(const kv::Store& kv);

    // Writers hold this from the look-up until their batch is queued: so a change of schema, which
    // excludes them, knows that every batch made from the old definition is in the queue already.
    Reading read() const { return Reading(gate_); }
    Changing change() { return Changing(gate_); }

    // Under read() or change().
    DefinitionPtr find(std::string_view name) const;
    // As find, or DynamoDB's refusal; a table that is being restored is not there yet.
    Outcome<DefinitionPtr> get(std::string_view name) const;
    std::vector<DefinitionPtr> all() const;
    TableNames names_after(const std::string& after, std::size_t limit) const;
    std::size_t size() const { return tables_.size(); }

    // Under change(). Each adds the rows that make it durable to `batch`.
    std::uint32_t take_id(kv::Batch& batch);
    void put(Definition definition, kv::Batch& batch);
    void remove(const Definition& definition, kv::Batch& batch);

    // Of all tables and indexes. Apart from the gate: the committer writes them.
    Counts& counts() { return counts_; }

private:
    void know_counters(const Definition& definition);

    mutable std::shared_mutex gate_;
    std::map<std::string, DefinitionPtr, std::less<>> tables_;
    std::uint32_t next_id_ = 1;
    Counts counts_;
};

}  // namespace mailroom::table
