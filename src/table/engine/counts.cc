#include "table/engine/counts.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::table {

namespace {

// Of a row, and of what is deferred; there nothing stands for "dropped".
std::string encode(std::int64_t items, std::int64_t bytes) {
    std::string encoded;
    kv::append_u64(encoded, static_cast<std::uint64_t>(items));
    kv::append_u64(encoded, static_cast<std::uint64_t>(bytes));
    return encoded;
}

std::pair<std::int64_t, std::int64_t> decode(std::string_view in) {
    const auto items = static_cast<std::int64_t>(kv::read_u64(in).value_or(0));
    const auto bytes = static_cast<std::int64_t>(kv::read_u64(in).value_or(0));
    return {items, bytes};
}

}  // namespace

Result<> load_counter(const kv::Store& kv, std::uint32_t id, Counter& counter) {
    const auto row = TRY(kv.get(count_key(id)));
    if (!row) return Ok{};
    const auto [items, bytes] = decode(*row);
    counter.items = items;
    counter.bytes = bytes;
    return Ok{};
}

void Tally::add(const Change& change) {
    if (change.items == 0 && change.bytes == 0 && !change.dropped) return;
    const auto known = std::ranges::find(changes_, change.id, &Change::id);
    if (known == changes_.end()) return changes_.push_back(change);
    known->items += change.items;
    known->bytes += change.bytes;
    known->dropped |= change.dropped;
}

void Tally::add_deferred(const kv::Batch& batch) {
    for (std::size_t i = 0; i < batch.deferred_size(); ++i) {
        const auto deferred = batch.deferred(i);
        const auto id = counted_id(deferred.key);
        if (!id) continue;
        const auto [items, bytes] = decode(deferred.value);
        add({*id, items, bytes, deferred.value.empty()});
    }
}

void Tally::defer_to(kv::Batch& batch) const {
    for (const auto& [id, items, bytes, dropped] : changes_) {
        batch.defer(count_key(id), dropped ? std::string() : encode(items, bytes));
    }
}

void Counts::know(std::uint32_t id, const std::shared_ptr<Counter>& counter) {
    const std::lock_guard lock(mutex_);
    std::erase_if(counters_, [](const auto& known) { return known.second.expired(); });
    counters_[id] = counter;
}

void Counts::add_to(kv::Batch& batch, Tally more) {
    more.add_deferred(batch);
    const std::lock_guard lock(mutex_);
    last_.clear();
    for (const auto& change : more.changes()) {
        const auto known = counters_.find(change.id);
        const auto counter = known == counters_.end() ? nullptr : known->second.lock();
        if (counter) {
            counter->add(change.items, change.bytes);
            last_.push_back({counter, change});
        }
        if (change.dropped) {
            batch.erase(count_key(change.id));
            if (counter) counters_.erase(known);
        } else if (counter) {
            batch.put(count_key(change.id), encode(counter->items, counter->bytes));
        }
    }
}

void Counts::take_back() {
    const std::lock_guard lock(mutex_);
    for (const auto& [counter, change] : last_) {
        counter->add(-change.items, -change.bytes);
        counters_[change.id] = counter;
    }
    last_.clear();
}

}  // namespace mailroom::table
