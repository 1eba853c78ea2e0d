#include "harsh/late_copy.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::table {

namespace {

bool is_ready(const TableDescription& table) {
    return table.status == TableStatus::active &&
           std::ranges::all_of(table.global_indexes, [](const auto& index) {
               return index.status == IndexStatus::active;
           });
}

CreateTable same_table(const TableDescription& described) {
    CreateTable request;
    request.name = described.name;
    request.attributes = described.attributes;
    request.keys = described.keys;
    for (const auto& index : described.local_indexes) request.local_indexes.push_back(index.spec);
    for (const auto& index : described.global_indexes) request.global_indexes.push_back(index.spec);
    return request;
}

Item key_of(const ItemView& item, const KeySchema& keys) {
    Item key;
    for (const auto& name : keys.names()) {
        if (const auto value = item.find(name)) key.set(name, *value);
    }
    return key;
}

}  // namespace

LateCopy::LateCopy(Store& original, const Clock& clock) : original_(original) {
    EngineOptions options;
    options.commit_mode = kv::Committer::Mode::immediate;
    auto opened = Engine::open(rows_, clock, random_, options);
    assert(opened);
    copy_ = *std::move(opened);
}

void LateCopy::follow(const std::string& table) {
    const std::lock_guard lock(mutex_);
    follow_locked(table);
}

bool LateCopy::follow_locked(const std::string& table) {
    if (followed_.contains(table)) return true;
    const auto described = original_.describe_table(table);
    if (!described || !is_ready(*described)) return false;
    if (!copy_->create_table(same_table(*described))) return false;
    copy_->finish_jobs();
    followed_.emplace(table, described->keys);
    if (copy_items(table)) return true;
    forget_locked(table);
    return false;
}

bool LateCopy::copy_items(const std::string& table) {
    Scan scan;
    scan.table = table;
    scan.consistent = true;
    do {
        auto page = original_.scan(scan);
        if (!page) return false;
        for (auto& item : page->items) {
            PutItem put;
            put.table = table;
            put.item = std::move(item);
            if (!copy_->put(put)) return false;
        }
        scan.start_key = std::move(page->last_key);
    } while (scan.start_key);
    return true;
}

void LateCopy::note(const std::string& table, const ItemView& item, Time visible) {
    const std::lock_guard lock(mutex_);
    const auto known = followed_.find(table);
    if (known == followed_.end()) return;
    // Read under the lock, so that of two writers the later one notes the later state.
    GetItem get;
    get.table = table;
    get.key = key_of(item, known->second);
    get.consistent = true;
    auto got = original_.get(get);
    if (!got) return forget_locked(table);
    auto& last = last_[{table, get.key.bytes()}];
    last = std::max(last, visible);
    pending_.emplace(last, Change{table, std::move(get.key), std::move(got->item)});
}

Store* LateCopy::as_of(const std::string& table, Time now) {
    const std::lock_guard lock(mutex_);
    apply_until(now);
    return follow_locked(table) ? copy_.get() : nullptr;
}

void LateCopy::apply_until(Time now) {
    while (!pending_.empty() && pending_.begin()->first <= now) {
        const auto change = std::move(pending_.begin()->second);
        pending_.erase(pending_.begin());
        apply(change);
    }
    std::erase_if(last_, [&](const auto& entry) { return entry.second <= now; });
}

void LateCopy::apply(const Change& change) {
    PutItem put;
    put.table = change.table;
    DeleteItem erase;
    erase.table = change.table;
    if (change.now) put.item = *change.now;
    if (!change.now) erase.key = change.key;
    const auto done = change.now ? copy_->put(put) : copy_->erase(erase);
    if (!done) forget_locked(change.table);
}

void LateCopy::forget(const std::string& table) {
    const std::lock_guard lock(mutex_);
    forget_locked(table);
}

void LateCopy::forget_locked(const std::string& table) {
    if (followed_.erase(table) == 0) return;
    std::erase_if(pending_, [&](const auto& entry) { return entry.second.table == table; });
    std::erase_if(last_, [&](const auto& entry) { return entry.first.first == table; });
    const auto deleted = copy_->delete_table(table);
    assert(deleted);
    copy_->finish_jobs();
}

void LateCopy::forget_all() {
    const std::lock_guard lock(mutex_);
    while (!followed_.empty()) forget_locked(std::string(followed_.begin()->first));
}

void LateCopy::catch_up() {
    const std::lock_guard lock(mutex_);
    apply_until(Time::max());
}

}  // namespace mailroom::table
