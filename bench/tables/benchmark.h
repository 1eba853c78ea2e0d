// One run of the benchmark: starts the servers, fills them, measures them side by side.
#pragma once

#include "base/result.h"
#include "in_process.h"
#include "peers.h"
#include "report.h"
#include "workload.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

// Where to find the servers; those without a path are left out of the run.
struct Peers {
    std::optional<std::filesystem::path> mailroom;
    std::optional<std::filesystem::path> dynalite;  // Its cli.js.
    std::optional<std::filesystem::path> ceiling;
    bool in_process = false;  // Whether table::Store is measured here as well.
};

// All servers stay up for the whole run and are measured one after the other, each row's within
// seconds, so that what else the machine does falls on all of them alike.
class Benchmark {
public:
    // Starts and fills every server, with data under `directory`.
    static Result<Benchmark> start(const Peers& peers, const std::filesystem::path& directory,
                                   const Settings& settings);

    // Measures one row, the servers in turn in each round. A server whose answers were not all good
    // has no figure in it.
    Row measure(Operation operation, std::size_t connections);

    // Whether the counted-up item holds as many increments as were answered.
    void check_hot_items();

    // What went wrong so far, one sentence each: a run with any of these is worth nothing.
    const std::vector<std::string>& failures() const { return failures_; }

private:
    struct TablePeer {
        Peer peer;
        std::unique_ptr<Workload> workload;  // On the heap: its renderers refer to it.
        std::uint64_t increments = 0;        // Of the hot item.
    };

    explicit Benchmark(const Settings& settings) : settings_(settings) {}

    Result<TablePeer> prepare(Peer peer) const;
    Row measure_round(Operation operation, std::size_t connections);
    std::optional<Measure> measure_tables(std::optional<TablePeer>& server, Operation operation,
                                          std::size_t connections);
    std::optional<Measure> measure_load(const Peer& peer, LoadPlan plan, std::string_view what,
                                        std::uint64_t& requests);
    std::optional<Measure> measure_in_process(Operation operation, std::size_t threads);
    std::optional<Measure> measure_ceiling(std::string_view path, std::size_t connections);
    void find_ceiling(Row& row);
    std::optional<Measure> earlier(Operation operation, std::size_t connections) const;
    void check_hot_item(const std::optional<TablePeer>& server);
    void check_count(std::string_view name, std::uint64_t increments,
                     const Result<std::uint64_t>& count);

    Settings settings_;
    std::optional<TablePeer> ours_;
    std::optional<TablePeer> dynalite_;
    std::optional<Peer> ceiling_;
    std::unique_ptr<InProcess> in_process_;
    std::uint64_t in_process_increments_ = 0;
    std::vector<Row> rows_;
    std::vector<std::string> failures_;
};

}  // namespace mailroom::bench
