#include "table/engine/pending.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

Pending::Lock::Lock(Pending& pending, const std::vector<Key>& rows) : pending_(pending) {
    stripes_.reserve(rows.size());
    for (const auto& row : rows) stripes_.push_back(stripe_of(row.hash));
    std::ranges::sort(stripes_);
    stripes_.erase(std::unique(stripes_.begin(), stripes_.end()), stripes_.end());
    for (const auto stripe : stripes_) pending_.stripes_[stripe].mutex.lock();
}

Pending::Lock::~Lock() {
    for (const auto stripe : stripes_) pending_.stripes_[stripe].mutex.unlock();
}

const Pending::Row* Pending::find(const Key& row) const {
    const auto& rows = stripes_[stripe_of(row.hash)].rows;
    const auto found = rows.find(row);
    return found == rows.end() ? nullptr : &found->second;
}

const Pending::Entry* Pending::set(const Key& row, std::optional<std::string> value,
                                   std::uint64_t ticket) {
    auto& rows = stripes_[stripe_of(row.hash)].rows;
    auto found = rows.find(row);
    if (found == rows.end()) found = rows.try_emplace(Entry(row)).first;
    assert(found->second.ticket != ticket);
    found->second.value = std::move(value);
    found->second.ticket = ticket;
    return &found->first;
}

void Pending::settle(const std::vector<const Entry*>& rows, std::uint64_t ticket) {
    for (const auto* row : rows) {
        auto& stripe = stripes_[stripe_of(row->hash_)];
        const std::lock_guard lock(stripe.mutex);
        stripe.settle(*row, ticket);
    }
}

void Pending::clear() {
    for (auto& stripe : stripes_) {
        const std::lock_guard lock(stripe.mutex);
        stripe.rows.clear();
        stripe.recent = {};
    }
}

void Pending::Stripe::settle(const Entry& entry, std::uint64_t ticket) {
    const auto found = rows.find(entry);
    if (found == rows.end() || found->second.ticket != ticket) return;
    auto& row = found->second;
    row.ticket = 0;
    if (row.value && row.value->size() > recent_value_bytes_max) {
        if (row.place != 0) recent[row.place - 1U] = nullptr;
        rows.erase(found);
    } else if (row.place == 0) {
        keep(found->first, row);
    }
}

// In the place of the one that is there longest.
void Pending::Stripe::keep(const Entry& entry, Row& row) {
    forget(next_place);
    recent[next_place] = &entry;
    row.place = static_cast<std::uint8_t>(next_place + 1);
    next_place = (next_place + 1) % recent_rows_max;
}

void Pending::Stripe::forget(std::size_t place) {
    if (!recent[place]) return;
    const auto found = rows.find(*recent[place]);
    assert(found != rows.end());
    recent[place] = nullptr;
    found->second.place = 0;
    if (!found->second.is_queued()) rows.erase(found);
}

}  // namespace mailroom::table
