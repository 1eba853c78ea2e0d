// bench_ceiling: the least that a durable put over HTTP costs on this machine.
//
// One I/O thread speaks HTTP; one committer gathers every waiting put into one RocksDB batch with
// one fsync and answers them all. There is no parsing of bodies, no table, no index, no condition.
//   GET  /echo   200 with a small fixed body
//   POST /put    stores the body under the next number, 200 after the fsync
// Usage: bench_ceiling DIR. Prints `ceiling ready 127.0.0.1:PORT`; stops on SIGTERM.

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

namespace {

class Session;

// `session` is shared with the I/O operations that are under way on it.
struct Put {
    std::shared_ptr<Session> session;
    std::string value;
};

// Answers puts on the I/O thread after they are on disk. `io` and `db` must outlive it.
class Committer {
public:
    Committer(asio::io_context& io, rocksdb::DB& db)
        : io_(io), db_(db), thread_([this] { run(); }) {}

    ~Committer() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    void add(Put put) {
        bool was_empty;
        {
            const std::lock_guard lock(mutex_);
            was_empty = waiting_.empty();
            waiting_.push_back(std::move(put));
        }
        if (was_empty) changed_.notify_one();
    }

private:
    void run();
    void commit(std::vector<Put> puts);

    asio::io_context& io_;
    rocksdb::DB& db_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Put> waiting_;
    bool stopping_ = false;
    std::uint64_t next_key_ = 0;
    std::thread thread_;  // Last, so that it sees the others made.
};

// One keep-alive connection. Shared by the operations in flight, which end when the peer leaves.
class Session : public std::enable_shared_from_this<Session> {
public:
    Session(tcp::socket socket, Committer& committer)
        : socket_(std::move(socket)), committer_(committer) {}

    void read() {
        request_ = {};
        http::async_read(socket_, buffer_, request_,
                         [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (!error) self->handle();
                         });
    }

    void answer(http::status status, std::string body) {
        response_ = http::response<http::string_body>(status, 11);
        response_.set(http::field::content_type, "application/json");
        response_.body() = std::move(body);
        response_.prepare_payload();
        http::async_write(socket_, response_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->read();
                          });
    }

private:
    void handle() {
        if (request_.target() == "/put") {
            committer_.add({shared_from_this(), std::move(request_.body())});
        } else if (request_.target() == "/echo") {
            answer(http::status::ok, "{}");
        } else {
            answer(http::status::not_found, "{}");
        }
    }

    tcp::socket socket_;
    Committer& committer_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> response_;
};

void Committer::run() {
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        auto puts = std::exchange(waiting_, {});
        lock.unlock();
        commit(std::move(puts));
    }
}

void Committer::commit(std::vector<Put> puts) {
    rocksdb::WriteBatch batch;
    for (const auto& put : puts) {
        const auto key = next_key_++;
        batch.Put(rocksdb::Slice(reinterpret_cast<const char*>(&key), sizeof key), put.value);
    }
    rocksdb::WriteOptions durable;
    durable.sync = true;
    const auto stored = db_.Write(durable, &batch).ok();
    asio::post(io_, [puts = std::move(puts), stored] {
        const auto status = stored ? http::status::ok : http::status::internal_server_error;
        for (const auto& put : puts) put.session->answer(status, "{}");
    });
}

void accept_next(tcp::acceptor& acceptor, Committer& committer) {
    acceptor.async_accept([&](beast::error_code error, tcp::socket socket) {
        if (error) return;
        socket.set_option(tcp::no_delay(true));
        std::make_shared<Session>(std::move(socket), committer)->read();
        accept_next(acceptor, committer);
    });
}

std::unique_ptr<rocksdb::DB> open_database(const char* directory) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    const auto status = rocksdb::DB::Open(options, directory, &db);
    if (!status.ok()) std::fprintf(stderr, "bench_ceiling: %s\n", status.ToString().c_str());
    return std::unique_ptr<rocksdb::DB>(db);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_ceiling DIR\n");
        return EXIT_FAILURE;
    }
    const auto db = open_database(argv[1]);
    if (!db) return EXIT_FAILURE;

    asio::io_context io(1);
    Committer committer(io, *db);
    tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    accept_next(acceptor, committer);
    asio::signal_set signals(io, SIGTERM, SIGINT);
    signals.async_wait([&](beast::error_code, int) { io.stop(); });

    std::printf("ceiling ready 127.0.0.1:%d\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    io.run();
    return EXIT_SUCCESS;
}
