// A program as small as they come, for tests: a table, a record, two routes and a job. All that a
// server needs to know of it is said in here.
#pragma once

#include "program/program.h"
#include "program/setting_forms.h"
#include "table/records/ensure_table.h"
#include "table/records/rows.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mailroom::toys {

struct Toy {
    std::string id, colour;
    std::int64_t turns = 0, version = 0;

    static constexpr std::string_view record_name = "Toy";
    static constexpr auto fields =
        std::tuple{table::must_have("id", &Toy::id, "Yours."), table::kept("colour", &Toy::colour),
                   table::kept("turns", &Toy::turns, "How often it has been wound up."),
                   table::stored("version", &Toy::version)};
};
struct NewToy {
    std::string id, colour;
    static constexpr auto fields = std::tuple{table::required("id", &NewToy::id, "Yours."),
                                              table::asked("colour", &NewToy::colour)};
};
struct WhichToy {
    std::string id;
    static constexpr auto fields = std::tuple{table::required("id", &WhichToy::id)};
};

class Program final : public program::Program {
public:
    void add_settings(program::Settings& list) override {
        list.section("toys");
        list.add("turns", program::Whole{1, 100}, turns_, "How often a new toy is wound up.");
    }
    std::vector<table::OwnTable> tables() const override {
        return {table::own_table("Toys", {{"id", table::Kind::string}})};
    }
    Result<> open(const program::Ground& ground) override {
        ground_.emplace(ground);
        rows_.emplace(ground.store, tables().front().made);
        return table::ensure_tables(ground.store, tables());
    }
    void add_routes(program::Api& api) override {
        api.group("Toys");
        api.post("/v1/toys", {.name = "add_toy", .scope = "toys:add", .summary = "Add a toy"},
                 [this](const NewToy& in, const program::Actor&) { return add(in); });
        api.get("/v1/toys/{id}",
                {.name = "show_toy", .scope = "toys:read", .summary = "Show a toy"},
                [this](const WhichToy& in, const program::Actor&) -> Answer<Toy> {
                    const auto found = TRY(rows_->find({{"id", in.id}}));
                    if (!found) return Refusal::not_found("there is no toy " + in.id);
                    return *found;
                });
    }
    void add_metrics(program::Metrics& metrics) override {
        metrics.counter("mailroom_toys_wound_up_total", "Toys that were wound up.", {},
                        [this] { return static_cast<double>(wound_up_.load()); });
    }
    std::vector<program::Work> jobs() override {
        return {{{.queues = {"toys.winding"}, .threads = 1},
                 [this](schedule::JobInHand job) { wind_up(*job); }}};
    }

private:
    Answer<program::Created<Toy>> add(const NewToy& in) {
        Toy toy{in.id, in.colour};
        schedule::Transaction together;
        rows_->save(together, toy);
        ground_->schedule.add(
            together, {.queue = "toys.winding", .key = toy.id, .due = ground_->clock.now()});
        const auto added = ground_->schedule.commit(together);
        if (added) return program::Created<Toy>{toy};
        const Error error = added.error();
        if (error.code != Errc::conflict) return Refusal(error);
        return Refusal::conflict("exists", "there is a toy " + in.id);
    }
    void wind_up(schedule::Job& job) {
        auto toy = rows_->find({{"id", std::string(job.key())}});
        if (!toy || !*toy) return;
        (*toy)->turns += turns_;
        schedule::Transaction together;
        rows_->save(together, **toy);
        job.finish(together);
        if (ground_->schedule.commit(together)) ++wound_up_;
    }

    std::int64_t turns_ = 3;
    std::optional<program::Ground> ground_;
    std::optional<table::Rows<Toy>> rows_;
    std::atomic<std::uint64_t> wound_up_ = 0;
};

}  // namespace mailroom::toys
