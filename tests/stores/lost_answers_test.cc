// The client of a remote store, when answers get lost on the way and the server is killed: what was
// asked for in a transaction happens once, and is never refused because of itself.
#include "base/clock.h"
#include "dynamodb/endpoint.h"
#include "http/key_rows.h"
#include "http/server.h"
#include "http/workers.h"
#include "kv/memory_store.h"
#include "stores/lossy_proxy.h"
#include "table/engine/engine.h"
#include "table/own_tables.h"
#include "table/remote/remote_store.h"
#include "table/write_builder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

using namespace std::chrono_literals;

// The tables and the endpoint of one process, on what is left of an earlier one.
class Served {
public:
    Served(kv::Store& rows, const Clock& clock, Random& random) {
        auto engine = Engine::open(rows, clock, random, {});
        EXPECT_TRUE(engine);
        engine_ = *std::move(engine);
        endpoint_ = std::make_unique<dynamodb::Endpoint>(*engine_, OwnTables{}, workers_, random);
        auto server = http::Server::listen({}, *endpoint_, clock);
        EXPECT_TRUE(server);
        server_ = *std::move(server);
    }
    // Requests in hand are dropped, whether they were carried out or not.
    ~Served() {
        server_->stop(0ms);
        workers_.stop();
    }
    std::uint16_t port() const { return server_->port(); }
    Engine& engine() { return *engine_; }

private:
    http::Workers workers_{2, 64};
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<dynamodb::Endpoint> endpoint_;
    std::unique_ptr<http::Server> server_;
};

class LostAnswersTest : public testing::Test {
protected:
    void SetUp() override {
        served = std::make_unique<Served>(rows, clock, random);
        proxy = std::make_unique<LossyProxy>(served->port(), 7, LossyProxy::Losses{});
        remote::RemoteOptions options;
        options.endpoint = "http://" + proxy->address();
        options.credentials = {"AKIDEXAMPLE", "secret", std::nullopt};
        options.retry = {.attempts_max = 60, .backoff_base = 1ms, .backoff_max = 20ms};
        auto opened = remote::RemoteStore::open(options, clock, random);
        ASSERT_TRUE(opened);
        store = *std::move(opened);
        CreateTable request;
        request.name = "Things";
        request.attributes = {{"pk", Kind::string}};
        request.keys = {"pk", ""};
        ASSERT_TRUE(store->create_table(request));
    }
    ~LostAnswersTest() override {
        store.reset();
        proxy.reset();
    }
    void kill_and_begin_again() {
        served.reset();
        served = std::make_unique<Served>(rows, clock, random);
        proxy->move_to(served->port());
    }
    // A row that must be new, and one more in the sum, in one transaction.
    Outcome<TransactWriteResult> add(const std::string& key) {
        write::Transaction together;
        together.put("Things", {{"pk", key}}).if_absent("pk");
        together.update("Things", {{"pk", "sum"}}).add("n", 1);
        return store->transact(together);
    }
    std::int64_t sum() {
        GetItem get;
        get.table = "Things";
        get.key = {{"pk", "sum"}};
        get.consistent = true;
        const auto got = served->engine().get(get);
        return got && got->item ? got->item->integer("n").value_or(0) : 0;
    }

    kv::MemoryStore rows;
    SystemClock clock;
    SeededRandom random{1};
    std::unique_ptr<Served> served;
    std::unique_ptr<LossyProxy> proxy;
    std::unique_ptr<remote::RemoteStore> store;
};

TEST_F(LostAnswersTest, ATransactionThatIsAskedForAgainHappensOnceAndIsNotRefusedByItself) {
    proxy->lose_next_answer();
    const auto added = add("a");
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(proxy->answers_lost(), 1u);
    EXPECT_EQ(sum(), 1);
    EXPECT_EQ(Error(add("a").error()).code, Errc::conflict) << "another one is";
}

TEST_F(LostAnswersTest, OfManyByManyThreadsNoneIsDoubled) {
    proxy->set({.requests = 50, .answers = 100, .halves = 50});
    std::atomic<int> refused = 0;
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([&, i] {
            for (int k = 0; k < 40; ++k) {
                const auto added = add(std::to_string(i) + "-" + std::to_string(k));
                if (added) continue;
                ++refused;
                ADD_FAILURE() << added.error().message;
            }
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(sum(), 160);
    EXPECT_GT(proxy->answers_lost(), 5u);
}

TEST_F(LostAnswersTest, NorWhenTheServerIsKilledAndAnotherGoesOn) {
    std::atomic<int> done = 0;
    std::atomic<bool> over = false;
    std::vector<std::string> refused;
    std::thread caller([&] {
        for (int k = 0; !over; ++k) {
            proxy->set({.answers = k % 3 == 0 ? 200 : 0});
            const auto added = add(std::to_string(k));
            if (!added) refused.push_back(added.error().message);
            if (added) ++done;
        }
    });
    for (int life = 0; life < 5; ++life) {
        const int before = done;
        while (done < before + 10) std::this_thread::yield();
        kill_and_begin_again();
    }
    over = true;
    caller.join();
    EXPECT_TRUE(refused.empty()) << refused.front();
    EXPECT_EQ(sum(), done);
}

TEST_F(LostAnswersTest, AKeyIsMadeAndRevokedAlthoughNoAnswerCame) {
    auto keys = http::KeyRows::open(*store, own_table("Keys", {{"Hash", Kind::string}}));
    ASSERT_TRUE(keys);
    proxy->lose_next_answer();
    EXPECT_TRUE(keys->add({{"Hash", "a"}}));
    EXPECT_EQ(keys->add({{"Hash", "a"}}).error().code, Errc::conflict);
    proxy->lose_next_answer();
    EXPECT_TRUE(keys->erase("a"));
    EXPECT_EQ(keys->erase("a").error().code, Errc::not_found);
}

// What remote_store.h says: where that matters, a transaction is the way.
TEST_F(LostAnswersTest, AConditionalPutMayBeRefusedByItself) {
    PutItem put;
    put.table = "Things";
    put.item = {{"pk", "a"}};
    put.condition = "attribute_not_exists(pk)";
    put.on_failure = OnConditionFailure::all_old;
    proxy->lose_next_answer();
    const auto refused = store->put(put);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::conditional_check_failed);
    EXPECT_EQ(refused.error().item, put.item) << "which shows what is there: its own";
}

}  // namespace
}  // namespace mailroom::table
