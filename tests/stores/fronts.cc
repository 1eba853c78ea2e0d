#include "stores/fronts.h"

#include "dynamodb/endpoint.h"
#include "harsh/harsh_store.h"
#include "http/server.h"
#include "http/workers.h"
#include "stores/lossy_proxy.h"
#include "table/remote/remote_store.h"

#include <cassert>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace mailroom::table {

namespace {

using namespace std::chrono_literals;

// So many tries that nothing but a very long bad spell is seen of it: what is left is what a client
// that tries again cannot hide, lag and being refused by one's own write.
constexpr int attempts = 30;
constexpr Harshness bad_day = {.throttled = 80,
                               .conflicts = 80,
                               .unprocessed = 300,
                               .lost = 60,
                               .cut = 200,
                               .stale = 300,
                               .lag = 5s,
                               .attempts = attempts};

class HarshFront final : public Front {
public:
    HarshFront(Engine& engine, const Clock& clock, std::uint64_t seed)
        : store_(engine, clock, seed, bad_day) {}
    Store& store() override { return store_; }
    bool is_shared() const override { return true; }
    void catch_up() override { store_.forget_past(); }

private:
    HarshStore store_;
};

// Far from the seeds of the tests themselves: tokens of transactions must differ from theirs.
constexpr std::uint64_t seed_of_fronts = 0x6d61696c726f6f6d;

// Nothing is waited for between tries.
class NoSleep final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds) override { return true; }
};

class RemoteFront final : public Front {
public:
    RemoteFront(Engine& engine, const Clock& clock, std::optional<std::uint64_t> seed)
        : random_(seed_of_fronts + seed.value_or(0)),
          endpoint_(engine, OwnTables::none(), workers_, random_) {
        auto server = http::Server::listen({}, endpoint_, system_clock_);
        assert(server);
        server_ = *std::move(server);
        remote::RemoteOptions options;
        options.endpoint = "http://" + server_->address();
        options.credentials = {"AKIDEXAMPLE", "secret", std::nullopt};
        options.retry = {.attempts_max = attempts};
        if (seed) {
            proxy_.emplace(server_->port(), *seed,
                           LossyProxy::Losses{.requests = 20, .answers = 40, .halves = 20});
            options.endpoint = "http://" + proxy_->address();
        }
        auto store = remote::RemoteStore::open(options, clock, random_, sleeper_);
        assert(store);
        store_ = *std::move(store);
    }
    ~RemoteFront() override {
        store_.reset();
        proxy_.reset();
        server_->stop(10s);
        workers_.stop();
    }
    Store& store() override { return *store_; }
    bool is_shared() const override { return true; }
    void catch_up() override {}

private:
    SeededRandom random_;
    SystemClock system_clock_;
    NoSleep sleeper_;
    http::Workers workers_{2, 256};
    dynamodb::Endpoint endpoint_;
    std::unique_ptr<http::Server> server_;
    std::optional<LossyProxy> proxy_;
    std::unique_ptr<remote::RemoteStore> store_;
};

// "harsh:7" is kind "harsh" with 7.
std::optional<std::uint64_t> seed_after(std::string_view kind, std::string_view name) {
    if (!name.starts_with(kind) || !name.substr(kind.size()).starts_with(":")) return std::nullopt;
    name.remove_prefix(kind.size() + 1);
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), seed);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return seed;
}

}  // namespace

FrontMaker front_named(std::string_view name) {
    if (const auto seed = seed_after("harsh", name)) {
        return [seed](Engine& engine, const Clock& clock) {
            return std::make_unique<HarshFront>(engine, clock, *seed);
        };
    }
    const auto seed = seed_after("lossy", name);
    if (!seed && name != "remote") return nullptr;
    return [seed](Engine& engine, const Clock& clock) {
        return std::make_unique<RemoteFront>(engine, clock, seed);
    };
}

}  // namespace mailroom::table
