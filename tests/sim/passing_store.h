// A store that passes everything on: the ground for those that do one thing in another way.
#pragma once

#include "table/store.h"

namespace mailroom::sim {

class PassingStore : public table::Store {
public:
    // `store` must outlive this object.
    explicit PassingStore(table::Store& store) : store_(store) {}

    Pauses pauses(const Pauses::Plan& plan) override { return store_.pauses(plan); }
    table::Outcome<table::GetResult> get(const table::GetItem& request) override {
        return store_.get(request);
    }
    table::Outcome<table::WriteResult> put(const table::PutItem& request) override {
        return store_.put(request);
    }
    table::Outcome<table::WriteResult> update(const table::UpdateItem& request) override {
        return store_.update(request);
    }
    table::Outcome<table::WriteResult> erase(const table::DeleteItem& request) override {
        return store_.erase(request);
    }
    table::Outcome<table::Page> query(const table::Query& request) override {
        return store_.query(request);
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
    table::Outcome<table::TransactWriteResult> transact(
        const table::TransactWrite& request) override {
        return store_.transact(request);
    }
    void transact(const table::TransactWrite& request, TransactDone done) override {
        store_.transact(request, std::move(done));
    }
    table::Outcome<table::TransactGetResult> transact_get(
        const table::TransactGet& request) override {
        return store_.transact_get(request);
    }
    table::Outcome<table::TableDescription> create_table(
        const table::CreateTable& request) override {
        return store_.create_table(request);
    }
    table::Outcome<table::TableDescription> describe_table(const std::string& table) override {
        return store_.describe_table(table);
    }
    table::Outcome<table::TableDescription> update_table(
        const table::UpdateTable& request) override {
        return store_.update_table(request);
    }
    table::Outcome<table::TableDescription> delete_table(const std::string& table) override {
        return store_.delete_table(table);
    }
    table::Outcome<table::TableNames> list_tables(const std::string& after,
                                                  std::size_t limit) override {
        return store_.list_tables(after, limit);
    }
    table::Outcome<table::TimeToLive> set_time_to_live(const std::string& table,
                                                       const table::TimeToLive& setting) override {
        return store_.set_time_to_live(table, setting);
    }
    table::Outcome<table::TimeToLive> time_to_live(const std::string& table) override {
        return store_.time_to_live(table);
    }
    table::Outcome<> tag(const std::string& arn, const table::Tags& given) override {
        return store_.tag(arn, given);
    }
    table::Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override {
        return store_.untag(arn, keys);
    }
    table::Outcome<table::Tags> tags(const std::string& arn) override { return store_.tags(arn); }

private:
    table::Store& store_;
};

}  // namespace mailroom::sim
