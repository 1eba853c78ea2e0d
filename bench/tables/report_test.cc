#include "report.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mailroom::bench {
namespace {

Measure at(double rate) { return {rate, 100, 200, 0.5}; }

Row row_of(Operation operation, std::size_t connections, double ours, double dynalite,
           double ceiling) {
    return {operation, connections, at(ours), at(dynalite), std::nullopt, at(ceiling), "ceiling"};
}

const Target& find(const std::vector<Target>& targets, std::string_view claim) {
    const auto found = std::ranges::find_if(
        targets, [&](const Target& target) { return target.claim.starts_with(claim); });
    EXPECT_NE(found, targets.end()) << claim;
    return *found;
}

TEST(Judge, TellsMetFromMissedFromNotMeasured) {
    const auto targets = judge({
        row_of(Operation::put, 16, 3000, 1000, 6001),
        row_of(Operation::put, 64, 4999, 1000, 9998),
    });
    struct Case {
        std::string_view claim;
        bool measured, met;
    };
    const Case cases[] = {
        {"puts against dynalite, 16", true, true},
        {"puts against dynalite, 64", true, false},
        {"puts against the bare prototype, 16", true, false},
        {"puts against the bare prototype, 64", true, true},
        {"gets against dynalite, 16", false, false},
        {"gets in process against HTTP, 64", false, false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.claim);
        EXPECT_EQ(find(targets, c.claim).got.has_value(), c.measured);
        EXPECT_EQ(find(targets, c.claim).is_met(), c.met);
    }
}

TEST(Judge, AFigureOfZeroGivesNoRatio) {
    const auto targets = judge({row_of(Operation::get, 16, 3000, 0, 0)});
    EXPECT_FALSE(find(targets, "gets against dynalite, 16").got);
    EXPECT_FALSE(find(targets, "gets against the empty endpoint, 16").got);
}

TEST(Report, AMissingFigureIsADashAndNeverAZero) {
    Row row{Operation::get, 16, at(1234), std::nullopt, std::nullopt, std::nullopt, ""};
    const auto line = table_line(row);
    EXPECT_NE(line.find("1234"), line.npos);
    EXPECT_NE(line.find(" - "), line.npos);
    EXPECT_EQ(line.find(" 0 "), line.npos);
    EXPECT_EQ(line.size(), table_head().size());
}

TEST(Report, TheGeneratorsLimitComesFromTheCheapestAnswers) {
    auto row = row_of(Operation::empty, 16, 50'000, 0, 80'000);
    EXPECT_EQ(generator_limit({row}), 160'000);
    row.operation = Operation::get;
    EXPECT_EQ(generator_limit({row}), std::nullopt);
}

TEST(Report, JsonHoldsEveryRowAndEscapesNames) {
    const std::vector<Row> rows = {row_of(Operation::hot_item, 64, 10, 5, 20)};
    const Disk disk{"ext4", R"(\dev"x)", false, 500};
    const auto json = to_json({}, disk, rows, judge(rows));
    for (const std::string_view part :
         {R"("operation":"hot-item","connections":64,"ours":{"per_second":10.0)",
          R"("in_process":null)", R"("device":"\\dev\"x")",
          R"("claim":"one hot item against many items, 64 connections","wanted":0.333,)"
          R"("got":0.500,"met":true)"}) {
        EXPECT_NE(json.find(part), json.npos) << part << "\n" << json;
    }
}

}  // namespace
}  // namespace mailroom::bench
