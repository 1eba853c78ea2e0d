#include "net/connection_pool.h"

#include <algorithm>
#include <cassert>

namespace mailroom::net {

ConnectionPool::ConnectionPool(HttpClientOptions options) : options_(std::move(options)) {
    assert(options_.connections_max > 0);
}

std::optional<ConnectionPool::Lease> ConnectionPool::take(ConnectionKey key,
                                                          std::chrono::milliseconds patience) {
    // Closed after the lock is released, since saying goodbye over TLS takes time.
    std::list<Idle> dropped;
    std::unique_lock lock(mutex_);
    const bool free =
        returned_.wait_for(lock, patience, [&] { return in_use_ < options_.connections_max; });
    if (!free) return std::nullopt;
    ++in_use_;
    auto connection = find_idle(key);
    if (connection) return Lease(*this, std::move(key), std::move(connection));
    if (in_use_ + idle_.size() > options_.connections_max) {
        dropped.splice(dropped.end(), idle_, idle_.begin());
    }
    lock.unlock();
    dropped.clear();
    return Lease(*this, std::move(key), std::make_unique<HttpConnection>(options_));
}

std::unique_ptr<HttpConnection> ConnectionPool::find_idle(const ConnectionKey& key) {
    const auto found =
        std::find_if(idle_.rbegin(), idle_.rend(), [&](const Idle& i) { return i.key == key; });
    if (found == idle_.rend()) return nullptr;
    auto connection = std::move(found->connection);
    idle_.erase(std::next(found).base());
    return connection;
}

void ConnectionPool::put_back(ConnectionKey key, std::unique_ptr<HttpConnection> connection) {
    std::list<Idle> expired;
    {
        const std::lock_guard lock(mutex_);
        --in_use_;
        const auto now = std::chrono::steady_clock::now();
        const auto fresh = std::ranges::find_if(
            idle_, [&](const Idle& idle) { return now - idle.since < idle_max; });
        expired.splice(expired.end(), idle_, idle_.begin(), fresh);
        idle_.push_back({std::move(key), std::move(connection), now});
    }
    returned_.notify_one();
}

}  // namespace mailroom::net
