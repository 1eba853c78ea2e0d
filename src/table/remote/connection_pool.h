// The connections of one client to one server.
#pragma once

#include "table/remote/http_connection.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mailroom::table::remote {

// Thread-safe. All leases must be back before the pool goes.
class ConnectionPool {
public:
    // At most `connections_max` (at least 1) are made, each when all others are in use.
    ConnectionPool(Endpoint endpoint, HttpOptions options, std::size_t connections_max);

    // A connection for one caller; it goes back when the lease ends.
    class Lease {
    public:
        Lease(ConnectionPool& pool, std::unique_ptr<HttpConnection> connection)
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(Lease&&) = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (connection_) pool_->put_back(std::move(connection_));
        }
        HttpConnection* operator->() const { return connection_.get(); }

    private:
        ConnectionPool* pool_;
        std::unique_ptr<HttpConnection> connection_;
    };

    // The one used last, since it is the least likely to have been closed. None if all stay in use
    // for `patience`.
    std::optional<Lease> take(std::chrono::milliseconds patience);

private:
    void put_back(std::unique_ptr<HttpConnection> connection);

    const Endpoint endpoint_;
    const HttpOptions options_;
    const std::size_t connections_max_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::unique_ptr<HttpConnection>> idle_;
    std::size_t made_ = 0;
};

}  // namespace mailroom::table::remote
