// Which of several faults of one request is told: first what is wrong whatever the tables are, then
// tables that are missing, then what does not fit its table.
#include "table/engine/engine_fixture.h"

#include <functional>

namespace mailroom::table {
namespace {

class OrderOfChecksTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }

    static GetItem get_of(const std::string& table, Item key, const std::string& projection = "") {
        GetItem request;
        request.table = table;
        request.key = std::move(key);
        request.projection = projection;
        return request;
    }
    static BatchGet::PerTable gets_of(const std::string& table, Item key,
                                      const std::string& projection = "") {
        return {table, {std::move(key)}, projection, {}, false};
    }
    static DeleteItem erase_of(const std::string& table, Item key, const std::string& condition) {
        DeleteItem request;
        request.table = table;
        request.key = std::move(key);
        request.condition = condition;
        return request;
    }
    static Item large() { return {{"pk", "a"}, {"data", std::string(410 * 1024, 'x')}}; }

    Failure batch_get(std::vector<BatchGet::PerTable> tables) {
        return engine->batch_get({std::move(tables)}).error();
    }
    Failure batch_write(std::vector<BatchWrite::PerTable> tables) {
        return engine->batch_write({std::move(tables)}).error();
    }
    Failure transact(std::vector<WriteAction> actions) {
        TransactWrite request;
        request.actions = std::move(actions);
        return engine->transact(request).error();
    }
    Failure transact_get(std::vector<GetItem> gets) {
        TransactGet request;
        request.gets = std::move(gets);
        return engine->transact_get(request).error();
    }
};

TEST_F(OrderOfChecksTest, TheWholeRequestIsCheckedBeforeAnyTableIsLookedFor) {
    const Item key{{"pk", "a"}}, misfit{{"other", 1}};
    const auto wrong = Fault::validation, missing = Fault::resource_not_found,
               cancelled = Fault::transaction_canceled;
    const std::string gone = "Gone", overlap = "a, a", undefined = "#x", broken = "pk =";
    struct Case {
        const char* name;
        Fault told;
        std::function<Failure()> ask;
    };
    // clang-format off
    const Case cases[] = {
        {"batch get: overlap behind a missing table", wrong, [&] { return batch_get({gets_of(gone, key), gets_of("T", key, overlap)}); }},
        {"batch get: undefined name behind a missing table", wrong, [&] { return batch_get({gets_of(gone, key), gets_of("T", key, undefined)}); }},
        {"batch get: missing table behind a misfit", missing, [&] { return batch_get({gets_of("T", misfit), gets_of(gone, key)}); }},
        {"batch get: misfit", wrong, [&] { return batch_get({gets_of("T", misfit)}); }},
        {"batch write: large item behind a missing table", wrong, [&] { return batch_write({{gone, {BatchWrite::Delete{key}}}, {"T", {BatchWrite::Put{large()}}}}); }},
        {"batch write: large item of a missing table", wrong, [&] { return batch_write({{gone, {BatchWrite::Put{large()}}}}); }},
        {"batch write: missing table behind a misfit", missing, [&] { return batch_write({{"T", {BatchWrite::Delete{misfit}}}, {gone, {BatchWrite::Put{key}}}}); }},
        {"batch write: missing table behind duplicates", missing, [&] { return batch_write({{"T", {BatchWrite::Put{key}, BatchWrite::Delete{key}}}, {gone, {BatchWrite::Put{key}}}}); }},
        {"transaction: expression behind a missing table", wrong, [&] { return transact({put(gone, key), erase_of("T", key, broken)}); }},
        {"transaction: expression behind a misfit", wrong, [&] { return transact({put("T", misfit), erase_of("T", key, broken)}); }},
        {"transaction: missing table behind a misfit", missing, [&] { return transact({put("T", misfit), put(gone, key)}); }},
        {"transaction: misfit behind a misfit", cancelled, [&] { return transact({put("T", misfit), put("T", {{"pk", 1}})}); }},
        {"transaction: empty key behind a misfit", wrong, [&] { return transact({put("T", misfit), put("T", {{"pk", ""}})}); }},
        {"transaction of reads: overlap behind a missing table", wrong, [&] { return transact_get({get_of(gone, key), get_of("T", key, overlap)}); }},
        {"transaction of reads: overlap behind a misfit", wrong, [&] { return transact_get({get_of("T", misfit), get_of("T", key, overlap)}); }},
        {"transaction of reads: missing table behind a misfit", missing, [&] { return transact_get({get_of("T", misfit), get_of(gone, key)}); }},
        {"transaction of reads: misfit behind duplicates", cancelled, [&] { return transact_get({get_of("T", key), get_of("T", key), get_of("T", misfit)}); }},
        {"get: overlap of a missing table", wrong, [&] { return engine->get(get_of(gone, key, overlap)).error(); }},
        {"put: large item of a missing table", wrong, [&] { return engine->put(put(gone, large())).error(); }},
        {"put: missing table", missing, [&] { return engine->put(put(gone, key)).error(); }},
        {"update: expression of a missing table", wrong, [&] { return engine->update(update(gone, key, "SET")).error(); }},
        {"delete: expression of a missing table", wrong, [&] { return engine->erase(erase_of(gone, key, broken)).error(); }},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto failure = c.ask();
        EXPECT_EQ(failure.fault, c.told) << failure.message;
    }
    EXPECT_EQ(engine->describe_table("T")->item_count, 0);
}

}  // namespace
}  // namespace mailroom::table
