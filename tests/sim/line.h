// A node's way to the tables, which is cut when the node is killed: what the dead one still asks is
// not done, and answers to it are lost.
#pragma once

#include "base/random.h"
#include "base/sleeper.h"
#include "table/store.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace mailroom::sim {

// Does not wait: pauses between tries take no time here.
class NoSleep final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds) override { return true; }
};

class Line final : public table::Store {
public:
    enum class Last { done, not_done };

    Line(table::Store& store, std::uint64_t seed) : store_(store), random_(seed) {}

    // The nth call from now (1 is the next) is the last.
    void cut_in(std::uint64_t calls, Last last);
    void cut() { is_cut_ = true; }
    bool is_cut() const { return is_cut_; }

    // Before each call: what others do in between.
    enum class Call { transaction, change_of_person, other };
    std::function<void(Call)> meanwhile;
    // After each transaction that was carried out.
    std::function<void(const table::TransactWrite&)> wrote;

    Pauses pauses(const Pauses::Plan& plan) override { return {plan, random_, no_sleep_}; }
    table::Outcome<table::GetResult> get(const table::GetItem& request) override;
    table::Outcome<table::WriteResult> put(const table::PutItem& request) override;
    table::Outcome<table::WriteResult> update(const table::UpdateItem& request) override;
    table::Outcome<table::WriteResult> erase(const table::DeleteItem& request) override;
    table::Outcome<table::Page> query(const table::Query& request) override;
    table::Outcome<table::Page> scan(const table::Scan& request) override;
    table::Outcome<table::BatchGetResult> batch_get(const table::BatchGet& request) override;
    table::Outcome<table::BatchWriteResult> batch_write(const table::BatchWrite& request) override;
    table::Outcome<table::TransactWriteResult> transact(
        const table::TransactWrite& request) override;
    void transact(const table::TransactWrite& request, TransactDone done) override;
    table::Outcome<table::TransactGetResult> transact_get(
        const table::TransactGet& request) override;
    table::Outcome<table::TableDescription> create_table(
        const table::CreateTable& request) override;
    table::Outcome<table::TableDescription> describe_table(const std::string& table) override;
    table::Outcome<table::TableDescription> update_table(
        const table::UpdateTable& request) override;
    table::Outcome<table::TableDescription> delete_table(const std::string& table) override;
    table::Outcome<table::TableNames> list_tables(const std::string& after,
                                                  std::size_t limit) override;
    table::Outcome<table::TimeToLive> set_time_to_live(const std::string& table,
                                                       const table::TimeToLive& setting) override;
    table::Outcome<table::TimeToLive> time_to_live(const std::string& table) override;
    table::Outcome<> tag(const std::string& arn, const table::Tags& tags) override;
    table::Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override;
    table::Outcome<table::Tags> tags(const std::string& arn) override;

private:
    enum class Way { open, last_call, closed };
    Way begin(Call call);
    template <class Carry>
    auto pass(const Carry& carry, Call call = Call::other) -> decltype(carry());

    table::Store& store_;
    SeededRandom random_;
    NoSleep no_sleep_;
    bool is_cut_ = false;
    std::uint64_t calls_left_ = 0;  // 0: it is not to be cut.
    Last last_ = Last::done;
};

}  // namespace mailroom::sim
