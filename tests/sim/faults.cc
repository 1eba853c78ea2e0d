#include "sim/faults.h"

#include "schedule/schedule.h"
#include "sim/passing_store.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace mailroom::sim {

namespace {

constexpr std::uint64_t synced_every = 8;

// Says of every commit that it is durable, and leaves most to the system.
class ForgetfulRows final : public kv::Store {
public:
    explicit ForgetfulRows(kv::Store& rows) : rows_(rows) {}

    Result<std::optional<std::string>> get(std::string_view key,
                                           const kv::Snapshot* snapshot) const override {
        return rows_.get(key, snapshot);
    }
    std::unique_ptr<kv::Snapshot> snapshot() const override { return rows_.snapshot(); }
    std::unique_ptr<kv::Cursor> scan(std::string_view from, std::string_view to,
                                     const kv::Snapshot* snapshot) const override {
        return rows_.scan(from, to, snapshot);
    }
    Result<> commit(const kv::Batch& batch, kv::Sync sync) override {
        return rows_.commit(batch, ++commits_ % synced_every == 0 ? sync : kv::Sync::relaxed);
    }
    Result<> recover() override { return rows_.recover(); }
    void reclaim(std::string_view from, std::string_view to) override { rows_.reclaim(from, to); }
    std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const override {
        return rows_.approximate_bytes(from, to);
    }

private:
    kv::Store& rows_;
    std::uint64_t commits_ = 0;
};

// Writes to certain tables are made whatever their conditions say, as by a program without them.
class CarelessStore : public PassingStore {
public:
    using PassingStore::transact;
    CarelessStore(table::Store& store, std::set<std::string, std::less<>> tables)
        : PassingStore(store), tables_(std::move(tables)) {}

    table::Outcome<table::TransactWriteResult> transact(
        const table::TransactWrite& request) override {
        return PassingStore::transact(without_conditions(request));
    }
    void transact(const table::TransactWrite& request, TransactDone done) override {
        PassingStore::transact(without_conditions(request), std::move(done));
    }

private:
    table::TransactWrite without_conditions(table::TransactWrite request) const {
        for (auto& action : request.actions) {
            if (auto* update = std::get_if<table::UpdateItem>(&action)) forget(*update);
            if (auto* put = std::get_if<table::PutItem>(&action)) forget(*put);
            if (auto* erase = std::get_if<table::DeleteItem>(&action)) forget(*erase);
        }
        return request;
    }
    template <class Write>
    void forget(Write& write) const {
        if (!tables_.contains(write.table) || write.condition.empty()) return;
        // There is no such attribute.
        write.condition = "(" + write.condition + ") OR attribute_not_exists(Nowhere)";
    }

    const std::set<std::string, std::less<>> tables_;
};

// Lets every mail go.
class AbsentGuard final : public outbox::Guard {
public:
    explicit AbsentGuard(outbox::Guard& guard) : guard_(guard) {}
    Result<std::optional<std::string>> refusal(const outbox::Mail&,
                                               schedule::Transaction&) override {
        return std::optional<std::string>();
    }
    Result<std::optional<std::string>> decided_at(const outbox::Mail& mail,
                                                  Decision decision) override {
        return guard_.decided_at(mail, decision);
    }

private:
    outbox::Guard& guard_;
};

// Knows of nobody who does not want to be written to, nor minds who is there when it writes.
class BlindStore final : public CarelessStore {
public:
    explicit BlindStore(table::Store& store)
        : CarelessStore(store, {"Audience", "MailroomSuppressions"}) {}
    using CarelessStore::transact;

    table::Outcome<table::GetResult> get(const table::GetItem& request) override {
        if (is_hidden(request.table)) return table::GetResult{};
        return PassingStore::get(request);
    }
    table::Outcome<table::Page> query(const table::Query& request) override {
        if (is_hidden(request.table)) return table::Page{};
        return PassingStore::query(request);
    }
    table::Outcome<table::BatchGetResult> batch_get(const table::BatchGet& request) override {
        const bool asks_for_them = std::ranges::any_of(
            request.tables, [](const auto& asked) { return is_hidden(asked.table); });
        if (asks_for_them) return table::BatchGetResult{};
        return PassingStore::batch_get(request);
    }
    table::Outcome<table::TransactWriteResult> transact(
        const table::TransactWrite& request) override {
        return CarelessStore::transact(without_checks(request));
    }
    void transact(const table::TransactWrite& request, TransactDone done) override {
        CarelessStore::transact(without_checks(request), std::move(done));
    }

private:
    static bool is_hidden(std::string_view table) {
        return table == "MailroomSuppressions" || table == "Audience";
    }
    static table::TransactWrite without_checks(table::TransactWrite request) {
        std::erase_if(request.actions, [](const table::WriteAction& action) {
            const auto* check = std::get_if<table::ConditionCheck>(&action);
            return check != nullptr && is_hidden(check->table);
        });
        return request;
    }
};

}  // namespace

std::unique_ptr<kv::Store> plant_in_rows(Fault fault, kv::Store& rows) {
    if (fault != Fault::lost_commit) return nullptr;
    return std::make_unique<ForgetfulRows>(rows);
}

std::unique_ptr<table::Store> plant_in_store(Fault fault, table::Store& store) {
    using Tables = std::set<std::string, std::less<>>;
    if (fault == Fault::doubled_send)
        return std::make_unique<CarelessStore>(store, Tables{"MailroomSchedule", "EmailOutbox"});
    if (fault == Fault::careless_people)
        return std::make_unique<CarelessStore>(store, Tables{"Audience"});
    if (fault == Fault::careless_account)
        return std::make_unique<CarelessStore>(store, Tables{"EmailEvents", "MailroomEngagement"});
    if (fault == Fault::forgotten_suppression) return std::make_unique<BlindStore>(store);
    return nullptr;
}

std::function<std::unique_ptr<outbox::Guard>(outbox::Guard&)> plant_guard(Fault fault) {
    if (fault != Fault::forgotten_guard) return {};
    return [](outbox::Guard& guard) { return std::make_unique<AbsentGuard>(guard); };
}

}  // namespace mailroom::sim
