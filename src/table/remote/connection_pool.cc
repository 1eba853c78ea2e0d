#include "table/remote/connection_pool.h"

#include <cassert>

namespace mailroom::table::remote {

ConnectionPool::ConnectionPool(Endpoint endpoint, HttpOptions options, std::size_t connections_max)
    : endpoint_(std::move(endpoint)),
      options_(std::move(options)),
      connections_max_(connections_max) {
    assert(connections_max > 0);
    idle_.reserve(connections_max);
}

std::optional<ConnectionPool::Lease> ConnectionPool::take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const bool free = returned_.wait_for(
        lock, patience, [&] { return !idle_.empty() || made_ < connections_max_; });
    if (!free) return std::nullopt;
    if (idle_.empty()) {
        ++made_;
        lock.unlock();
        return Lease(*this, std::make_unique<HttpConnection>(endpoint_, options_));
    }
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return Lease(*this, std::move(connection));
}

void ConnectionPool::put_back(std::unique_ptr<HttpConnection> connection) {
    {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(connection));
    }
    returned_.notify_one();
}

}  // namespace mailroom::table::remote
