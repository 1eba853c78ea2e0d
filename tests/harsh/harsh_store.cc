#include "harsh/harsh_store.h"

#include "base/ids.h"
#include "table/additions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::table {

namespace {

constexpr std::uint64_t thousand = 1000;
// Pages that are cut short have at most so many items.
constexpr std::int64_t short_page_max = 8;

Failure throttling() { return {Fault::throttling, "slow down"}; }
Failure no_answer() { return {Fault::internal, "no answer came"}; }

bool may_help(const Failure& failure) {
    return is_temporary(failure) || failure.fault == Fault::internal;
}

// The item, or the key, that an action is about.
const Item& item_of(const PutItem& put) { return put.item; }
const Item& item_of(const UpdateItem& update) { return update.key; }
const Item& item_of(const DeleteItem& erase) { return erase.key; }
const Item& item_of(const ConditionCheck& check) { return check.key; }
const Item& item_of(const BatchWrite::Action& action) {
    const auto* put = std::get_if<BatchWrite::Put>(&action);
    return put != nullptr ? put->item : std::get<BatchWrite::Delete>(action).key;
}

auto& parts_of(BatchGet::PerTable& table) { return table.keys; }
auto& parts_of(BatchWrite::PerTable& table) { return table.actions; }

void append(BatchGet& to, const BatchGet& more) {
    to.tables.insert(to.tables.end(), more.tables.begin(), more.tables.end());
}
void append(BatchWrite& to, const BatchWrite& more) {
    to.tables.insert(to.tables.end(), more.tables.begin(), more.tables.end());
}

}  // namespace

HarshStore::HarshStore(Store& store, const Clock& clock, std::uint64_t seed,
                       const Harshness& harshness)
    : store_(store), clock_(clock), random_(seed), past_(store, clock), harshness_(harshness) {}

void HarshStore::set(const Harshness& harshness) {
    const std::lock_guard lock(mutex_);
    harshness_ = harshness;
}

Harshness HarshStore::harshness() const {
    const std::lock_guard lock(mutex_);
    return harshness_;
}

HarshCounts HarshStore::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

Time HarshStore::now() const {
    return clock_.now() + std::chrono::milliseconds(passing_.passed_ms.load());
}

std::uint64_t HarshStore::below(std::uint64_t end) { return random_up_to(random_, end - 1); }

bool HarshStore::happens(int Harshness::*chance, std::size_t HarshCounts::*count) {
    const auto of_thousand = static_cast<std::uint64_t>(harshness().*chance);
    if (of_thousand == 0 || below(thousand) >= of_thousand) return false;
    const std::lock_guard lock(mutex_);
    ++(counts_.*count);
    return true;
}

Time HarshStore::visible_from_now() {
    const auto lag = harshness().lag.count();
    const auto drawn = lag == 0 ? 0 : random_up_to(random_, static_cast<std::uint64_t>(lag));
    return now() + std::chrono::milliseconds(drawn);
}

template <class T>
Outcome<T> HarshStore::tried(const std::function<Outcome<T>()>& once) {
    for (int attempts = 1;; ++attempts) {
        auto answer = once();
        if (happens(&Harshness::lost, &HarshCounts::lost)) answer = no_answer();
        if (answer || !may_help(answer.error())) return answer;
        if (attempts >= harshness().attempts) return answer;
    }
}

template <class T>
Outcome<T> HarshStore::throttled_or(const std::function<Outcome<T>()>& once) {
    return tried<T>([&]() -> Outcome<T> {
        if (happens(&Harshness::throttled, &HarshCounts::throttled)) return throttling();
        return once();
    });
}

Pauses HarshStore::pauses(const Pauses::Plan& plan) { return Pauses(plan, random_, passing_); }

Store& HarshStore::stale_or_fresh(const std::string& table, bool consistent) {
    if (consistent || !happens(&Harshness::stale, &HarshCounts::late)) return store_;
    auto* past = past_.as_of(table, now());
    return past != nullptr ? *past : store_;
}

Outcome<GetResult> HarshStore::get(const GetItem& request) {
    return throttled_or<GetResult>([&]() -> Outcome<GetResult> {
        if (auto failure = not_there_yet(request.table)) return *std::move(failure);
        return stale_or_fresh(request.table, request.consistent).get(request);
    });
}

template <class Request>
Outcome<WriteResult> HarshStore::write(const Request& request, const Item& item,
                                       Outcome<WriteResult> (Store::*call)(const Request&)) {
    return throttled_or<WriteResult>([&]() -> Outcome<WriteResult> {
        if (auto failure = not_there_yet(request.table)) return *std::move(failure);
        past_.follow(request.table);
        auto written = (store_.*call)(request);
        past_.note(request.table, item, visible_from_now());
        return written;
    });
}

Outcome<WriteResult> HarshStore::put(const PutItem& request) {
    return write(request, request.item, &Store::put);
}

Outcome<WriteResult> HarshStore::update(const UpdateItem& request) {
    return write(request, request.key, &Store::update);
}

Outcome<WriteResult> HarshStore::erase(const DeleteItem& request) {
    return write(request, request.key, &Store::erase);
}

template <class Request>
Outcome<Page> HarshStore::read_page(const Request& request,
                                    Outcome<Page> (Store::*call)(const Request&)) {
    return throttled_or<Page>([&]() -> Outcome<Page> {
        if (auto failure = not_there_yet(request.table)) return *std::move(failure);
        Store* from = &stale_or_fresh(request.table, request.consistent);
        if (!request.index.empty() && !request.consistent) {
            auto* past = past_.as_of(request.table, now());
            if (past != nullptr) from = past;
        }
        return cut_page(*from, request, call);
    });
}

template <class Request>
Outcome<Page> HarshStore::cut_page(Store& from, Request request,
                                   Outcome<Page> (Store::*call)(const Request&)) {
    auto page = (from.*call)(request);
    if (!page || page->scanned_count == 0) return page;
    if (!happens(&Harshness::cut, &HarshCounts::cut)) return page;
    const auto way = below(3);
    if (way == 0 && request.start_key) {
        page->items.clear();
        page->count = page->scanned_count = 0;
        page->last_key = request.start_key;
        return page;
    }
    const auto whole = static_cast<std::int64_t>(page->scanned_count);
    const auto some = std::min(whole, short_page_max);
    request.limit =
        way == 1 ? whole : 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(some)));
    return (from.*call)(request);
}

Outcome<Page> HarshStore::query(const Query& request) { return read_page(request, &Store::query); }

Outcome<Page> HarshStore::scan(const Scan& request) { return read_page(request, &Store::scan); }

Outcome<TransactWriteResult> HarshStore::transact(const TransactWrite& request) {
    auto whole = request;
    make_updates_of_additions(whole);
    if (whole.token.empty()) whole.token = make_uuid(random_);
    return tried<TransactWriteResult>([&] { return transact_once(whole); });
}

Outcome<TransactWriteResult> HarshStore::transact_once(const TransactWrite& request) {
    if (auto failure = cancelled(request.actions.size())) return *std::move(failure);
    const auto each = [&](const auto& visit) {
        for (const auto& action : request.actions) {
            std::visit([&](const auto& part) { visit(part.table, item_of(part)); }, action);
        }
    };
    std::optional<Failure> failure;
    each([&](const std::string& table, const Item&) {
        if (!failure) failure = not_there_yet(table);
        past_.follow(table);
    });
    if (failure) return *std::move(failure);
    auto written = store_.transact(request);
    each([&](const std::string& table, const Item& item) {
        past_.note(table, item, visible_from_now());
    });
    if (!written) return with_conflicts(written.error());
    return written;
}

// Before anything is done: all the ways in which a store says, not now.
std::optional<Failure> HarshStore::cancelled(std::size_t actions) {
    const bool busy = happens(&Harshness::throttled, &HarshCounts::throttled);
    if (!busy && !happens(&Harshness::conflicts, &HarshCounts::conflicts)) return std::nullopt;
    if (below(2) == 0) {
        if (busy) return throttling();
        return Failure{Fault::transaction_in_progress, "another attempt is in progress"};
    }
    constexpr std::array<const char*, 2> throttles = {"ThrottlingError",
                                                      "ProvisionedThroughputExceeded"};
    Failure failure{Fault::transaction_canceled, "Transaction cancelled"};
    failure.reasons.resize(std::max<std::size_t>(actions, 1));
    const auto surely = below(failure.reasons.size());
    for (std::size_t i = 0; i < failure.reasons.size(); ++i) {
        if (i != surely && below(4) > 0) continue;
        const auto* code = busy ? throttles[below(throttles.size())] : "TransactionConflict";
        failure.reasons[i] = {code, "not now", std::nullopt};
    }
    return failure;
}

Failure HarshStore::with_conflicts(Failure failure) {
    if (failure.fault != Fault::transaction_canceled) return failure;
    if (!happens(&Harshness::conflicts, &HarshCounts::conflicts)) return failure;
    for (auto& reason : failure.reasons) {
        if (reason.code == "None") reason = {"TransactionConflict", "not now", std::nullopt};
    }
    return failure;
}

Outcome<TransactGetResult> HarshStore::transact_get(const TransactGet& request) {
    return tried<TransactGetResult>([&]() -> Outcome<TransactGetResult> {
        if (auto failure = cancelled(request.gets.size())) return *std::move(failure);
        for (const auto& get : request.gets) {
            if (auto failure = not_there_yet(get.table)) return *std::move(failure);
        }
        return store_.transact_get(request);
    });
}

// What of a batch is done, and what is not; none if all is.
template <class Batch>
std::optional<std::pair<Batch, Batch>> HarshStore::split(const Batch& batch) {
    if (!happens(&Harshness::unprocessed, &HarshCounts::unprocessed)) return std::nullopt;
    std::pair<Batch, Batch> parts;
    for (const auto& table : batch.tables) {
        auto done = table, left = table;
        auto& some = parts_of(done);
        auto& others = parts_of(left);
        const auto end = static_cast<std::ptrdiff_t>(below(some.size() + 1));
        others.erase(others.begin(), others.begin() + end);
        some.erase(some.begin() + end, some.end());
        if (!some.empty()) parts.first.tables.push_back(std::move(done));
        if (!others.empty()) parts.second.tables.push_back(std::move(left));
    }
    return parts;
}

Outcome<BatchGetResult> HarshStore::batch_get_once(const BatchGet& request) {
    bool consistent = false;
    for (const auto& table : request.tables) consistent |= table.consistent;
    if (request.tables.size() != 1) return store_.batch_get(request);
    return stale_or_fresh(request.tables.front().table, consistent).batch_get(request);
}

Outcome<BatchGetResult> HarshStore::batch_get(const BatchGet& request) {
    return throttled_or<BatchGetResult>([&]() -> Outcome<BatchGetResult> {
        for (const auto& table : request.tables) {
            if (auto failure = not_there_yet(table.table)) return *std::move(failure);
        }
        const auto parts = split(request);
        if (!parts) return batch_get_once(request);
        if (parts->first.tables.empty()) return throttling();
        auto answer = batch_get_once(parts->first);
        if (answer) append(answer->unprocessed, parts->second);
        return answer;
    });
}

Outcome<BatchWriteResult> HarshStore::batch_write_once(const BatchWrite& request) {
    for (const auto& table : request.tables) past_.follow(table.table);
    auto written = store_.batch_write(request);
    for (const auto& table : request.tables) {
        for (const auto& action : table.actions) {
            past_.note(table.table, item_of(action), visible_from_now());
        }
    }
    return written;
}

Outcome<BatchWriteResult> HarshStore::batch_write(const BatchWrite& request) {
    return throttled_or<BatchWriteResult>([&]() -> Outcome<BatchWriteResult> {
        for (const auto& table : request.tables) {
            if (auto failure = not_there_yet(table.table)) return *std::move(failure);
        }
        const auto parts = split(request);
        if (!parts) return batch_write_once(request);
        if (parts->first.tables.empty()) return throttling();
        auto answer = batch_write_once(parts->first);
        if (answer) append(answer->unprocessed, parts->second);
        return answer;
    });
}

// Calls about tables.

Outcome<TableNames> HarshStore::list_tables(const std::string& after, std::size_t limit) {
    return throttled_or<TableNames>([&] { return store_.list_tables(after, limit); });
}

Outcome<> HarshStore::tag(const std::string& arn, const Tags& tags) {
    return throttled_or<Ok>([&] { return store_.tag(arn, tags); });
}

Outcome<> HarshStore::untag(const std::string& arn, const std::vector<std::string>& keys) {
    return throttled_or<Ok>([&] { return store_.untag(arn, keys); });
}

Outcome<Tags> HarshStore::tags(const std::string& arn) {
    return throttled_or<Tags>([&] { return store_.tags(arn); });
}

Outcome<TimeToLive> HarshStore::time_to_live(const std::string& table) {
    return throttled_or<TimeToLive>([&] { return store_.time_to_live(table); });
}

Outcome<TimeToLive> HarshStore::set_time_to_live(const std::string& table,
                                                 const TimeToLive& setting) {
    return throttled_or<TimeToLive>([&]() -> Outcome<TimeToLive> {
        if (auto failure = not_there_yet(table)) return *std::move(failure);
        return store_.set_time_to_live(table, setting);
    });
}

Outcome<TableDescription> HarshStore::create_table(const CreateTable& request) {
    return throttled_or<TableDescription>([&]() -> Outcome<TableDescription> {
        auto created = store_.create_table(request);
        if (!created) return created;
        past_.forget(request.name);
        {
            const std::lock_guard lock(mutex_);
            works_[request.name] = {.until = now() + harshness_.table_work, .is_new = true};
        }
        return as_it_stands(*std::move(created));
    });
}

Outcome<TableDescription> HarshStore::describe_table(const std::string& table) {
    return throttled_or<TableDescription>([&]() -> Outcome<TableDescription> {
        auto described = store_.describe_table(table);
        if (!described) return described;
        return as_it_stands(*std::move(described));
    });
}

Outcome<TableDescription> HarshStore::update_table(const UpdateTable& request) {
    return throttled_or<TableDescription>([&]() -> Outcome<TableDescription> {
        if (work_on(request.name)) {
            return Failure{Fault::resource_in_use, "the table is being changed: " + request.name};
        }
        auto updated = store_.update_table(request);
        if (!updated) return updated;
        past_.forget(request.name);
        {
            const std::lock_guard lock(mutex_);
            auto& work = works_[request.name];
            work = {.until = now() + harshness_.table_work};
            if (request.create_index) work.index = request.create_index->name;
        }
        return as_it_stands(*std::move(updated));
    });
}

Outcome<TableDescription> HarshStore::delete_table(const std::string& table) {
    return throttled_or<TableDescription>([&]() -> Outcome<TableDescription> {
        if (work_on(table)) {
            return Failure{Fault::resource_in_use, "the table is being changed: " + table};
        }
        past_.forget(table);
        return store_.delete_table(table);
    });
}

std::optional<HarshStore::Work> HarshStore::work_on(const std::string& table) const {
    const std::lock_guard lock(mutex_);
    const auto found = works_.find(table);
    if (found == works_.end() || found->second.until <= now()) return std::nullopt;
    return found->second;
}

// Of a table that is being made, nothing can be read or written.
std::optional<Failure> HarshStore::not_there_yet(const std::string& table) const {
    const auto work = work_on(table);
    if (!work || !work->is_new) return std::nullopt;
    return Failure{Fault::resource_not_found, "Requested resource not found"};
}

TableDescription HarshStore::as_it_stands(TableDescription description) const {
    const auto work = work_on(description.name);
    if (!work) return description;
    description.status = work->is_new ? TableStatus::creating : TableStatus::updating;
    for (auto& index : description.global_indexes) {
        if (work->is_new || index.spec.name == work->index) index.status = IndexStatus::creating;
    }
    return description;
}

}  // namespace mailroom::table
