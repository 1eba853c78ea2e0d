// The connections of one HttpClient. Only for http_client.cc.
#pragma once

#include "net/http_transfer.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace mailroom::net {

// Whom a connection may be used for: never for another origin, nor for both kinds of request.
struct ConnectionKey {
    Reach reach;
    std::string origin;
    bool operator==(const ConnectionKey&) const = default;
};

// Thread-safe. All leases must be back before the pool goes.
class ConnectionPool {
public:
    // At most `connections_max` of them (at least 1), each made when none fits.
    explicit ConnectionPool(HttpClientOptions options);

    // A connection for one caller; it goes back when the lease ends.
    class Lease {
    public:
        Lease(ConnectionPool& pool, ConnectionKey key, std::unique_ptr<HttpConnection> connection)
            : pool_(&pool), key_(std::move(key)), connection_(std::move(connection)) {}
        Lease(Lease&&) = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (connection_) pool_->put_back(std::move(key_), std::move(connection_));
        }
        HttpConnection* operator->() const { return connection_.get(); }

    private:
        ConnectionPool* pool_;
        ConnectionKey key_;
        std::unique_ptr<HttpConnection> connection_;
    };

    // Of the fitting ones the one used last, since it is the least likely to have been closed. None
    // if all stay in use for `patience`.
    std::optional<Lease> take(ConnectionKey key, std::chrono::milliseconds patience);

private:
    struct Idle {
        ConnectionKey key;
        std::unique_ptr<HttpConnection> connection;
        std::chrono::steady_clock::time_point since;
    };

    void put_back(ConnectionKey key, std::unique_ptr<HttpConnection> connection);
    std::unique_ptr<HttpConnection> find_idle(const ConnectionKey& key);

    const HttpClientOptions options_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::list<Idle> idle_;  // The one used last at the back.
    std::size_t in_use_ = 0;
};

}  // namespace mailroom::net
