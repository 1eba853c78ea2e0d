#include "backend.h"

#include "base/clock.h"
#include "base/random.h"
#include "dynamodb/endpoint.h"
#include "http/server.h"
#include "http/workers.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"
#include "table/remote/remote_store.h"

#include <gtest/gtest.h>

namespace mailroom::table {

namespace {

template <class T>
T expect(Result<T> result) {
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
}

class Embedded final : public Backend {
public:
    Store& store() override { return *engine_; }
    void finish_jobs() override { engine_->finish_jobs(); }

    Engine& engine() { return *engine_; }
    const Clock& clock() const { return clock_; }
    Random& random() { return random_; }

private:
    kv::MemoryStore kv_;
    ManualClock clock_{from_unix_ms(1'794'721'884'000)};
    SeededRandom random_{1};
    std::unique_ptr<Engine> engine_ = expect(Engine::open(kv_, clock_, random_));
};

class Remote final : public Backend {
public:
    ~Remote() override {
        store_.reset();
        server_->stop(std::chrono::seconds(10));
        workers_.stop();
    }
    Store& store() override { return *store_; }
    void finish_jobs() override { embedded_.finish_jobs(); }

private:
    remote::RemoteOptions options() const {
        remote::RemoteOptions options;
        options.endpoint = "http://" + server_->address();
        options.credentials = {"AKIDEXAMPLE", "secret", std::nullopt};
        return options;
    }

    Embedded embedded_;
    http::Workers workers_{2, 64};
    dynamodb::Endpoint endpoint_{embedded_.engine(), {}, workers_, embedded_.random()};
    std::unique_ptr<http::Server> server_ =
        expect(http::Server::listen({}, endpoint_, embedded_.clock()));
    std::unique_ptr<remote::RemoteStore> store_ =
        expect(remote::RemoteStore::open(options(), embedded_.clock(), embedded_.random()));
};

}  // namespace

std::unique_ptr<Backend> make_embedded() { return std::make_unique<Embedded>(); }
std::unique_ptr<Backend> make_remote() { return std::make_unique<Remote>(); }

}  // namespace mailroom::table
