// What was measured, as a table for people, as verdicts on the targets, and as JSON.
#pragma once

#include "disk.h"
#include "load.h"
#include "workload.h"

#include <optional>
#include <string>
#include <vector>

namespace mailroom::bench {

struct Measure {
    double rate = 0;  // Requests a second.
    double p50_us = 0;
    double p99_us = 0;
    double generator_busy = 0;  // Share of one core.
};

Measure measure_of(const LoadResult& result);

// One operation at one number of connections. A server that does not offer the operation, was left
// out or failed has no figure.
struct Row {
    Operation operation;
    std::size_t connections;
    std::optional<Measure> ours;
    std::optional<Measure> dynalite;
    std::optional<Measure> in_process;  // As many threads as there are connections.
    std::optional<Measure> ceiling;     // What ours is a share of.
    std::string ceiling_name;
};

struct Target {
    std::string claim;
    double wanted;
    std::optional<double> got;  // None when one of the two figures is missing.

    bool is_met() const { return got && *got >= wanted; }
};

struct Settings {
    double seconds = 2;   // Measured time of one figure.
    unsigned rounds = 1;  // Each figure is the median of as many.
    std::uint32_t partitions = 2000;
};

// How many requests a second the generator would send if it had nothing to wait for, told from what
// the cheapest answers cost it. None when no empty endpoint was measured.
std::optional<double> generator_limit(const std::vector<Row>& rows);

std::vector<Target> judge(const std::vector<Row>& rows);

std::string table_head();
std::string table_line(const Row& row);
std::string target_lines(const std::vector<Target>& targets);
std::string to_json(const Settings& settings, const Disk& disk, const std::vector<Row>& rows,
                    const std::vector<Target>& targets);

}  // namespace mailroom::bench
