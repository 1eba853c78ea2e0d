#include "benchmark.h"

#include <fmt/format.h>

#include <algorithm>

namespace mailroom::bench {

namespace {

// Long enough for connections to be accepted and caches to be warm.
constexpr double warm_up_share = 0.15;
constexpr double warm_up_seconds_min = 0.1;

std::chrono::nanoseconds nanoseconds(double seconds) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds));
}

std::chrono::nanoseconds warm_up(const Settings& settings) {
    return nanoseconds(std::max(warm_up_seconds_min, settings.seconds * warm_up_share));
}

LoadPlan timed_plan(const Settings& settings, std::size_t connections) {
    LoadPlan plan;
    plan.connections = connections;
    plan.warm_up = warm_up(settings);
    plan.measured = nanoseconds(settings.seconds);
    return plan;
}

bool dynalite_offers(Operation operation) {
    return operation != Operation::empty && operation != Operation::transact;
}

// The measure in the middle by rate; none when a round has none, since that round failed.
std::optional<Measure> median(const std::vector<Row>& rounds, std::optional<Measure> Row::*column) {
    std::vector<Measure> measures;
    for (const auto& round : rounds) {
        if (!(round.*column)) return std::nullopt;
        measures.push_back(*(round.*column));
    }
    const auto middle = measures.begin() + static_cast<std::ptrdiff_t>(measures.size() / 2);
    std::ranges::nth_element(measures, middle, {}, &Measure::rate);
    return *middle;
}

}  // namespace

Result<Benchmark> Benchmark::start(const Peers& peers, const std::filesystem::path& directory,
                                   const Settings& settings) {
    Benchmark benchmark(settings);
    if (peers.mailroom) {
        auto peer = TRY(start_mailroom(*peers.mailroom, directory / "mailroom"));
        benchmark.ours_.emplace(TRY(benchmark.prepare(std::move(peer))));
    }
    if (peers.dynalite) {
        auto peer = TRY(start_dynalite(*peers.dynalite, directory / "dynalite"));
        benchmark.dynalite_.emplace(TRY(benchmark.prepare(std::move(peer))));
    }
    if (peers.ceiling) {
        auto peer = TRY(start_ceiling(*peers.ceiling, directory / "ceiling"));
        benchmark.ceiling_.emplace(std::move(peer));
    }
    // After the children: a process that has a store open must not fork.
    if (peers.in_process) {
        benchmark.in_process_ = TRY(InProcess::open(directory / "in-process", settings.partitions));
    }
    return benchmark;
}

Result<Benchmark::TablePeer> Benchmark::prepare(Peer peer) const {
    TablePeer server{std::move(peer), std::make_unique<Workload>(settings_.partitions)};
    const auto prepared = prepare_tables(server.peer.endpoint, *server.workload);
    if (prepared) return server;
    return Error{prepared.error().code, server.peer.name + ": " + prepared.error().message};
}

Row Benchmark::measure(Operation operation, std::size_t connections) {
    std::vector<Row> rounds;
    for (unsigned round = 0; round < settings_.rounds; ++round) {
        rounds.push_back(measure_round(operation, connections));
    }
    auto row = rounds.front();
    for (const auto column : {&Row::ours, &Row::dynalite, &Row::in_process, &Row::ceiling}) {
        row.*column = median(rounds, column);
    }
    rows_.push_back(row);
    return row;
}

Row Benchmark::measure_round(Operation operation, std::size_t connections) {
    Row row{operation, connections, {}, {}, {}, {}, {}};
    row.ours = measure_tables(ours_, operation, connections);
    if (dynalite_offers(operation)) {
        row.dynalite = measure_tables(dynalite_, operation, connections);
    }
    find_ceiling(row);
    row.in_process = measure_in_process(operation, connections);
    return row;
}

std::optional<Measure> Benchmark::measure_tables(std::optional<TablePeer>& server,
                                                 Operation operation, std::size_t connections) {
    if (!server) return std::nullopt;
    auto plan = timed_plan(settings_, connections);
    plan.render = server->workload->render(operation);
    plan.accept = server->workload->accept(operation);
    std::uint64_t requests = 0;
    const auto measure = measure_load(server->peer, std::move(plan), name_of(operation), requests);
    if (operation == Operation::hot_item) server->increments += requests;
    return measure;
}

std::optional<Measure> Benchmark::measure_load(const Peer& peer, LoadPlan plan,
                                               std::string_view what, std::uint64_t& requests) {
    const auto result = run_load(peer.endpoint, plan);
    const auto where = fmt::format("{}, {}, {} connections", peer.name, what, plan.connections);
    if (!result) {
        failures_.push_back(where + ": " + result.error().message);
        return std::nullopt;
    }
    requests = result->requests;
    if (result->errors == 0) return measure_of(*result);
    failures_.push_back(fmt::format("{}: {} of {} answers were errors, the first: {}", where,
                                    result->errors, result->requests, result->error_sample));
    return std::nullopt;
}

std::optional<Measure> Benchmark::measure_in_process(Operation operation, std::size_t threads) {
    if (!in_process_ || !in_process_offers(operation)) return std::nullopt;
    const auto result =
        in_process_->run(operation, threads, warm_up(settings_), nanoseconds(settings_.seconds));
    if (!result) {
        failures_.push_back(fmt::format("in process, {}, {} threads: {}", name_of(operation),
                                        threads, result.error().message));
        return std::nullopt;
    }
    if (operation == Operation::hot_item) in_process_increments_ += result->requests;
    return measure_of(*result);
}

std::optional<Measure> Benchmark::measure_ceiling(std::string_view path, std::size_t connections) {
    if (!ceiling_) return std::nullopt;
    auto plan = timed_plan(settings_, connections);
    plan.render = path == "/put" ? raw_put_request(path) : empty_request(path);
    std::uint64_t requests = 0;
    return measure_load(*ceiling_, std::move(plan), path, requests);
}

void Benchmark::find_ceiling(Row& row) {
    switch (row.operation) {
        case Operation::empty:
            row.ceiling_name = "bare echo";
            row.ceiling = measure_ceiling("/echo", row.connections);
            break;
        case Operation::put:
        case Operation::update:
            row.ceiling_name = "bare put";
            row.ceiling = measure_ceiling("/put", row.connections);
            break;
        case Operation::get:
        case Operation::query:
            row.ceiling_name = "empty endpoint";
            row.ceiling = earlier(Operation::empty, row.connections);
            break;
        case Operation::hot_item:
            row.ceiling_name = "update of many";
            row.ceiling = earlier(Operation::update, row.connections);
            break;
        case Operation::transact:
        case Operation::batch:
            break;
    }
}

std::optional<Measure> Benchmark::earlier(Operation operation, std::size_t connections) const {
    for (const auto& row : rows_) {
        if (row.operation == operation && row.connections == connections) return row.ours;
    }
    return std::nullopt;
}

void Benchmark::check_hot_items() {
    check_hot_item(ours_);
    check_hot_item(dynalite_);
    if (in_process_) {
        check_count("in process", in_process_increments_, in_process_->hot_item_count());
    }
}

void Benchmark::check_hot_item(const std::optional<TablePeer>& server) {
    if (!server) return;
    const auto count = [&]() -> Result<std::uint64_t> {
        const auto answer =
            TRY(call(server->peer.endpoint, server->workload->read_hot_item_request()));
        const auto counted = hot_item_count(answer);
        if (!counted) return Error{Errc::not_found, "the hot item is missing"};
        return *counted;
    };
    check_count(server->peer.name, server->increments, count());
}

void Benchmark::check_count(std::string_view name, std::uint64_t increments,
                            const Result<std::uint64_t>& count) {
    if (!count) {
        failures_.push_back(fmt::format("{}: {}", name, count.error().message));
    } else if (*count != increments) {
        failures_.push_back(fmt::format("{}: {} increments were answered, the item counted {}",
                                        name, increments, *count));
    }
}

}  // namespace mailroom::bench
