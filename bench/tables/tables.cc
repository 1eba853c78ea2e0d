// bench_tables: Mailroom's tables beside dynalite and beside the least a durable put can cost.
// See bench/README.md for how to run it and how to read what it prints.

#include "benchmark.h"
#include "disk.h"
#include "report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

using namespace mailroom;
using namespace mailroom::bench;

struct Options {
    Settings settings;
    std::string mailroom, dynalite, ceiling;
    std::string directory = "build/bench-data";
    std::string json;
    std::vector<std::size_t> connections = {1, 16, 64};
    std::vector<std::string> peers = {"mailroom", "dynalite", "ceiling", "in-process"};
    std::vector<std::string> operations;
    bool keep = false;
};

Options default_options() {
    Options options;
    std::error_code ignored;
    const auto programs = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    options.mailroom = programs / "mailroom";
    options.ceiling = programs / "bench_ceiling";
    options.dynalite = MAILROOM_BENCH_FOLDER "/node_modules/dynalite/cli.js";
    for (const auto operation : all_operations) options.operations.emplace_back(name_of(operation));
    return options;
}

void declare(CLI::App& app, Options& options) {
    app.add_option("--seconds", options.settings.seconds, "Measured time of each figure")
        ->check(CLI::Range(0.05, 600.0))
        ->capture_default_str();
    app.add_option("--rounds", options.settings.rounds, "Each figure is the median of as many")
        ->check(CLI::Range(1, 99))
        ->capture_default_str();
    app.add_option("--partitions", options.settings.partitions,
                   "Partitions of ten items before the start, a multiple of 5")
        ->check(CLI::Range(5, 1'000'000))
        ->capture_default_str();
    app.add_option("--connections", options.connections, "Numbers of connections")
        ->delimiter(',')
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--operations", options.operations, "Which operations to measure")
        ->delimiter(',')
        ->check(CLI::IsMember(options.operations))
        ->capture_default_str();
    app.add_option("--peers", options.peers, "What to measure it on")
        ->delimiter(',')
        ->check(CLI::IsMember(options.peers))
        ->capture_default_str();
    app.add_option("--mailroom", options.mailroom, "The server's program")->capture_default_str();
    app.add_option("--dynalite", options.dynalite, "dynalite's cli.js")->capture_default_str();
    app.add_option("--ceiling", options.ceiling, "The bare prototype")->capture_default_str();
    app.add_option("--dir", options.directory, "Where data goes: on a real disk")
        ->capture_default_str();
    app.add_option("--json", options.json, "Also write the figures to this file");
    app.add_flag("--keep", options.keep, "Keep the data and the servers' logs afterwards");
}

Peers chosen_peers(const Options& options) {
    const auto is_chosen = [&](std::string_view name) {
        return std::ranges::find(options.peers, name) != options.peers.end();
    };
    Peers peers;
    if (is_chosen("mailroom")) peers.mailroom = options.mailroom;
    if (is_chosen("dynalite")) peers.dynalite = options.dynalite;
    if (is_chosen("ceiling")) peers.ceiling = options.ceiling;
    peers.in_process = is_chosen("in-process");
    return peers;
}

// A directory of this run alone, so that a second run finds no old data.
Result<std::filesystem::path> make_run_directory(const std::string& parent) {
    std::error_code failed;
    std::filesystem::create_directories(parent, failed);
    auto name = (std::filesystem::absolute(parent) / "run-XXXXXX").string();
    if (failed || ::mkdtemp(name.data()) == nullptr) {
        return Error{Errc::unavailable, "cannot make a directory in " + parent};
    }
    return std::filesystem::path(name);
}

Result<Disk> usable_disk(const std::filesystem::path& directory) {
    auto disk = TRY(inspect_disk(directory));
    if (!disk.is_memory) return disk;
    return Error{Errc::invalid, directory.string() + " is in memory (" + disk.file_system +
                                    "): a durable write would cost nothing there; see --dir"};
}

void print_preamble(const Options& options, const Disk& disk) {
    fmt::print("Data on {} ({}), {:.0f} appends of 4 KB with fdatasync a second.\n",
               disk.file_system, disk.device, disk.syncs_per_second);
    fmt::print(
        "Every write of ours and of the bare prototype is fsynced before it is answered; "
        "dynalite never syncs.\n");
    fmt::print(
        "{} items of 300 bytes to begin with; {:.1f} s a figure; requests a second; load is "
        "the generator's share of one core.\n\n",
        options.settings.partitions * items_per_partition, options.settings.seconds);
    fmt::print("{}", table_head());
    std::fflush(stdout);
}

std::vector<Row> measure_all(Benchmark& benchmark, const Options& options) {
    std::vector<Row> rows;
    for (const auto operation : all_operations) {
        if (std::ranges::find(options.operations, name_of(operation)) == options.operations.end()) {
            continue;
        }
        for (const auto connections : options.connections) {
            rows.push_back(benchmark.measure(operation, connections));
            fmt::print("{}", table_line(rows.back()));
            std::fflush(stdout);
        }
    }
    benchmark.check_hot_items();
    return rows;
}

// Whether every answer was good; everything else that can go wrong is an Error.
Result<bool> run_in(const std::filesystem::path& directory, const Options& options) {
    const auto disk = TRY(usable_disk(directory));
    auto benchmark = TRY(Benchmark::start(chosen_peers(options), directory, options.settings));
    print_preamble(options, disk);
    const auto rows = measure_all(benchmark, options);
    const auto targets = judge(rows);
    if (const auto limit = generator_limit(rows)) {
        fmt::print("\nThe load generator alone would fill its core at {:.0f} requests a second.\n",
                   *limit);
    }
    fmt::print("\nTargets\n{}", target_lines(targets));

    if (!options.json.empty()) {
        std::ofstream file(options.json);
        file << to_json(options.settings, disk, rows, targets) << std::flush;
        if (!file) return Error{Errc::unavailable, "cannot write " + options.json};
    }
    for (const auto& failure : benchmark.failures()) fmt::print("FAILED {}\n", failure);
    return benchmark.failures().empty();
}

int run(const Options& options) {
    const auto directory = make_run_directory(options.directory);
    if (!directory) {
        fmt::print(stderr, "bench_tables: {}\n", directory.error().message);
        return EXIT_FAILURE;
    }
    const auto good = run_in(*directory, options);
    if (!good) fmt::print(stderr, "bench_tables: {}\n", good.error().message);
    const bool succeeded = good && *good;
    // After a failure the servers' logs are what one wants to read.
    std::error_code ignored;
    if (succeeded && !options.keep) std::filesystem::remove_all(*directory, ignored);
    return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    auto options = default_options();
    CLI::App app("Measures Mailroom's tables beside dynalite and a bare prototype.");
    declare(app, options);
    CLI11_PARSE(app, argc, argv);
    if (options.settings.partitions % 5 != 0) {
        fmt::print(stderr, "bench_tables: --partitions is not a multiple of 5\n");
        return EXIT_FAILURE;
    }
    return run(options);
}
