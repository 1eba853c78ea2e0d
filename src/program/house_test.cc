#include "program/house.h"

#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace mailroom::program {
namespace {

using namespace std::chrono_literals;

// Notes what it is asked for.
class Noting final : public Program {
public:
    Noting(std::string name, std::string& notes, bool can_open = true)
        : name_(std::move(name)), notes_(notes), can_open_(can_open) {}
    ~Noting() override { notes_ += name_ + " goes, "; }

    Result<> check_settings() const override {
        if (can_open_) return Ok{};
        return Error{Errc::invalid, name_ + " cannot"};
    }
    std::vector<table::OwnTable> tables() const override {
        return {table::own_table(name_, {{"id", table::Kind::string}})};
    }
    Result<> open(const Ground&) override {
        notes_ += name_ + " opens, ";
        return check_settings();
    }
    std::vector<Work> jobs() override {
        return {{{.queues = {name_ + ".work"}, .threads = 1}, [this](schedule::JobInHand job) {
                     ++worked_;
                     schedule::Transaction end;
                     job->finish(end);
                     job->commit(std::move(end), {});
                 }}};
    }
    void start() override { notes_ += name_ + " starts, "; }
    Result<> ready() const override { return check_settings(); }

    std::atomic<int> worked_ = 0;

private:
    const std::string name_;
    std::string& notes_;
    const bool can_open_;
};

class HouseTest : public testing::Test {
protected:
    void SetUp() override {
        engine_ = *table::Engine::open(rows_, clock_, random_);
        schedule_ = *schedule::Schedule::open(*engine_, clock_, random_);
    }
    Ground ground() {
        return {*engine_, *schedule_, schedule::Ownership::sole, clock_, random_, {}};
    }

    const SystemClock clock_;
    SeededRandom random_{1};
    kv::MemoryStore rows_;
    std::unique_ptr<table::Engine> engine_;
    std::unique_ptr<schedule::Schedule> schedule_;
    std::string notes_;
};

TEST_F(HouseTest, ProgramsOpenAndStartInOrderAndGoInReverse) {
    {
        House house;
        house.add<Noting>("a", notes_);
        house.add<Noting>("b", notes_);
        ASSERT_EQ(house.tables().size(), 2u);
        EXPECT_EQ(house.tables()[1].made.name, "b");
        ASSERT_TRUE(house.open(ground()));
        house.start();
        EXPECT_TRUE(house.ready());
        house.stop(1s);
        house.stop(1s);
    }
    EXPECT_EQ(notes_, "a opens, b opens, a starts, b starts, b goes, a goes, ");
}

TEST_F(HouseTest, JobsRunAndTheirQueuesAreMeasured) {
    House house;
    auto& program = house.add<Noting>("a", notes_);
    ASSERT_TRUE(house.open(ground()));
    Metrics metrics;
    house.add_metrics(metrics);
    house.start();
    schedule::Transaction together;
    schedule_->add(together, {.queue = "a.work", .key = "1", .due = clock_.now()});
    ASSERT_TRUE(schedule_->commit(together));
    while (program.worked_ == 0) std::this_thread::yield();
    EXPECT_NE(metrics.text().find(R"(mailroom_jobs_oldest_due_seconds{queue="a.work"} 0)"),
              std::string::npos);
    house.stop(1s);
}

TEST_F(HouseTest, WhatCannotOpenIsSaidAndTheOthersGoInPeace) {
    {
        House house;
        house.add<Noting>("a", notes_);
        house.add<Noting>("b", notes_, false);
        house.add<Noting>("c", notes_);
        EXPECT_EQ(house.check_settings().error().message, "b cannot");
        EXPECT_EQ(house.ready().error().message, "b cannot");
        EXPECT_EQ(house.open(ground()).error().message, "b cannot");
    }
    EXPECT_EQ(notes_, "a opens, b opens, c goes, b goes, a goes, ");
}

}  // namespace
}  // namespace mailroom::program
