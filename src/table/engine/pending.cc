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
        const auto found = stripe.rows.find(*row);
        if (found != stripe.rows.end() && found->second.ticket == ticket) stripe.rows.erase(found);
    }
}

void Pending::clear() {
    for (auto& stripe : stripes_) {
        const std::lock_guard lock(stripe.mutex);
        stripe.rows.clear();
    }
}

}  // namespace mailroom::table
