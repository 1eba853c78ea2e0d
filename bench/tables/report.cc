#include "report.h"

#include <fmt/format.h>

#include <algorithm>

namespace mailroom::bench {

namespace {

constexpr std::string_view line_format =
    "{:<10} {:>5} {:>9} {:>8} {:>8} {:>6} {:>11} {:>7} {:>11} {:>7} {:<15} {:>12} {:>7}\n";
constexpr std::string_view missing = "-";

std::optional<double> ratio(std::optional<double> part, std::optional<double> whole) {
    if (!part || !whole || *whole <= 0) return std::nullopt;
    return *part / *whole;
}

std::optional<double> rate(const std::optional<Measure>& measure) {
    if (!measure) return std::nullopt;
    return measure->rate;
}

std::string whole(std::optional<double> number) {
    return number ? fmt::format("{:.0f}", *number) : std::string(missing);
}

std::string times(std::optional<double> number) {
    return number ? fmt::format("{:.2f}x", *number) : std::string(missing);
}

std::string percent(std::optional<double> share) {
    return share ? fmt::format("{:.0f}%", *share * 100) : std::string(missing);
}

const Row* find(const std::vector<Row>& rows, Operation operation, std::size_t connections) {
    const auto found = std::ranges::find_if(rows, [&](const Row& row) {
        return row.operation == operation && row.connections == connections;
    });
    return found == rows.end() ? nullptr : &*found;
}

using Figure = std::optional<double> (*)(const Row&);

std::optional<double> against_dynalite(const Row& row) {
    return ratio(rate(row.ours), rate(row.dynalite));
}
std::optional<double> against_ceiling(const Row& row) {
    return ratio(rate(row.ours), rate(row.ceiling));
}
std::optional<double> against_http(const Row& row) {
    return ratio(rate(row.in_process), rate(row.ours));
}

struct Goal {
    std::string_view claim;
    Figure figure;
    Operation operation;
    std::size_t connections;
    double wanted;
};

// clang-format off
constexpr Goal goals[] = {
    {"puts against dynalite",            against_dynalite, Operation::put,      16, 3},
    {"puts against dynalite",            against_dynalite, Operation::put,      64, 5},
    {"updates against dynalite",         against_dynalite, Operation::update,   16, 3},
    {"updates against dynalite",         against_dynalite, Operation::update,   64, 5},
    {"gets against dynalite",            against_dynalite, Operation::get,      16, 4},
    {"gets against dynalite",            against_dynalite, Operation::get,      64, 4},
    {"queries against dynalite",         against_dynalite, Operation::query,    16, 8},
    {"queries against dynalite",         against_dynalite, Operation::query,    64, 8},
    {"puts against the bare prototype",  against_ceiling,  Operation::put,      16, 0.5},
    {"puts against the bare prototype",  against_ceiling,  Operation::put,      64, 0.5},
    {"gets against the empty endpoint",  against_ceiling,  Operation::get,      16, 0.6},
    {"gets against the empty endpoint",  against_ceiling,  Operation::get,      64, 0.6},
    {"gets in process against HTTP",     against_http,     Operation::get,      16, 5},
    {"gets in process against HTTP",     against_http,     Operation::get,      64, 5},
    {"one hot item against many items",  against_ceiling,  Operation::hot_item, 64, 1.0 / 3},
};
// clang-format on

std::string json_number(std::optional<double> number) {
    return number ? fmt::format("{:.3f}", *number) : "null";
}

std::string json_measure(const std::optional<Measure>& measure) {
    if (!measure) return "null";
    return fmt::format(
        R"({{"per_second":{:.1f},"p50_us":{:.1f},"p99_us":{:.1f},"generator_busy":{:.3f}}})",
        measure->rate, measure->p50_us, measure->p99_us, measure->generator_busy);
}

std::string json_row(const Row& row) {
    return fmt::format(
        R"({{"operation":"{}","connections":{},"ours":{},"dynalite":{},"in_process":{},)"
        R"("ceiling":{},"ceiling_name":"{}"}})",
        name_of(row.operation), row.connections, json_measure(row.ours), json_measure(row.dynalite),
        json_measure(row.in_process), json_measure(row.ceiling), row.ceiling_name);
}

std::string json_target(const Target& target) {
    return fmt::format(R"({{"claim":"{}","wanted":{:.3f},"got":{},"met":{}}})", target.claim,
                       target.wanted, json_number(target.got), target.is_met());
}

template <class Things, class ToText>
std::string json_list(const Things& things, ToText to_text) {
    std::string text;
    for (const auto& thing : things) text += (text.empty() ? "\n  " : ",\n  ") + to_text(thing);
    return "[" + text + "]";
}

std::string json_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        if (c >= ' ') escaped += c;
    }
    return '"' + escaped + '"';
}

}  // namespace

Measure measure_of(const LoadResult& result) {
    const auto micros = [&](double percent) {
        return std::chrono::duration<double, std::micro>(result.latency.percentile(percent))
            .count();
    };
    return {result.rate(), micros(50), micros(99), result.generator_busy};
}

std::optional<double> generator_limit(const std::vector<Row>& rows) {
    std::optional<double> limit;
    for (const auto& row : rows) {
        if (row.operation != Operation::empty) continue;
        for (const auto& measure : {row.ours, row.ceiling}) {
            if (!measure || measure->generator_busy <= 0) continue;
            limit = std::max(limit.value_or(0), measure->rate / measure->generator_busy);
        }
    }
    return limit;
}

std::vector<Target> judge(const std::vector<Row>& rows) {
    std::vector<Target> targets;
    for (const auto& goal : goals) {
        const auto* row = find(rows, goal.operation, goal.connections);
        targets.push_back({fmt::format("{}, {} connections", goal.claim, goal.connections),
                           goal.wanted, row ? goal.figure(*row) : std::nullopt});
    }
    return targets;
}

std::string table_head() {
    return fmt::format(fmt::runtime(line_format), "operation", "conns", "ours/s", "p50 us",
                       "p99 us", "load", "dynalite/s", "ratio", "ceiling/s", "share", "ceiling",
                       "in-process/s", "ratio");
}

std::string table_line(const Row& row) {
    const auto ours = [&](double Measure::*figure) {
        return row.ours ? std::optional(*row.ours.*figure) : std::nullopt;
    };
    return fmt::format(fmt::runtime(line_format), name_of(row.operation), row.connections,
                       whole(rate(row.ours)), whole(ours(&Measure::p50_us)),
                       whole(ours(&Measure::p99_us)), percent(ours(&Measure::generator_busy)),
                       whole(rate(row.dynalite)), times(against_dynalite(row)),
                       whole(rate(row.ceiling)), percent(against_ceiling(row)),
                       row.ceiling_name.empty() ? missing : row.ceiling_name,
                       whole(rate(row.in_process)), times(against_http(row)));
}

std::string target_lines(const std::vector<Target>& targets) {
    std::string text;
    for (const auto& target : targets) {
        const auto verdict = !target.got ? "not measured" : target.is_met() ? "met" : "MISSED";
        text += fmt::format("{:<13} {:<52} wanted {:>6.2f}  got {:>7}\n", verdict, target.claim,
                            target.wanted, target.got ? fmt::format("{:.2f}", *target.got) : "-");
    }
    return text;
}

std::string to_json(const Settings& settings, const Disk& disk, const std::vector<Row>& rows,
                    const std::vector<Target>& targets) {
    return fmt::format(
        "{{\"seconds\":{:.3f},\"rounds\":{},\"partitions\":{},\"file_system\":{},\"device\":{},"
        "\"syncs_per_second\":{:.1f},\n\"rows\":{},\n\"targets\":{}}}\n",
        settings.seconds, settings.rounds, settings.partitions, json_text(disk.file_system),
        json_text(disk.device), disk.syncs_per_second, json_list(rows, json_row),
        json_list(targets, json_target));
}

}  // namespace mailroom::bench
