// A store that passes everything on, counts what looking costs, and refuses on demand. For tests.
#pragma once

#include "table/store.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::schedule {

class WatchedStore final : public table::Store {
public:
    explicit WatchedStore(table::Store& store) : store_(store) {}

    // Asked before each transaction; a failure is the answer. Set it while nobody writes.
    std::function<std::optional<table::Failure>(const table::TransactWrite&)> refuse;
    // Called after a transaction that the caller waits for, before it is told.
    std::function<void()> after_transact;
    // The next such transaction is done, and its caller told that it failed.
    std::atomic<bool> lose_answer{false};
    // Each put is made twice, as by a client that got no answer to the first.
    std::atomic<bool> repeats_puts{false};
    // Called after a query was answered and before the caller sees it.
    std::function<void(const table::Query&)> after_query;
    std::atomic<std::size_t> queries{0}, rows_read{0};
    std::atomic<bool> queries_fail{false};

    table::Outcome<table::TransactWriteResult> transact(
        const table::TransactWrite& request) override {
        if (refuse) {
            if (auto failure = refuse(request)) return *std::move(failure);
        }
        auto written = store_.transact(request);
        if (after_transact) after_transact();
        if (lose_answer.exchange(false)) {
            return table::Failure{table::Fault::internal, "no answer"};
        }
        return written;
    }
    void transact(const table::TransactWrite& request, TransactDone done) override {
        if (refuse) {
            if (auto failure = refuse(request)) return done(*std::move(failure));
        }
        store_.transact(request, std::move(done));
    }
    table::Outcome<table::Page> query(const table::Query& request) override {
        ++queries;
        if (queries_fail) return table::Failure{table::Fault::internal, "no answer"};
        auto page = store_.query(request);
        if (page) rows_read += page->scanned_count;
        if (after_query) after_query(request);
        return page;
    }

    table::Outcome<table::GetResult> get(const table::GetItem& request) override {
        return store_.get(request);
    }
    Pauses pauses(const Pauses::Plan& plan) override { return store_.pauses(plan); }
    table::Outcome<table::WriteResult> put(const table::PutItem& request) override {
        if (repeats_puts) TRY(store_.put(request));
        return store_.put(request);
    }
    table::Outcome<table::WriteResult> update(const table::UpdateItem& request) override {
        return store_.update(request);
    }
    table::Outcome<table::WriteResult> erase(const table::DeleteItem& request) override {
        return store_.erase(request);
    }
    table::Outcome<table::Page> scan(const table::Scan& request) override {
        return store_.scan(request);
    }
    table::Outcome<table::BatchGetResult> batch_get(const table::BatchGet& request) override {
        return store_.batch_get(request);
    }
    table::Outcome<table::BatchWriteResult> batch_write(const table::BatchWrite& request) override {
        return store_.batch_write(request);
    }
    table::Outcome<table::TransactGetResult> transact_get(
        const table::TransactGet& request) override {
        return store_.transact_get(request);
    }
    table::Outcome<table::TableDescription> create_table(
        const table::CreateTable& request) override {
        return store_.create_table(request);
    }
    table::Outcome<table::TableDescription> describe_table(const std::string& name) override {
        return store_.describe_table(name);
    }
    table::Outcome<table::TableDescription> update_table(
        const table::UpdateTable& request) override {
        return store_.update_table(request);
    }
    table::Outcome<table::TableDescription> delete_table(const std::string& name) override {
        return store_.delete_table(name);
    }
    table::Outcome<table::TableNames> list_tables(const std::string& after,
                                                  std::size_t limit) override {
        return store_.list_tables(after, limit);
    }
    table::Outcome<table::TimeToLive> set_time_to_live(const std::string& name,
                                                       const table::TimeToLive& setting) override {
        return store_.set_time_to_live(name, setting);
    }
    table::Outcome<table::TimeToLive> time_to_live(const std::string& name) override {
        return store_.time_to_live(name);
    }
    table::Outcome<> tag(const std::string& arn, const table::Tags& tags) override {
        return store_.tag(arn, tags);
    }
    table::Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override {
        return store_.untag(arn, keys);
    }
    table::Outcome<table::Tags> tags(const std::string& arn) override { return store_.tags(arn); }

private:
    table::Store& store_;
};

}  // namespace mailroom::schedule
